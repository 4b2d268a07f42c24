import { describe, expect, test } from 'bun:test';
import { FAMILIES, instance } from '../../../../.ci/masking/other-numbers.ts';
import { mask, randomFrom } from './support.ts';

describe('other numbers', () => {
  const random = randomFrom(2);
  for (const [name, shapes] of Object.entries(FAMILIES)) {
    // test/release checks more of them.
    test(`such as ${name} are masked in at most 0.5 %`, () => {
      const masked = Array.from({ length: 2_000 }, () => `No. ${instance(random, random.pick(shapes))} ok`).filter(
        (text) => mask(text) !== text,
      );
      expect(masked.length).toBeLessThanOrEqual(10);
    });
  }
});
