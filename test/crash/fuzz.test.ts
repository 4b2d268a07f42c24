import { expect, test } from 'bun:test';
import { runTarget } from '../../.ci/fuzz/target.ts';
import { TARGETS } from '../../.ci/fuzz/targets.ts';

/** Runs 1/200 of the inputs of `bun run bench fuzz`. */
test.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: no fuzzed input breaks it',
  async (_, target) => {
    const { failures, outcomes } = await runTarget(target, { seed: 1, inputs: Math.ceil(target.inputs / 200) });
    expect(failures).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(0);
  },
);
