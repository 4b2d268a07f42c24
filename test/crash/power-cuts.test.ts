import { expect, test } from 'bun:test';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawnServer } from '../support/process.ts';
import { ON_FAULTY_DISK } from '../torture/faulty-disk.ts';
import { Ledger, makeGround, newFolder } from '../torture/ground.ts';
import { Power } from '../torture/power.ts';
import { cutPower, DISHONEST, HONEST } from '../torture/power-cuts.ts';

const quietly = () => {};

test('when the power is cut, nothing that was acknowledged is lost, doubled, half there or back again', async () => {
  const outcome = await cutPower(HONEST, 3, quietly);
  expect(outcome.faults).toEqual([]);
  expect(outcome.cuts).toBe(3);
  expect(outcome.syncs).toBeGreaterThan(20);
});

test('what commands have made in an empty data directory is there when the power is cut afterwards', async () => {
  const folder = newFolder();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const power = new Power(dataDir);
  power.on();
  const ground = await makeGround(dataDir, { KEEPER: power.socket }, ON_FAULTY_DISK);
  expect(power.syncs).toBeGreaterThan(10);
  power.restore();
  power.close();
  const server = await spawnServer(dataDir);
  const ledger = new Ledger();
  expect(await ledger.post(server, ground.formId, 1_000)).toBe(true);
  expect(await ledger.compare(server, ground)).toEqual({ missing: [], stored: 1 });
  expect(await server.end()).toBe(0);
  rmSync(folder, { recursive: true });
});

// The other dishonest disks are for `bun run torture`.
test.each(DISHONEST.filter(({ what }) => ['the log, by our own descriptor', 'uploaded files'].includes(what)))(
  'where syncs of $what do nothing, something is lost',
  async (disk) => {
    const { faults } = await cutPower(disk, 100, quietly);
    expect(faults).not.toEqual([]);
    // A wait that was given up lost nothing.
    expect(faults.join()).not.toContain('gave up');
  },
);
