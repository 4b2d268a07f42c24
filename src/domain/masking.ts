import { isIssued } from './masking/brands.ts';
import { cardLength } from './masking/cards.ts';
import { DIRECT, DigitRow, hasDigits } from './masking/digit-row.ts';
import { ibanEnd } from './masking/iban.ts';
import { isSsn } from './masking/ssn.ts';
import type { Payload, PayloadValue } from './submission.ts';

/** How much of a field's name is read. */
const NAME_READ = 256;

const ANY_DIGIT = /\p{Nd}/u;

/** Masks cards and social security numbers in every value, at any depth; names and order stay. */
export function maskPayload(payload: Payload): Payload {
  return mapKeeping(payload, (entry) => {
    const masked = maskValue(entry[1], entry[0]);
    return masked === entry[1] ? entry : [entry[0], masked];
  });
}

/**
 * Masks every string and number in a value, never the keys of objects; a key is the field name of what is under it. A
 * number becomes a string if something in it was masked. What holds nothing to mask is returned as it is.
 */
export function maskValue(value: PayloadValue, fieldName: string): PayloadValue {
  if (typeof value === 'string') return maskText(value, fieldName);
  if (typeof value === 'number') return maskNumber(value, fieldName);
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return mapKeeping(value, (item) => maskValue(item, fieldName));
  const fields = Object.entries(value);
  const masked = maskPayload(fields);
  return masked === fields ? value : Object.fromEntries(masked);
}

/**
 * Replaces card numbers by stars and their last four digits, and US social security numbers by `***-**-` and theirs.
 * The field's name tells nine bare digits to be such a number. Takes time linear in the text.
 */
export function maskText(text: string, fieldName: string): string {
  if (!ANY_DIGIT.test(text)) return text;
  if (!hasDigits(text, 9)) return text;
  const row = new DigitRow(text);
  const name = fieldName.slice(0, NAME_READ);
  let masked = '';
  let copied = 0;
  let first = 0;
  while (first < row.count) {
    const card = cardLength(row, first, name);
    const length = card || (isSsn(row, first, name) ? 9 : 0);
    if (length > 0) {
      const end = first + length;
      const lastFour = String(row.number(end - 4, end)).padStart(4, '0');
      masked += text.slice(copied, row.start(first)) + (card ? '*'.repeat(length - 4) : '***-**-') + lastFour;
      copied = row.end(end - 1);
      first = end;
    } else {
      const iban = ibanEnd(text, row.start(first));
      do first++;
      while (first < row.count && (row.joint(first) === DIRECT || row.start(first) < iban));
    }
  }
  return masked + text.slice(copied);
}

/** A fraction is no card. An integer too large to be exact has lost its check digit: brand and length must do. */
function maskNumber(value: number, fieldName: string): number | string {
  if (!Number.isInteger(value)) return value;
  const text = String(value);
  if (!Number.isSafeInteger(value) && isIssued(Number(text.slice(0, 4)), text.length)) {
    return '*'.repeat(text.length - 4) + text.slice(-4);
  }
  const masked = maskText(text, fieldName);
  return masked === text ? value : masked;
}

function isList(value: PayloadValue): value is readonly PayloadValue[] {
  return Array.isArray(value);
}

/** Like `map`, but the same list if no item changed. */
function mapKeeping<Item>(list: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  const changed = list.map(change);
  return changed.every((item, at) => item === list[at]) ? list : changed;
}
