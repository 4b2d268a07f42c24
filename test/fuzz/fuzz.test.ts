import { expect, test } from 'bun:test';
import { tryOut } from './target.ts';
import { TARGETS } from './targets.ts';

/** A hundredth of a long run, and of those that are slow at least some. */
test.each(TARGETS.map((target) => [target.name, target] as const))(
  '%s: nothing that strangers send breaks it',
  async (_, target) => {
    const { failures, outcomes } = await tryOut(target, { seed: 1, inputs: Math.ceil(target.inputs / 100) });
    expect(failures).toEqual([]);
    expect(outcomes.size).toBeGreaterThan(0);
  },
  60_000,
);
