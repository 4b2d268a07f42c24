import { BREAK, COMMA, CURRENCY_SIGN, isDigit, isOfCurrencies, isOfWords, PLUS, SPACE } from './characters.ts';
import type { DigitGroups } from './digit-groups.ts';
import { CURRENCY_AFTER, CURRENCY_BEFORE, CURRENCY_WORD } from './words.ts';

/** How far off a word may stand. */
const NEAR = 32;

/** Whether such a word, which has no digits, stands shortly before the groups from `group` to before `end` or after. */
export function isBesideWord(groups: DigitGroups, group: number, end: number, word: RegExp): boolean {
  return word.test(groups.text.slice(Math.max(0, groups.start(group) - NEAR), groups.end(end - 1) + NEAR));
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
  if (isOfWords(groups.kindAt(groups.start(group) - 1)) || isOfWords(groups.kindAt(groups.end(group)))) return true;
  return isAfterMoney(groups, group) || isBeforeMoney(groups, group);
}

/** Whether a group follows on a currency, or ends an amount such as `10,50`. */
function isAfterMoney(groups: DigitGroups, group: number): boolean {
  const { text } = groups;
  const from = groups.start(group);
  const beside = groups.kindAt(from - 1);
  if (beside === COMMA) return group > 0 && groups.end(group - 1) === from - 1;
  const kind = beside === SPACE ? groups.kindAt(from - 2) : beside;
  if (kind === CURRENCY_SIGN) return text[from - 1] !== '\t';
  return isOfCurrencies(kind) && CURRENCY_BEFORE.test(text.slice(Math.max(0, from - 5), from));
}

/** Whether a currency follows on a group, or the rest of such an amount. */
function isBeforeMoney(groups: DigitGroups, group: number): boolean {
  const { text } = groups;
  const to = groups.end(group);
  const beside = groups.kindAt(to);
  if (beside === COMMA) return group + 1 < groups.count && groups.start(group + 1) === to + 1;
  const kind = beside === SPACE ? groups.kindAt(to + 1) : beside;
  if (kind === CURRENCY_SIGN) return text[to] !== '\t';
  return isOfCurrencies(kind) && CURRENCY_AFTER.test(text.slice(to, to + 5));
}
