import { expect, test } from 'bun:test';
import { cutDuringPurges, SPOILED, UNSPOILED } from '../torture/purges.ts';

test('kills and power cuts during purges lose nothing, and leave no copies of what was erased', async () => {
  const outcome = await cutDuringPurges(UNSPOILED, 4);
  expect(outcome.faults).toEqual([]);
  expect(outcome.cuts).toBe(4);
});

// `bun run torture` runs the other defects.
test('a purge that overwrites a byte in use is found', async () => {
  const defect = 'the last byte of a row is overwritten';
  const spoiling = SPOILED.find((one) => one.defect === defect) ?? UNSPOILED;
  const { faults } = await cutDuringPurges(spoiling, 40);
  expect(faults).not.toEqual([]);
  // A timed-out wait is no loss.
  expect(faults.join()).not.toContain('gave up');
});
