import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { FROM_SOURCE, formstead, type Program, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, dataDirs, instances, post, refused, storedNames } from './command-line.ts';

const fresh = dataDirs();
const instance = instances();
const PORT = { PORT: '0' };
const [bun = 'bun', main = ''] = FROM_SOURCE.command;
const WITH_GC_SIGNAL: Program = { command: [bun, '--preload', join(import.meta.dir, 'collect-garbage.ts'), main] };

describe('a second server on the same data directory', () => {
  test('exits with a message and does not disturb the first, also after a garbage collection there', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir, {}, WITH_GC_SIGNAL);
    const message = refused(/Another server uses this data directory/);
    expect(await formstead(dataDir, ['serve'], PORT)).toEqual(message);
    expect(await formstead(dataDir, [], PORT)).toEqual(message);
    // A garbage collection would release a lock without references.
    process.kill(server.pid, 'SIGUSR2');
    await until(() => server.stdout().includes('"collected"'), 'the server to collect garbage');
    expect(await formstead(dataDir, ['serve'], PORT)).toEqual(message);
    expect((await post(server.url, form.id)).status).toBe(200);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['Ada']);
    await server.end();
  });

  test('starts right after the first was killed, with all accepted submissions', async () => {
    const dataDir = instance();
    const { form, key } = await createTeamWithForm(dataDir);
    const first = await spawnServer(dataDir);
    expect((await post(first.url, form.id, 'before')).status).toBe(200);
    expect(await first.end('SIGKILL')).not.toBe(0);

    const second = await spawnServer(dataDir);
    expect((await post(second.url, form.id, 'after')).status).toBe(200);
    expect(await storedNames(second.url, form, key.secret)).toEqual(['after', 'before']);
    expect(await second.end()).toBe(0);
  });

  test('at the same moment: exactly one of them serves', async () => {
    const dataDir = fresh();
    const outcomes = await Promise.allSettled([spawnServer(dataDir), spawnServer(dataDir), spawnServer(dataDir)]);
    const running = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    await Promise.all(running.map(({ value }) => value.end()));
    const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(failed.map(({ reason }) => String(reason))).toEqual(
      failed.map(() => expect.stringContaining('Another server uses this data directory')),
    );
    expect(running).toHaveLength(1);
  });
});
