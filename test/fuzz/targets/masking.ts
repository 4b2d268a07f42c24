import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { maskPayload } from '../../../src/domain/masking.ts';
import type { PayloadValue } from '../../../src/domain/submission.ts';
import { grouped, mask, withCheckDigit } from '../../fast/domain/masking/support.ts';
import { damagedText } from '../accidents.ts';
import type { Choices, Dice } from '../dice.ts';
import { NAMES, VALUES } from '../hostile.ts';
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
/** What a number is written with, and the stars in its place. */
const NUMBERS = /[\p{Nd}\p{Zs}\p{Cf}*./-]/gu;

const DIGIT_SETS: Choices<number> = [0x30, 0x30, 0x30, 0xff10, 0x660, 0x1d7d8];

export const masking: Target = {
  name: 'masking',
  about: 'no card number in a usual writing is left, and nothing but numbers is lost',
  inputs: 400_000,
  open: () => ({
    check: (dice) => [checkCard, checkCard, checkSoup, checkTree][dice.below(4)]?.(dice) ?? 'nothing',
  }),
};

/** A card as people write it, between what they write. */
function checkCard(dice: Dice): string {
  const [prefix, length, groups] = dice.pick(CARDS);
  const body = prefix + Array.from({ length: length - 1 - prefix.length }, () => dice.below(10)).join('');
  const pan = withCheckDigit(body);
  const separator = dice.pick(SEPARATORS);
  const written = inDigits(grouped(pan, groups, separator), dice.pick(DIGIT_SETS));
  const [before, after] = [dice.pick(BEFORE), dice.pick(AFTER)];
  const masked = maskedText(before + written + after, 'message');
  ok(!digitsOf(masked).includes(pan), `${JSON.stringify(before + written + after)} became ${JSON.stringify(masked)}`);
  ok(masked.startsWith(before) && masked.endsWith(pan.slice(-4) + after), `${JSON.stringify(masked)} lost more`);
  strictEqual(maskedText(masked, 'message'), masked);
  return 'a card';
}

/** Whatever it is, nothing but digits and what stands between them is lost. */
function checkSoup(dice: Dice): string {
  const text = dice.once(3)
    ? damagedText('4242 4242 4242 4242, 123-45-6789, DE89 3704 0044 0532 0130 00', dice, 1 + dice.below(4), SOUP)
    : Array.from({ length: dice.below(60) }, () => dice.pick(SOUP)).join('');
  const name = dice.pick(['message', 'ssn', 'card', '']);
  const masked = maskedText(text, name);
  strictEqual(masked.replace(NUMBERS, ''), text.replace(NUMBERS, ''), 'it lost more than a number');
  return masked === text ? 'nothing to mask' : 'something was masked';
}

/** Values at any depth. */
function checkTree(dice: Dice): string {
  const payload = dice.list(4, () => [dice.pick(NAMES), tree(dice, 3)] as const);
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

function tree(dice: Dice, depth: number): PayloadValue {
  const kind = dice.below(depth > 0 ? 8 : 6);
  if (kind === 0) return '4242424242424242';
  if (kind === 1) return dice.pick([4242424242424242, 1.5, -1, 1e300, 0, dice.below(2 ** 32)]);
  if (kind === 2) return dice.pick([true, false, null]);
  if (kind < 6) return dice.pick(VALUES);
  if (kind === 6) return dice.list(3, () => tree(dice, depth - 1));
  return Object.fromEntries(dice.list(3, () => [dice.pick(NAMES), tree(dice, depth - 1)]));
}

/** A number may have become a text; nothing else changes its kind, and no list or object its length and keys. */
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

/** The digits of a text in a row, whatever script they are of. */
function digitsOf(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
    .replace(/\D/g, '');
}
