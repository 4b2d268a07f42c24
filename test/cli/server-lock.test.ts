import { describe, expect, test } from 'bun:test';
import { formstead, spawnServer } from '../support/process.ts';
import { dataDirs, household, post, refused, storedNames } from './command-line.ts';

const fresh = dataDirs();
const PORT = { PORT: '0' };

describe('a second server on the same data directory', () => {
  test('exits with a message, also when the first has been idle for a while, and does not disturb it', async () => {
    const dataDir = fresh();
    const { form, key } = await household(dataDir);
    const server = await spawnServer(dataDir);
    const message = refused(/another Formstead serves this data directory/);
    expect(await formstead(dataDir, ['serve'], PORT)).toEqual(message);
    expect(await formstead(dataDir, [], PORT)).toEqual(message);
    // Long enough for a lock that nothing refers to to be collected.
    await Bun.sleep(2_000);
    expect(await formstead(dataDir, ['serve'], PORT)).toEqual(message);
    expect((await post(server.url, form.id)).status).toBe(200);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['Ada']);
    await server.end();
  });

  test('starts at once after the first was killed, with everything that was accepted', async () => {
    const dataDir = fresh();
    const { form, key } = await household(dataDir);
    const first = await spawnServer(dataDir);
    expect((await post(first.url, form.id, 'before')).status).toBe(200);
    expect(await first.end('SIGKILL')).not.toBe(0);

    const second = await spawnServer(dataDir);
    expect((await post(second.url, form.id, 'after')).status).toBe(200);
    expect(await storedNames(second.url, form, key.secret)).toEqual(['after', 'before']);
    expect(await second.end()).toBe(0);
  });

  test('that starts at the same moment loses, and one of them serves', async () => {
    const dataDir = fresh();
    const outcomes = await Promise.allSettled([spawnServer(dataDir), spawnServer(dataDir), spawnServer(dataDir)]);
    const running = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    await Promise.all(running.map(({ value }) => value.end()));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failed.map(({ reason }) => String(reason))).toEqual(
      failed.map(() => expect.stringContaining('another Formstead serves this data directory')),
    );
    expect(running).toHaveLength(1);
  });
});
