import { BREAK, isDigit, isPlus, isWordCharacter, SPACE } from './characters.ts';
import type { DigitRow } from './digit-row.ts';
import { AMOUNT_AFTER, AMOUNT_BEFORE, CURRENCY_WORD } from './words.ts';

/** How far off a word may stand. */
const NEAR = 32;

/** The text shortly before the digits from `first` to `end`, and shortly after. */
export function textBeside(row: DigitRow, first: number, end: number): [before: string, after: string] {
  const from = row.start(first);
  const to = row.end(end - 1);
  return [row.text.slice(Math.max(0, from - NEAR), from), row.text.slice(to, to + NEAR)];
}

/** Whether Latin letters hang directly on the digits, other than a currency or a word that says what they are. */
export function isPartOfWord(row: DigitRow, first: number, end: number, word: RegExp): boolean {
  const { text } = row;
  const to = row.start(first);
  let from = to;
  while (to - from < NEAR && isWordCharacter(text, from - 1)) from--;
  const afterFrom = row.end(end - 1);
  let afterTo = afterFrom;
  while (afterTo - afterFrom < NEAR && isWordCharacter(text, afterTo)) afterTo++;
  const before = text.slice(from, to);
  const after = text.slice(afterFrom, afterTo);
  return isOtherWord(before, isDigit(text, from - 1), word) || isOtherWord(after, isDigit(text, afterTo), word);
}

/** Underscores alone are emphasis, unless a digit beyond them makes them a part of a token. */
function isOtherWord(attached: string, isToken: boolean, word: RegExp): boolean {
  if (/^_*$/.test(attached)) return isToken;
  return !word.test(attached) && !CURRENCY_WORD.test(attached);
}

/** Whether a plus stands directly before, as before a phone number. */
export function isAfterPlus(row: DigitRow, first: number): boolean {
  return isPlus(row.text, row.start(first) - 1);
}

/**
 * Whether a number with separators of this kind goes on before `first`; a date, an amount of money or a word that ends in
 * digits ends it.
 */
export function isJoinedBefore(row: DigitRow, first: number, kind: number): boolean {
  if (kind === BREAK || row.joint(first) !== kind) return false;
  if (kind !== SPACE) return true;
  const start = row.groupStart(first - 1);
  return !isOfItsOwn(row, start, first - 1, row.joint(start));
}

/** Whether it goes on after `end`, likewise. */
export function isJoinedAfter(row: DigitRow, end: number, kind: number): boolean {
  if (kind === BREAK || row.joint(end) !== kind) return false;
  if (kind !== SPACE) return true;
  const groupEnd = row.groupEnd(end);
  return !isOfItsOwn(row, end, groupEnd - 1, row.joint(groupEnd));
}

/** Whether a group of digits is part of something else than the number a space away from it, as its other side tells. */
function isOfItsOwn(row: DigitRow, first: number, last: number, joint: number): boolean {
  if (joint !== BREAK) return (joint & SPACE) === 0;
  const from = row.start(first);
  const to = row.end(last);
  if (isWordCharacter(row.text, from - 1) || isWordCharacter(row.text, to)) return true;
  return (
    AMOUNT_BEFORE.test(row.text.slice(Math.max(0, from - 5), from)) || AMOUNT_AFTER.test(row.text.slice(to, to + 5))
  );
}
