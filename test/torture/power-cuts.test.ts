import { expect, test } from 'bun:test';
import { cutPower, DISHONEST, HONEST } from './power-cuts.ts';

const quietly = () => {};

test('when the power is cut, nothing that was acknowledged is lost, doubled, half there or back again', async () => {
  const outcome = await cutPower(HONEST, 4, quietly);
  expect(outcome.faults).toEqual([]);
  expect(outcome.cuts).toBe(4);
  expect(outcome.syncs).toBeGreaterThan(20);
}, 60_000);

// The other dishonest disks are for `bun run torture`.
test.each(DISHONEST.filter(({ what }) => ['the log, by our own descriptor', 'uploaded files'].includes(what)))(
  'where syncs of $what do nothing, something is lost',
  async (disk) => {
    expect((await cutPower(disk, 100, quietly)).faults).not.toEqual([]);
  },
  120_000,
);
