import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { maskPayload } from '../../../src/domain/masking/masking.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';
import { grouped, mask, withCheckDigit } from '../../../test/fast/domain/masking/support.ts';
import { NAMES, VALUES } from '../hostile.ts';
import { mutatedText } from '../mutations.ts';
import type { Choices, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const CARDS: Choices<readonly [prefix: string, length: number, groups: readonly number[]]> = [
  ['4', 16, [4, 4, 4, 4]],
  ['51', 16, [4, 4, 4, 4]],
  ['2221', 16, [4, 4, 4, 4]],
  ['34', 15, [4, 6, 5]],
  ['36', 14, [4, 6, 4]],
  ['6011', 16, [4, 4, 4, 4]],
  ['3528', 16, [4, 4, 4, 4]],
  ['62', 19, [4, 4, 4, 4, 3]],
];

const SEPARATORS: Choices<string> = ['', ' ', '\u00a0', '\u202f', '-', '–', '\u2011', '.'];

const BEFORE: Choices<string> = [
  '',
  'my card is ',
  '"',
  '(',
  'カード番号は',
  'é: ',
  'a\n',
  '<b>',
  '12.05.2024 ',
  '=',
  '😀',
  '\0',
  '#',
];
const AFTER: Choices<string> = [
  '',
  ', thanks',
  '"',
  ')',
  'です',
  '\n1',
  '</b>',
  ' 12/27 123',
  '!',
  '😀',
  '\0',
  ' and more',
];
const SOUP: Choices<string> = [
  ...(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'] as const),
  '0',
  '4242',
  '378282246310005',
  ' ',
  '-',
  '.',
  '/',
  '\u200b',
  '٤',
  '𝟜',
  '+',
  'a',
  '\n',
  ', ',
];
/** Characters of a written number, including the mask. */
const NUMBERS = /[\p{Nd}\p{Zs}\p{Cf}*./-]/gu;

const DIGIT_SETS: Choices<number> = [0x30, 0x30, 0x30, 0xff10, 0x660, 0x1d7d8];

export const masking: Target = {
  name: 'masking',
  about: 'no card number in usual notation remains, and nothing but numbers is changed',
  inputs: 400_000,
  open: () => ({ check: (prng) => [checkCard, checkCard, checkSoup, checkTree][prng.below(4)]?.(prng) ?? 'nothing' }),
};

/** Checks that a card number with usual grouping inside a text is masked. */
function checkCard(prng: Prng): string {
  const [prefix, length, groups] = prng.pick(CARDS);
  const body = prefix + Array.from({ length: length - 1 - prefix.length }, () => prng.below(10)).join('');
  const pan = withCheckDigit(body);
  const separator = prng.pick(SEPARATORS);
  const written = inDigits(grouped(pan, groups, separator), prng.pick(DIGIT_SETS));
  const [before, after] = [prng.pick(BEFORE), prng.pick(AFTER)];
  const masked = maskedText(before + written + after, 'message');
  ok(!digitsOf(masked).includes(pan), `${JSON.stringify(before + written + after)} became ${JSON.stringify(masked)}`);
  ok(masked.startsWith(before) && masked.endsWith(pan.slice(-4) + after), `${JSON.stringify(masked)} lost more`);
  strictEqual(maskedText(masked, 'message'), masked);
  return 'a card';
}

/** Checks that masking changes only digits and the separators between them. */
function checkSoup(prng: Prng): string {
  const text = prng.oneIn(3)
    ? mutatedText('4242 4242 4242 4242, 123-45-6789, DE89 3704 0044 0532 0130 00', prng, 1 + prng.below(4), SOUP)
    : Array.from({ length: prng.below(60) }, () => prng.pick(SOUP)).join('');
  const name = prng.pick(['message', 'ssn', 'card', '']);
  const masked = maskedText(text, name);
  strictEqual(masked.replace(NUMBERS, ''), text.replace(NUMBERS, ''), 'it lost more than a number');
  return masked === text ? 'nothing to mask' : 'something was masked';
}

/** Generates nested values. */
function checkTree(prng: Prng): string {
  const payload = prng.list(4, () => [prng.pick(NAMES), tree(prng, 3)] as const);
  const before = JSON.stringify(payload);
  const masked = maskPayload(payload);
  strictEqual(JSON.stringify(payload), before, 'the payload itself was changed');
  deepStrictEqual(
    masked.map(([name]) => name),
    payload.map(([name]) => name),
  );
  for (const [index, [, value]] of masked.entries()) ok(isAlike(value, payload[index]?.[1] ?? null), 'another shape');
  ok(!JSON.stringify(masked.map(([, value]) => value)).includes('"4242424242424242"'), 'a card is left');
  for (const [name, value] of masked) deepStrictEqual(mask(value, name), value);
  return 'a payload';
}

function tree(prng: Prng, depth: number): PayloadValue {
  const kind = prng.below(depth > 0 ? 8 : 6);
  if (kind === 0) return '4242424242424242';
  if (kind === 1) return prng.pick([4242424242424242, 1.5, -1, 1e300, 0, prng.below(2 ** 32)]);
  if (kind === 2) return prng.pick([true, false, null]);
  if (kind < 6) return prng.pick(VALUES);
  if (kind === 6) return prng.list(3, () => tree(prng, depth - 1));
  return Object.fromEntries(prng.list(3, () => [prng.pick(NAMES), tree(prng, depth - 1)]));
}

/** Checks that only numbers change their type, to strings, and that lists and objects keep their shape. */
function isAlike(masked: PayloadValue, value: PayloadValue): boolean {
  if (typeof value === 'string') return typeof masked === 'string';
  if (typeof value === 'number') return masked === value || typeof masked === 'string';
  if (value === null || typeof value !== 'object') return masked === value;
  if (masked === null || typeof masked !== 'object' || Array.isArray(masked) !== Array.isArray(value)) return false;
  const [ours, theirs] = [Object.entries(masked), Object.entries(value)];
  return (
    ours.length === theirs.length &&
    ours.every(([name, one], at) => name === theirs[at]?.[0] && isAlike(one, theirs[at][1]))
  );
}

function maskedText(text: string, fieldName: string): string {
  return String(mask(text, fieldName));
}

function inDigits(text: string, zero: number): string {
  return text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
}

/** Returns the digits of a text, of any script. */
function digitsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/\D/g, '');
}
