import { expect, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ON_FAULTY_DISK } from '../../.ci/torture/faulty-disk.ts';
import { createTestData, Ledger, newFolder } from '../../.ci/torture/harness.ts';
import { Power } from '../../.ci/torture/power.ts';
import { cutPower, DISHONEST, HONEST } from '../../.ci/torture/power-cuts.ts';
import { spawnServer } from '../support/process.ts';

const quietly = () => {};

test('power cuts lose, duplicate, truncate or restore nothing that was acknowledged or deleted', async () => {
  const outcome = await cutPower(HONEST, 3, quietly);
  expect(outcome.faults).toEqual([]);
  expect(outcome.cuts).toBe(3);
  expect(outcome.syncs).toBeGreaterThan(20);
});

test('data created by commands in an empty data directory survives a power cut', async () => {
  const folder = newFolder();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const power = new Power(dataDir);
  power.on();
  const testData = await createTestData(dataDir, { SYNC_SOCKET: power.socket }, ON_FAULTY_DISK);
  expect(power.syncs).toBeGreaterThan(10);
  power.restore();
  power.close();
  const server = await spawnServer(dataDir);
  const ledger = new Ledger();
  expect(await ledger.post(server, testData.formId, 1_000)).toBe(true);
  expect(await ledger.compare(server, testData)).toEqual({ missing: [], stored: 1 });
  expect(await server.end()).toBe(0);
  rmSync(folder, { recursive: true });
});

// `bun run bench torture` runs the other dishonest disks.
test.each(DISHONEST.filter(({ what }) => ['the log, by our descriptor', 'uploaded files'].includes(what)))(
  'data is lost if syncs of $what do nothing',
  async (disk) => {
    const { faults } = await cutPower(disk, 100, quietly);
    expect(faults).not.toEqual([]);
    // A timed-out wait is no loss.
    expect(faults.join()).not.toContain('gave up');
  },
);
