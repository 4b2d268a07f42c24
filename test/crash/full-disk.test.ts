import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FROM_SOURCE, spawnServer } from '../support/process.ts';
import { Ledger, listAll, makeGround, newFolder } from '../torture/ground.ts';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const NO_LIMIT = { READS_PER_MINUTE: '0' };
/** More than any disk has. */
const FLOOR = String(1024 ** 4);

describe('below the floor of free space', () => {
  test('posts are refused in words, and what is there can be read and deleted', async () => {
    const ground = await makeGround(join(folder, 'floor'));
    const ledger = new Ledger();
    const before = await spawnServer(ground.dataDir);
    await ledger.post(before, ground.formId, 1_000);
    await before.end();

    const server = await spawnServer(ground.dataDir, { ...NO_LIMIT, MIN_FREE_BYTES: FLOOR });
    await ledger.post(server, ground.formId, 1_000);
    await ledger.post(server, ground.formId);
    expect([...ledger.refusals]).toEqual([['500 storage_unavailable', 2]]);
    expect(ledger.withoutRetryAfter).toBe(0);
    const page = await fetch(`${server.url}/v1/forms/${ground.formId}/submissions`, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Accept-Language': 'de' },
      body: new URLSearchParams({ n: 'page' }),
    });
    expect([page.status, page.headers.get('retry-after')]).toEqual([500, '60']);
    expect(await page.text()).toContain('nichts wurde gespeichert');

    expect(await ledger.compare(server, ground)).toEqual({ missing: [], stored: 1 });
    expect(readdirSync(join(ground.dataDir, 'files'))).toHaveLength(1);
    const [kept] = await listAll(server, ground);
    const headers = { Authorization: `Bearer ${ground.secret}` };
    const deleted = await fetch(`${server.url}/v1/submissions/${kept?.id}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(200);
    expect(await server.end()).toBe(0);
    expect(server.stdout().match(/disk almost full/g)).toHaveLength(1);
  });

  test('nothing is refused where the floor is lifted', async () => {
    const ground = await makeGround(join(folder, 'lifted'));
    const server = await spawnServer(ground.dataDir, { MIN_FREE_BYTES: '0' });
    expect(await new Ledger().post(server, ground.formId, 1_000)).toBe(true);
    expect(await server.end()).toBe(0);
  });
});

test('where the database cannot grow, posts are refused, reads go on, and the same server takes posts once it can', async () => {
  const ground = await makeGround(join(folder, 'limit'));
  // No file may grow beyond it: as real as a full disk, and only for this process.
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -S -f 2048; exec "$@"`, 'sh'];
  const server = await spawnServer(ground.dataDir, NO_LIMIT, { command: [...limited, ...FROM_SOURCE.command] });
  const ledger = new Ledger();
  await ledger.flood(server, ground.formId, () => ledger.refused >= 20);
  const before = ledger.acknowledged.size;
  expect([...ledger.refusals.keys()]).toEqual(['500 storage_unavailable']);
  expect(ledger.withoutRetryAfter).toBe(0);
  expect((await ledger.compare(server, ground)).missing).toEqual([]);

  const { refused } = ledger;
  await Bun.spawn(['prlimit', '--pid', String(server.pid), '--fsize=unlimited']).exited;
  await ledger.flood(server, ground.formId, () => ledger.acknowledged.size >= before + 20);
  expect(ledger.refused).toBe(refused);
  expect(await server.end()).toBe(0);

  const next = await spawnServer(ground.dataDir, NO_LIMIT);
  expect((await ledger.compare(next, ground)).missing).toEqual([]);
  expect(await next.end()).toBe(0);
});
