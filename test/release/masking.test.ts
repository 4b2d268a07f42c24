import { expect, test } from 'bun:test';
import { FAMILIES, instance } from '../../.ci/masking/other-numbers.ts';
import { mask, randomFrom } from '../fast/domain/masking/support.ts';

const COUNT = 10_000;
const random = randomFrom(2);

test.each(Object.entries(FAMILIES))('at most 0.5 %% of 10,000 numbers such as %s are masked', (_, shapes) => {
  const texts = Array.from({ length: COUNT }, () => `No. ${instance(random, random.pick(shapes))} ok`);
  expect(texts.filter((text) => mask(text) !== text).length).toBeLessThanOrEqual(0.005 * COUNT);
});
