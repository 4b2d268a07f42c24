import type { Signal } from './signal.ts';
import type { SubmittedText } from './text.ts';

const MIN_LENGTH = 6;
/** Longer than a name. */
const MIN_SENTENCE = 25;

/** The same text in field after field, or a sentence for a name and again elsewhere: what fills in whatever it finds. */
export function samenessSignals({ fields }: SubmittedText): Signal[] {
  const long = fields.filter(({ value }) => value.length >= MIN_LENGTH);
  const counts = new Map<string, number>();
  for (const { value } of long) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size === long.length) return [];
  const most = Math.max(...counts.values());
  if (most >= 3) return [{ weight: 70, reason: `the same text in ${most} fields` }];
  const isNamed = long.some(
    ({ asksName, value }) => asksName && value.length >= MIN_SENTENCE && counts.get(value) === 2,
  );
  return isNamed ? [{ weight: 40, reason: 'a sentence for a name, and again elsewhere' }] : [];
}
