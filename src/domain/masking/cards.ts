import { isIssued, isPrefix, LONGEST_CARD, SHORTEST_CARD, wasIssued } from './brands.ts';
import { BREAK, DOT } from './characters.ts';
import { DIRECT, type DigitRow } from './digit-row.ts';
import type { FieldName } from './field-name.ts';
import { isAfterPlus, isJoinedAfter, isJoinedBefore, isPartOfWord, textBeside } from './surroundings.ts';
import { CARD_WORD } from './words.ts';

/** Groupings so usual that they are seen for a card even among other digits, as before an expiry date. */
const USUAL_GROUPINGS = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 1],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 3],
  [4, 6, 4],
  [4, 6, 5],
];
/** What parcel numbers of 20 and 22 digits begin with at USPS, FedEx and DHL, whose two zeros are read as one. */
const PARCEL_HEADS = /^(?:0|61|70|9\d)$/;
const UPS_HEAD = /1z[ -]?$/i;
/** Of Amazon's order numbers. */
const ORDER_GROUPING = [3, 7, 7];

/**
 * How many digits from `first`, which begins a group, are a card number (PAN); 0 if none are. It is whole groups with
 * one kind of separator between them. Of several readings the longest hides the most.
 */
export function cardLength(row: DigitRow, first: number, field: FieldName): number {
  const prefix = row.number(first, first + 4);
  if (!isPrefix(prefix)) return 0;
  let end = row.groupEnd(first);
  const kind = row.joint(end);
  // Spares most of the time in a text of many short groups: what `hasPlausibleGrouping` would refuse at every end.
  if (end - first !== 4 && end - first < SHORTEST_CARD && isJoinedBefore(row, first, kind)) return 0;
  let found = 0;
  while (end - first <= LONGEST_CARD) {
    const length = end - first;
    const isCurrent = isIssued(prefix, length);
    if ((isCurrent || wasIssued(prefix, length)) && passesLuhn(row, first, end) && standsAlone(row, first, end)) {
      if (isCurrent || field.isOfCards() || isBesideCardWord(row, first, end)) found = length;
    }
    if (kind === BREAK || row.joint(end) !== kind) break;
    end = row.groupEnd(end);
  }
  return found;
}

function isBesideCardWord(row: DigitRow, first: number, end: number): boolean {
  return textBeside(row, first, end).some((text) => CARD_WORD.test(text));
}

function passesLuhn(row: DigitRow, first: number, end: number): boolean {
  let sum = 0;
  for (let at = first; at < end; at++) {
    const weighted = row.digit(at) * ((end - at) % 2 === 0 ? 2 : 1);
    sum += weighted > 9 ? weighted - 9 : weighted;
  }
  return sum % 10 === 0;
}

/** Whether these digits are no part of a token, of a phone or parcel number or of a longer number. */
function standsAlone(row: DigitRow, first: number, end: number): boolean {
  if (isAfterPlus(row, first) && end - first <= 15) return false;
  return (
    hasPlausibleGrouping(row, first, end) && !isAfterUpsHead(row, first) && !isPartOfWord(row, first, end, CARD_WORD)
  );
}

function hasPlausibleGrouping(row: DigitRow, first: number, end: number): boolean {
  const groupEnd = row.groupEnd(first);
  if (groupEnd === end) return row.joint(first) !== DOT; // 0.4242424242424242
  const kind = row.joint(groupEnd);
  if (!isJoinedBefore(row, first, kind) && !isJoinedAfter(row, end, kind)) {
    return !row.isGrouped(first, end, ORDER_GROUPING);
  }
  return USUAL_GROUPINGS.some((sizes) => row.isGrouped(first, end, sizes)) && !isAfterParcelHead(row, first);
}

/** Whether the group in front is the first of a parcel number in fours such as `9400 1112 0255 5123 4567 89`. */
function isAfterParcelHead(row: DigitRow, first: number): boolean {
  const head = first - 4;
  const joint = row.joint(first);
  if (joint === BREAK || row.joint(head) === DIRECT || row.groupEnd(head) !== first) return false;
  if (row.joint(head) === joint) return false;
  return PARCEL_HEADS.test(String(row.number(head, head + 2)));
}

/** Whether a parcel number of UPS goes on here, such as `1Z 999 123 01 2345 6784`. */
function isAfterUpsHead(row: DigitRow, first: number): boolean {
  const start = row.start(first);
  return start > 1 && row.joint(first) === BREAK && UPS_HEAD.test(row.text.slice(Math.max(0, start - 3), start));
}
