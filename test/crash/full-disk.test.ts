import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTestData, Ledger, listAll, newFolder } from '../../.ci/torture/harness.ts';
import { FROM_SOURCE, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

const NO_LIMIT = { READS_PER_MINUTE: '0' };
/** More than the size of any disk. */
const FLOOR = String(1024 ** 4);

describe('below MIN_FREE_BYTES', () => {
  test('posts are refused with a message, and submissions can be read and deleted', async () => {
    const testData = await createTestData(join(folder, 'floor'));
    const ledger = new Ledger();
    const before = await spawnServer(testData.dataDir);
    await ledger.post(before, testData.formId, 1_000);
    await before.end();

    const server = await spawnServer(testData.dataDir, { ...NO_LIMIT, MIN_FREE_BYTES: FLOOR });
    await until(() => server.stdout().includes('disk almost full'), 'the log line, before any post');
    await ledger.post(server, testData.formId, 1_000);
    await ledger.post(server, testData.formId);
    expect([...ledger.refusals]).toEqual([['500 storage_unavailable', 2]]);
    expect(ledger.withoutRetryAfter).toBe(0);
    const page = await fetch(`${server.url}/v1/forms/${testData.formId}/submissions`, {
      method: 'POST',
      headers: { Accept: 'text/html', 'Accept-Language': 'de' },
      body: new URLSearchParams({ n: 'page' }),
    });
    expect([page.status, page.headers.get('retry-after')]).toEqual([500, '60']);
    expect(await page.text()).toContain('nicht gespeichert');

    expect(await ledger.compare(server, testData)).toEqual({ missing: [], stored: 1 });
    expect(readdirSync(join(testData.dataDir, 'files'))).toHaveLength(1);
    const [kept] = await listAll(server, testData);
    const headers = { Authorization: `Bearer ${testData.secret}` };
    const deleted = await fetch(`${server.url}/v1/submissions/${kept?.id}`, { method: 'DELETE', headers });
    expect(deleted.status).toBe(200);
    expect(await server.end()).toBe(0);
    expect(server.stdout().match(/disk almost full/g)).toHaveLength(1);
  });

  test('nothing is refused without a minimum', async () => {
    const testData = await createTestData(join(folder, 'lifted'));
    const server = await spawnServer(testData.dataDir, { MIN_FREE_BYTES: '0' });
    expect(await new Ledger().post(server, testData.formId, 1_000)).toBe(true);
    expect(await server.end()).toBe(0);
  });
});

test('if the database cannot grow, posts are refused and reads work, and the same server recovers', async () => {
  const testData = await createTestData(join(folder, 'limit'));
  // Limit the file size of this process, which has the effect of a full disk.
  const limited = ['sh', '-c', `trap '' XFSZ; ulimit -S -f 2048; exec "$@"`, 'sh'];
  const server = await spawnServer(testData.dataDir, NO_LIMIT, { command: [...limited, ...FROM_SOURCE.command] });
  const ledger = new Ledger();
  await ledger.flood(server, testData.formId, () => ledger.refused >= 20);
  const before = ledger.acknowledged.size;
  expect([...ledger.refusals.keys()]).toEqual(['500 storage_unavailable']);
  expect(ledger.withoutRetryAfter).toBe(0);
  expect((await ledger.compare(server, testData)).missing).toEqual([]);

  const { refused } = ledger;
  await Bun.spawn(['prlimit', '--pid', String(server.pid), '--fsize=unlimited']).exited;
  await ledger.flood(server, testData.formId, () => ledger.acknowledged.size >= before + 20);
  expect(ledger.refused).toBe(refused);
  expect(await server.end()).toBe(0);

  const next = await spawnServer(testData.dataDir, NO_LIMIT);
  expect((await ledger.compare(next, testData)).missing).toEqual([]);
  expect(await next.end()).toBe(0);
});
