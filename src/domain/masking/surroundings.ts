import { BREAK, COMMA, CURRENCY_SIGN, isCurrencyPart, isDigit, isWordPart, PLUS, SPACE } from './characters.ts';
import type { DigitGroups } from './digit-groups.ts';
import { CURRENCY_AFTER, CURRENCY_BEFORE, CURRENCY_WORD } from './words.ts';

/** Maximum distance of a word, in characters. */
const MAX_DISTANCE = 32;

/** Reports whether `word`, which has no digits, occurs shortly before or after the groups from `group` up to `end`. */
export function isBesideWord(groups: DigitGroups, group: number, end: number, word: RegExp): boolean {
  return word.test(
    groups.text.slice(Math.max(0, groups.start(group) - MAX_DISTANCE), groups.end(end - 1) + MAX_DISTANCE),
  );
}

/** Reports whether letters are attached to the digits, other than a currency or `word`. */
export function isPartOfWord(groups: DigitGroups, group: number, end: number, word: RegExp): boolean {
  const { text } = groups;
  const start = groups.start(group);
  let from = start;
  while (start - from < MAX_DISTANCE && isWordPart(groups.kindAt(from - 1))) from--;
  if (from < start && isOtherWord(text.slice(from, start), isDigit(groups.kindAt(from - 1)), word)) return true;
  const stop = groups.end(end - 1);
  let to = stop;
  while (to - stop < MAX_DISTANCE && isWordPart(groups.kindAt(to))) to++;
  return to > stop && isOtherWord(text.slice(stop, to), isDigit(groups.kindAt(to)), word);
}

/** Reports whether attached letters make a token. Underscores alone are emphasis, unless a digit follows them. */
function isOtherWord(attached: string, isToken: boolean, word: RegExp): boolean {
  if (/^_+$/.test(attached)) return isToken;
  return !word.test(attached) && !CURRENCY_WORD.test(attached);
}

/** Reports whether a plus precedes the group, as in phone numbers. */
export function isAfterPlus(groups: DigitGroups, group: number): boolean {
  return groups.kindAt(groups.start(group) - 1) === PLUS;
}

/**
 * Reports whether the number extends before `group` with separators of this kind. A date, an amount of money or a word
 * with trailing digits does not belong to it.
 */
export function isJoinedBefore(groups: DigitGroups, group: number, kind: number): boolean {
  if (kind === BREAK || groups.joint(group) !== kind) return false;
  return kind !== SPACE || !belongsElsewhere(groups, group - 1, groups.joint(group - 1));
}

/** Reports whether the number extends to the group `end`, by the same rules. */
export function isJoinedAfter(groups: DigitGroups, end: number, kind: number): boolean {
  if (kind === BREAK || groups.joint(end) !== kind) return false;
  return kind !== SPACE || !belongsElsewhere(groups, end, groups.joint(end + 1));
}

/** Reports whether a group next to a number, separated by a space, belongs to something else on its other side. */
function belongsElsewhere(groups: DigitGroups, group: number, joint: number): boolean {
  if (joint !== BREAK) return (joint & SPACE) === 0;
  if (isWordPart(groups.kindAt(groups.start(group) - 1)) || isWordPart(groups.kindAt(groups.end(group)))) return true;
  return isAfterMoney(groups, group) || isBeforeMoney(groups, group);
}

/** Reports whether a currency precedes the group, or the group ends an amount such as `10,50`. */
function isAfterMoney(groups: DigitGroups, group: number): boolean {
  const { text } = groups;
  const from = groups.start(group);
  const beside = groups.kindAt(from - 1);
  if (beside === COMMA) return group > 0 && groups.end(group - 1) === from - 1;
  const kind = beside === SPACE ? groups.kindAt(from - 2) : beside;
  if (kind === CURRENCY_SIGN) return text[from - 1] !== '\t';
  return isCurrencyPart(kind) && CURRENCY_BEFORE.test(text.slice(Math.max(0, from - 5), from));
}

/** Reports whether a currency or the decimals of such an amount follow the group. */
function isBeforeMoney(groups: DigitGroups, group: number): boolean {
  const { text } = groups;
  const to = groups.end(group);
  const beside = groups.kindAt(to);
  if (beside === COMMA) return group + 1 < groups.count && groups.start(group + 1) === to + 1;
  const kind = beside === SPACE ? groups.kindAt(to + 1) : beside;
  if (kind === CURRENCY_SIGN) return text[to] !== '\t';
  return isCurrencyPart(kind) && CURRENCY_AFTER.test(text.slice(to, to + 5));
}
