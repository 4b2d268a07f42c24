import { isIssued, LONGEST_CARD, SHORTEST_CARD, wasIssued } from './brands.ts';
import { BREAK, DOT } from './characters.ts';
import type { DigitRow } from './digit-row.ts';
import { isAfterPlus, isJoinedAfter, isJoinedBefore, isPartOfWord, textBeside } from './surroundings.ts';
import { CARD_WORD } from './words.ts';

/** Groupings so usual that they are seen for a card even among other digits, as before an expiry date. */
const USUAL_GROUPING = /^4-(?:4-4-4(?:-[123])?|6-[45])$/;
/** Of Amazon's order numbers. */
const ORDER_GROUPING = '3-7-7';

/**
 * How many digits from `first`, which begins a group, are a card number (PAN); 0 if none are. It is whole groups with
 * one kind of separator between them. Of several readings the longest hides the most.
 */
export function cardLength(row: DigitRow, first: number, fieldName: string): number {
  const prefix = row.number(first, first + 4);
  let end = row.groupEnd(first);
  const kind = row.joint(end);
  // Spares most of the time in a text of many short groups: what `hasPlausibleGrouping` would refuse at every end.
  if (end - first !== 4 && end - first < SHORTEST_CARD && isJoinedBefore(row, first, kind)) return 0;
  let found = 0;
  while (end - first <= LONGEST_CARD) {
    const length = end - first;
    const isCurrent = isIssued(prefix, length);
    if ((isCurrent || wasIssued(prefix, length)) && passesLuhn(row, first, end) && standsAlone(row, first, end)) {
      if (isCurrent || isBesideCardWord(row, first, end, fieldName)) found = length;
    }
    if (kind === BREAK || row.joint(end) !== kind) break;
    end = row.groupEnd(end);
  }
  return found;
}

function isBesideCardWord(row: DigitRow, first: number, end: number, fieldName: string): boolean {
  return [...textBeside(row, first, end), fieldName].some((text) => CARD_WORD.test(text));
}

function passesLuhn(row: DigitRow, first: number, end: number): boolean {
  let sum = 0;
  for (let at = first; at < end; at++) {
    const weighted = row.digit(at) * ((end - at) % 2 === 0 ? 2 : 1);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Whether these digits are no part of a token, of a phone number or of a longer number. */
function standsAlone(row: DigitRow, first: number, end: number): boolean {
  if (isAfterPlus(row, first) && end - first <= 15) return false;
  return hasPlausibleGrouping(row, first, end) && !isPartOfWord(row, first, end, CARD_WORD);
}

function hasPlausibleGrouping(row: DigitRow, first: number, end: number): boolean {
  const groupEnd = row.groupEnd(first);
  if (groupEnd === end) return row.joint(first) !== DOT; // 0.4242424242424242
  const kind = row.joint(groupEnd);
  const grouping = row.grouping(first, end);
  if (!isJoinedBefore(row, first, kind) && !isJoinedAfter(row, end, kind)) return grouping !== ORDER_GROUPING;
  return USUAL_GROUPING.test(grouping) && !isAfterParcelHead(row, first);
}

/** Whether the group in front is the first of a parcel number such as `9400 1112 0255 5123 4567 89`. */
function isAfterParcelHead(row: DigitRow, first: number): boolean {
  const head = first - 4;
  const joint = row.joint(first);
  return joint !== BREAK && row.digit(head) === 9 && row.groupEnd(head) === first && row.joint(head) !== joint;
}
