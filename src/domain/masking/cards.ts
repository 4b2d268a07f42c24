import { isIssued, isPrefix, MAX_CARD_LENGTH, MIN_CARD_LENGTH, wasIssued } from './card-prefixes.ts';
import { BREAK, DOT } from './characters.ts';
import type { DigitGroups } from './digit-groups.ts';
import { isAfterPlus, isBesideWord, isJoinedAfter, isJoinedBefore, isPartOfWord } from './surroundings.ts';
import { CARD_WORD, type FieldName } from './words.ts';

/** Common groupings, recognized even next to other digits such as an expiry date. */
const USUAL_GROUPINGS = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 1],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 3],
  [4, 6, 4],
  [4, 6, 5],
];
/** Grouping of Amazon order numbers. */
const ORDER_GROUPING = [3, 7, 7];

/** Contribution of a doubled digit to the Luhn sum. */
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

/**
 * Returns the number of groups from `group` that form a card number (PAN) with one kind of separator, or 0. Picks the
 * longest match, which masks the most.
 */
export function cardGroups(groups: DigitGroups, group: number, field: FieldName): number {
  const kind = groups.joint(group + 1);
  if (kind !== BREAK && !mayBeginAmongOthers(groups, group) && isJoinedBefore(groups, group, kind)) return 0;
  const prefix = groups.number(groups.first(group), 4);
  if (!isPrefix(prefix)) return 0;
  let longest = 0;
  for (let end = group + 1; ; end++) {
    const length = groups.size(group, end);
    if (length > MAX_CARD_LENGTH) break;
    const isCurrent = isIssued(prefix, length);
    if ((isCurrent || wasIssued(prefix, length)) && passesLuhn(groups, group, end) && standsAlone(groups, group, end)) {
      if (isCurrent || field.isForCards() || isBesideWord(groups, group, end, CARD_WORD)) longest = end - group;
    }
    if (kind === BREAK || groups.joint(end) !== kind) break;
  }
  return longest;
}

/**
 * Rejects early, for texts of many short groups, a start that `hasPlausibleGrouping` would reject for every end.
 * Requires a following group.
 */
function mayBeginAmongOthers(groups: DigitGroups, group: number): boolean {
  const size = groups.size(group);
  const next = groups.size(group + 1);
  return size >= MIN_CARD_LENGTH || (size === 4 && (next === 4 || next === 6));
}

/** Checks the Luhn sum, which doubles every second digit from the right, not including the last. */
function passesLuhn(groups: DigitGroups, group: number, end: number): boolean {
  const first = groups.first(group);
  const length = groups.size(group, end);
  let sum = length % 2 === 0 ? 0 : groups.digit(first);
  for (let at = first + (length % 2); at < first + length; at += 2) {
    sum += (DOUBLED[groups.digit(at)] ?? 0) + groups.digit(at + 1);
  }
  return sum % 10 === 0;
}

/** Reports whether the digits are not part of a token, a phone or parcel number, or a longer number. */
function standsAlone(groups: DigitGroups, group: number, end: number): boolean {
  if (isAfterPlus(groups, group) && groups.size(group, end) <= 15) return false;
  if (!hasPlausibleGrouping(groups, group, end) || isAfterUpsHead(groups, group)) return false;
  return !isPartOfWord(groups, group, end, CARD_WORD);
}

function hasPlausibleGrouping(groups: DigitGroups, group: number, end: number): boolean {
  if (end === group + 1) return groups.joint(group) !== DOT; // 0.4242424242424242
  const kind = groups.joint(group + 1);
  if (!isJoinedBefore(groups, group, kind) && !isJoinedAfter(groups, end, kind)) {
    return !groups.haveSizes(group, end, ORDER_GROUPING);
  }
  return USUAL_GROUPINGS.some((sizes) => groups.haveSizes(group, end, sizes)) && !isAfterParcelHead(groups, group);
}

/**
 * Reports whether the preceding group starts a parcel number in groups of four such as `9400 1112 0255 5123 4567 89`.
 * USPS, FedEx and DHL numbers of 20 and 22 digits start with 00, 61, 70 or 9.
 */
function isAfterParcelHead(groups: DigitGroups, group: number): boolean {
  const joint = groups.joint(group);
  const before = group - 1;
  if (joint === BREAK || groups.size(before) !== 4 || groups.joint(before) === joint) return false;
  const head = groups.number(groups.first(before), 2);
  return head === 0 || head === 61 || head === 70 || head >= 90;
}

/** Reports whether a UPS parcel number such as `1Z 999 123 01 2345 6784` continues here. */
function isAfterUpsHead(groups: DigitGroups, group: number): boolean {
  const { text } = groups;
  let at = groups.start(group) - 1;
  if (at > 1 && (text[at] === ' ' || text[at] === '-')) at--;
  return at > 0 && text[at - 1] === '1' && (text[at] === 'Z' || text[at] === 'z');
}
