import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ON_FAULTY_DISK } from '../../.ci/torture/faulty-disk.ts';
import { createTestData, Ledger, newFolder } from '../../.ci/torture/harness.ts';
import { Power } from '../../.ci/torture/power.ts';
import { spawnServer } from '../support/process.ts';

const UPLOADS = 64;

test('uploads at once sync each file and share the syncs of the folder, and survive a power cut', async () => {
  const folder = newFolder();
  const testData = await createTestData(join(folder, 'data'));
  const synced: string[] = [];
  const power = new Power(testData.dataDir, ({ path }) => {
    synced.push(path);
    return false;
  });
  power.on();
  const server = await spawnServer(testData.dataDir, { SYNC_SOCKET: power.socket }, ON_FAULTY_DISK);
  const ledger = new Ledger();
  await Promise.all(Array.from({ length: UPLOADS }, () => ledger.post(server, testData.formId, 100_000)));
  await server.end('SIGKILL');
  power.restore();
  power.close();
  expect(ledger.acknowledged.size).toBe(UPLOADS);
  expect(new Set(synced.filter((path) => path.startsWith('files/'))).size).toBe(UPLOADS);
  expect(synced.filter((path) => path === 'files').length).toBeLessThan(UPLOADS / 2);

  const next = await spawnServer(testData.dataDir, { READS_PER_MINUTE: '0' });
  expect(await ledger.compare(next, testData)).toEqual({ missing: [], stored: UPLOADS });
  expect(await next.end()).toBe(0);
  rmSync(folder, { recursive: true });
});
