import { expect } from 'bun:test';
import { maskPayload } from '../../../../src/domain/masking/masking.ts';
import type { PayloadValue } from '../../../../src/domain/submissions/submission.ts';

export const VISA = '4242 4242 4242 4242';
export const MASKED_VISA = '************4242';

export const mask = (value: PayloadValue, fieldName = 'message') => maskPayload([[fieldName, value]])[0]?.[1];
export const expectUnmasked = (text: string, fieldName = 'message'): void => expect(mask(text, fieldName)).toBe(text);

export type Random = { between(from: number, to: number): number; pick<Item>(items: readonly Item[]): Item };

/** Creates a Mulberry32 generator: the same seed gives the same numbers. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { between, pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item };
}

export function digits(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.between(0, 9)).join('');
}

/** Appends the Luhn check digit. */
export function withCheckDigit(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return body + ((10 - (sum % 10)) % 10);
}

export function grouped(number: string, sizes: readonly number[], separator: string): string {
  let at = 0;
  return sizes
    .map((size) => {
      at += size;
      return number.slice(at - size, at);
    })
    .join(separator);
}
