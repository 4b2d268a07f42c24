import { expect, test } from 'bun:test';
import { cutAfterPurge, cutDuringPurges, SPOILED, UNSPOILED } from '../../.ci/torture/purges.ts';
import { UNSYNCED_TRUNCATION } from '../../.ci/torture/purging.ts';

test('kills and power cuts during purges lose nothing, and leave no copies of what was erased', async () => {
  const outcome = await cutDuringPurges(UNSPOILED, 3);
  expect(outcome.faults).toEqual([]);
  expect(outcome.cuts).toBe(3);
});

test('a power cut right after a purge does not bring back the log with an erased row', async () => {
  expect(await cutAfterPurge('')).toEqual([]);
});

test('the erased row comes back if the truncation of the log is not synced', async () => {
  const found = await cutAfterPurge(UNSYNCED_TRUNCATION);
  expect(found).toEqual(['formstead.db-wal after the cut', 'formstead.db after the recovery']);
});

// `bun run bench torture` runs the other defects.
test('a purge that overwrites a byte in use is found', async () => {
  const defect = 'the last byte of a row is overwritten';
  const spoiling = SPOILED.find((one) => one.defect === defect) ?? UNSPOILED;
  const { faults } = await cutDuringPurges(spoiling, 40);
  expect(faults).not.toEqual([]);
  // A timed-out wait is no loss.
  expect(faults.join()).not.toContain('gave up');
});
