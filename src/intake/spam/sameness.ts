import type { Evidence } from './evidence.ts';
import type { SubmittedText } from './text.ts';

const MIN_LENGTH = 6;

/** The same text in field after field: what fills in whatever it finds. */
export function samenessEvidence({ fields }: SubmittedText): Evidence[] {
  const counts = new Map<string, number>();
  for (const { text } of fields) {
    const value = text.trim().toLowerCase();
    if (value.length >= MIN_LENGTH) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const most = Math.max(0, ...counts.values());
  if (most < 3) return [];
  return [{ weight: 70, reason: `the same text in ${most} fields` }];
}
