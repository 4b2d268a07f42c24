import { BREAK } from './characters.ts';
import type { DigitRow } from './digit-row.ts';
import type { FieldName } from './field-name.ts';
import { isAfterPlus, isJoinedAfter, isJoinedBefore, isPartOfWord } from './surroundings.ts';
import { SSN_WORD } from './words.ts';

/**
 * Whether the nine digits from `first`, which begins a group, are a US social security number that may have been
 * issued: grouped 3-2-4 with one kind of separator, or bare in a field named so.
 */
export function isSsn(row: DigitRow, first: number, field: FieldName): boolean {
  const group = first + 3;
  const serial = first + 5;
  const end = first + 9;
  const firstEnd = row.groupEnd(first);
  const isBare = firstEnd === end;
  if (!isBare && !(firstEnd === group && isGrouped(row, first))) return false;
  const area = row.number(first, group);
  if (area === 0 || area === 666 || area >= 900) return false;
  if (row.number(group, serial) === 0 || row.number(serial, end) === 0) return false;
  const kind = row.joint(group);
  if (isBare ? !field.isOfSsns() : isJoinedBefore(row, first, kind) || isJoinedAfter(row, end, kind)) return false;
  return !isAfterPlus(row, first) && !isPartOfWord(row, first, end, SSN_WORD);
}

function isGrouped(row: DigitRow, first: number): boolean {
  const kind = row.joint(first + 3);
  if (kind === BREAK || row.joint(first + 5) !== kind) return false;
  return row.groupEnd(first + 3) === first + 5 && row.groupEnd(first + 5) === first + 9;
}
