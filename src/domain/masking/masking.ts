import type { Payload, PayloadValue } from '../submissions/submission.ts';
import { isIssued, MAX_CARD_LENGTH } from './card-prefixes.ts';
import { cardGroups } from './cards.ts';
import { BREAK } from './characters.ts';
import { DigitGroups, hasDigits } from './digit-groups.ts';
import { ibanEnd } from './iban.ts';
import { ssnGroups } from './ssn.ts';
import { FieldName } from './words.ts';

/** Asterisks by count. */
const STARS = Array.from({ length: MAX_CARD_LENGTH }, (_, count) => '*'.repeat(count));
const SSN_STARS = '***-**-';
const ANY_DIGIT = /\p{Nd}/u;
/** Reused for every text: allocating buffers for many short ones is slow. */
const groups = new DigitGroups();

/** Masks card and social security numbers in every value, at any depth. Names and order are unchanged. */
export function maskPayload(payload: Payload): Payload {
  return mapIfChanged(payload, (entry) => {
    const masked = maskValue(entry[1], new FieldName(entry[0]));
    return masked === entry[1] ? entry : [entry[0], masked];
  });
}

/**
 * Masks every string and number in a value, but not object keys; a key is the field name of the values below it. A
 * masked number becomes a string. Returns the same value if nothing was masked.
 */
function maskValue(value: PayloadValue, field: FieldName): PayloadValue {
  if (typeof value === 'string') return maskText(value, field);
  if (typeof value === 'number') return maskNumber(value, field);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return mapIfChanged(value, (item) => maskValue(item, field));
  const fields = Object.entries(value);
  const masked = maskPayload(fields);
  return masked === fields ? value : Object.fromEntries(masked);
}

/**
 * Masks card numbers except their last four digits, and US social security numbers as `***-**-1234`. Nine digits
 * without separators count as a social security number only in a field named like one. Takes linear time.
 */
function maskText(text: string, field: FieldName): string {
  if (!ANY_DIGIT.test(text) || !hasDigits(text, 9)) return text;
  groups.read(text);
  let masked = '';
  let copied = 0;
  let group = 0;
  while (group < groups.count) {
    const card = cardGroups(groups, group, field);
    const ssn = card === 0 ? ssnGroups(groups, group, field) : 0;
    const end = group + card + ssn;
    if (ssn === 3 && cardGroups(groups, end - 1, field) > 0) {
      // The last four digits start a card number, so mask them too.
      masked += `${text.slice(copied, groups.start(group))}***-**-`;
      copied = groups.start(end - 1);
      group = end - 1;
    } else if (end > group) {
      const stars = card > 0 ? STARS[groups.size(group, end) - 4] : SSN_STARS;
      masked += text.slice(copied, groups.start(group)) + stars + lastFour(end);
      copied = groups.end(end - 1);
      group = end;
    } else {
      const iban = groups.joint(group) === BREAK ? ibanEnd(groups, group) : 0;
      do group++;
      while (group < groups.count && groups.start(group) < iban);
    }
  }
  return masked + text.slice(copied);
}

/** Returns the last four digits before group `end`, in ASCII. */
function lastFour(end: number): string {
  const last = groups.first(end) - 1;
  return `${groups.digit(last - 3)}${groups.digit(last - 2)}${groups.digit(last - 1)}${groups.digit(last)}`;
}

/**
 * Masks a JSON number. Fractions and integers outside the range of card and social security numbers are returned early.
 * Integers too large to be exact have lost their check digit, so brand and length decide.
 */
function maskNumber(value: number, field: FieldName): number | string {
  const size = Math.abs(value);
  if (!Number.isInteger(value) || size < 1e8 || size >= 1e19) return value;
  if (size < 1e12 && !(size < 1e9 && field.isForSsns())) return value;
  const text = String(size);
  groups.read(text);
  const isCard = Number.isSafeInteger(value)
    ? cardGroups(groups, 0, field) > 0
    : isIssued(groups.number(0, 4), text.length);
  if (!isCard && ssnGroups(groups, 0, field) === 0) return value;
  return (value < 0 ? '-' : '') + (isCard ? STARS[text.length - 4] : SSN_STARS) + text.slice(-4);
}

/** Returns whether a value is a list. `Array.isArray` does not narrow readonly ones. */
export const isList = (value: PayloadValue): value is readonly PayloadValue[] => Array.isArray(value);

/** Maps a list; returns the same list if no item changed. */
function mapIfChanged<Item>(list: readonly Item[], mapItem: (item: Item) => Item): readonly Item[] {
  let changed: Item[] | null = null;
  list.forEach((item, at) => {
    const mapped = mapItem(item);
    if (mapped !== item) changed ??= [...list];
    if (changed) changed[at] = mapped;
  });
  return changed ?? list;
}
