import { BREAK } from './characters.ts';
import type { DigitGroups } from './digit-groups.ts';
import { isAfterPlus, isJoinedAfter, isJoinedBefore, isPartOfWord } from './surroundings.ts';
import { type FieldName, SSN_WORD } from './words.ts';

/**
 * Returns the number of groups from `group` that form a valid US social security number, or 0: three groups of 3-2-4
 * digits with one kind of separator, or a group of nine digits in a field named like one.
 */
export function ssnGroups(groups: DigitGroups, group: number, field: FieldName): number {
  const count = shapedGroups(groups, group);
  if (count === 0) return 0;
  const end = group + count;
  const first = groups.first(group);
  const area = groups.number(first, 3);
  if (area === 0 || area === 666 || area >= 900) return 0;
  if (groups.number(first + 3, 2) === 0 || groups.number(first + 5, 4) === 0) return 0;
  const kind = groups.joint(group + 1);
  if (count === 1 ? !field.isForSsns() : isJoinedBefore(groups, group, kind) || isJoinedAfter(groups, end, kind))
    return 0;
  return isAfterPlus(groups, group) || isPartOfWord(groups, group, end, SSN_WORD) ? 0 : count;
}

/** Returns the number of groups in the shape of one: three, one or none. */
function shapedGroups(groups: DigitGroups, group: number): number {
  const size = groups.size(group);
  if (size === 9) return 1;
  if (size !== 3) return 0;
  const kind = groups.joint(group + 1);
  if (kind === BREAK || groups.size(group + 1) !== 2) return 0;
  return groups.joint(group + 2) === kind && groups.size(group + 2) === 4 ? 3 : 0;
}
