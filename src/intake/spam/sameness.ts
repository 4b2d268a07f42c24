import type { Evidence } from './evidence.ts';
import { NAME_FIELD } from './links.ts';
import type { SubmittedText } from './text.ts';

const MIN_LENGTH = 6;
/** Longer than a name. */
const MIN_SENTENCE = 25;

/** The same text in field after field, or a sentence for a name and again elsewhere: what fills in whatever it finds. */
export function samenessEvidence({ fields }: SubmittedText): Evidence[] {
  const counts = new Map<string, number>();
  for (const { text } of fields) {
    const value = text.trim().toLowerCase();
    if (value.length >= MIN_LENGTH) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  if (most >= 3) return [{ weight: 70, reason: `the same text in ${most} fields` }];
  const isNamed = fields.some(
    ({ name, text }) =>
      NAME_FIELD.test(name) && text.trim().length >= MIN_SENTENCE && counts.get(text.trim().toLowerCase()) === 2,
  );
  return isNamed ? [{ weight: 40, reason: 'a sentence for a name, and again elsewhere' }] : [];
}
