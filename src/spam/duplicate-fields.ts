import type { Signal } from './signal.ts';
import type { FieldText, SubmittedText } from './text.ts';

const MIN_LENGTH = 6;
/** Characters from which a value is too long for a name. */
const MIN_SENTENCE = 25;

/** Finds bots that fill in every field: the same text in three fields, or a sentence as a name and in another field. */
export function duplicateFieldSignals({ fields }: SubmittedText): Signal[] {
  if (!haveSimilarLengths(fields)) return [];
  const long = fields.filter(({ value }) => value.length >= MIN_LENGTH);
  const counts = new Map<string, number>();
  for (const { value } of long) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size === long.length) return [];
  const maxCount = Math.max(...counts.values());
  if (maxCount >= 3) return [{ weight: 70, reason: `the same text in ${maxCount} fields` }];
  const isRepeatedName = long.some(
    ({ isNameField, value }) => isNameField && value.length >= MIN_SENTENCE && counts.get(value) === 2,
  );
  return isRepeatedName ? [{ weight: 40, reason: 'a sentence as a name and in another field' }] : [];
}

/** Returns whether two values may be the same: false for most submissions, without a look at the values themselves. */
function haveSimilarLengths(fields: readonly FieldText[]): boolean {
  let low = 0;
  let high = 0;
  for (const { text } of fields) {
    const { length } = text.trim();
    if (length < MIN_LENGTH) continue;
    const lowBit = 1 << length;
    const highBit = 1 << (length >>> 5);
    if ((low & lowBit) !== 0 && (high & highBit) !== 0) return true;
    low |= lowBit;
    high |= highBit;
  }
  return false;
}
