import { isIssued, LONGEST_CARD } from './masking/brands.ts';
import { cardLength } from './masking/cards.ts';
import { BREAK } from './masking/characters.ts';
import { DigitRow, hasDigits } from './masking/digit-row.ts';
import { FieldName } from './masking/field-name.ts';
import { ibanEnd } from './masking/iban.ts';
import { isSsn } from './masking/ssn.ts';
import type { Payload, PayloadValue } from './submission.ts';

const STARS = '*'.repeat(LONGEST_CARD);
/** Digits of an SSN before its last four. */
const SSN_SERIAL = 5;
const ANY_DIGIT = /\p{Nd}/u;

/** Masks cards and social security numbers in every value, at any depth; names and order stay. */
export function maskPayload(payload: Payload): Payload {
  return mapKeeping(payload, (entry) => {
    const masked = maskValue(entry[1], new FieldName(entry[0]));
    return masked === entry[1] ? entry : [entry[0], masked];
  });
}

/**
 * Masks every string and number in a value, never the keys of objects; a key is the field name of what is under it. A
 * number becomes a string if something in it was masked. What holds nothing to mask is returned as it is.
 */
function maskValue(value: PayloadValue, field: FieldName): PayloadValue {
  if (typeof value === 'string') return maskText(value, field);
  if (typeof value === 'number') return maskNumber(value, field);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return mapKeeping(value, (item) => maskValue(item, field));
  const fields = Object.entries(value);
  const masked = maskPayload(fields);
  return masked === fields ? value : Object.fromEntries(masked);
}

/**
 * Replaces card numbers by stars and their last four digits, and US social security numbers by `***-**-` and theirs.
 * The field's name tells nine bare digits to be such a number. Takes time linear in the text.
 */
function maskText(text: string, field: FieldName): string {
  return ANY_DIGIT.test(text) && hasDigits(text, 9) ? maskDigits(text, field) : text;
}

function maskDigits(text: string, field: FieldName): string {
  const row = new DigitRow(text);
  let masked = '';
  let copied = 0;
  let first = 0;
  while (first < row.count) {
    const card = cardLength(row, first, field);
    const length = card || (isSsn(row, first, field) ? 9 : 0);
    const serial = first + SSN_SERIAL;
    if (length === 9 && row.groupEnd(first + 3) === serial && cardLength(row, serial, field) > 0) {
      // Its last four are the first of a card, and so not to be shown.
      masked += `${text.slice(copied, row.start(first))}***-**-`;
      copied = row.start(serial);
      first = serial;
    } else if (length > 0) {
      const end = first + length;
      const lastFour = String(row.number(end - 4, end)).padStart(4, '0');
      masked += text.slice(copied, row.start(first)) + (card ? STARS.slice(0, card - 4) : '***-**-') + lastFour;
      copied = row.end(end - 1);
      first = end;
    } else {
      const iban = row.joint(first) === BREAK ? ibanEnd(text, row.start(first)) : 0;
      do first = row.groupEnd(first);
      while (first < row.count && row.start(first) < iban);
    }
  }
  return masked + text.slice(copied);
}

/**
 * A fraction is no card, nor is an integer of too few or too many digits, which is told before it becomes a text. One too
 * large to be exact has lost its check digit: brand and length must do.
 */
function maskNumber(value: number, field: FieldName): number | string {
  const size = Math.abs(value);
  if (!Number.isInteger(value) || size < 1e8 || size >= 1e19) return value;
  if (size < 1e12 && !(size < 1e9 && field.isOfSsns())) return value;
  const sign = value < 0 ? '-' : '';
  const text = String(size);
  if (!Number.isSafeInteger(value) && isIssued(Number(text.slice(0, 4)), text.length)) {
    return sign + STARS.slice(0, text.length - 4) + text.slice(-4);
  }
  const masked = maskDigits(text, field);
  return masked === text ? value : sign + masked;
}

function isList(value: PayloadValue): value is readonly PayloadValue[] {
  return Array.isArray(value);
}

/** Like `map`, but the same list if no item changed. */
function mapKeeping<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = list.map(change);
  return changed.every((item, at) => item === list[at]) ? list : changed;
}
