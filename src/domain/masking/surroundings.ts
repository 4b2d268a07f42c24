import { BREAK, isDigit, isOfWords, LETTER, MONEY, PLUS, SPACE } from './characters.ts';
import type { DigitGroups } from './digit-groups.ts';
import { AMOUNT_AFTER, AMOUNT_BEFORE, CURRENCY_WORD } from './words.ts';

/** How far off a word may stand. */
const NEAR = 32;

/** Whether a word stands shortly before the groups from `group` to before `end`, or shortly after. */
export function isBesideWord(groups: DigitGroups, group: number, end: number, word: RegExp): boolean {
  const { text } = groups;
  const from = groups.start(group);
  const to = groups.end(end - 1);
  return word.test(text.slice(Math.max(0, from - NEAR), from)) || word.test(text.slice(to, to + NEAR));
}

/** Whether Latin letters hang directly on the digits, other than a currency or a word that says what they are. */
export function isPartOfWord(groups: DigitGroups, group: number, end: number, word: RegExp): boolean {
  const { text } = groups;
  const start = groups.start(group);
  let from = start;
  while (start - from < NEAR && isOfWords(groups.kindAt(from - 1))) from--;
  if (from < start && isOtherWord(text.slice(from, start), isDigit(groups.kindAt(from - 1)), word)) return true;
  const stop = groups.end(end - 1);
  let to = stop;
  while (to - stop < NEAR && isOfWords(groups.kindAt(to))) to++;
  return to > stop && isOtherWord(text.slice(stop, to), isDigit(groups.kindAt(to)), word);
}

/** Underscores alone are emphasis, unless a digit beyond them makes them a part of a token. */
function isOtherWord(attached: string, isToken: boolean, word: RegExp): boolean {
  if (/^_+$/.test(attached)) return isToken;
  return !word.test(attached) && !CURRENCY_WORD.test(attached);
}

/** Whether a plus stands directly before, as before a phone number. */
export function isAfterPlus(groups: DigitGroups, group: number): boolean {
  return groups.kindAt(groups.start(group) - 1) === PLUS;
}

/**
 * Whether a number with separators of this kind goes on before `group`; a date, an amount of money or a word that ends in
 * digits ends it.
 */
export function isJoinedBefore(groups: DigitGroups, group: number, kind: number): boolean {
  if (kind === BREAK || groups.joint(group) !== kind) return false;
  return kind !== SPACE || !isOfItsOwn(groups, group - 1, groups.joint(group - 1));
}

/** Whether it goes on with the group `end`, likewise. */
export function isJoinedAfter(groups: DigitGroups, end: number, kind: number): boolean {
  if (kind === BREAK || groups.joint(end) !== kind) return false;
  return kind !== SPACE || !isOfItsOwn(groups, end, groups.joint(end + 1));
}

/** Whether a group is part of something else than the number a space away from it, as its other side tells. */
function isOfItsOwn(groups: DigitGroups, group: number, joint: number): boolean {
  if (joint !== BREAK) return (joint & SPACE) === 0;
  const { text } = groups;
  const from = groups.start(group);
  const to = groups.end(group);
  if (isOfWords(groups.kindAt(from - 1)) || isOfWords(groups.kindAt(to))) return true;
  return (
    (mayBeMoney(groups, from - 1, from - 2) && AMOUNT_BEFORE.test(text.slice(Math.max(0, from - 5), from))) ||
    (mayBeMoney(groups, to, to + 1) && AMOUNT_AFTER.test(text.slice(to, to + 5)))
  );
}

/** Whether what stands beside digits, or beyond a space there, is of an amount or a currency; spares trying a pattern. */
function mayBeMoney(groups: DigitGroups, beside: number, beyond: number): boolean {
  const kind = groups.kindAt(groups.kindAt(beside) === SPACE ? beyond : beside);
  return kind === LETTER || kind === MONEY;
}
