import { expect, test } from 'bun:test';
import { runTarget } from '../fuzz/target.ts';
import { TARGETS } from '../fuzz/targets.ts';

/** A two hundredth of a long run. */
test.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: nothing that strangers send breaks it',
  async (_, target) => {
    const { failures, outcomes } = await runTarget(target, { seed: 1, inputs: Math.ceil(target.inputs / 200) });
    expect(failures).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(0);
  },
);
