import type { Micros } from '../../lib/clock.ts';
import { invalidInput } from '../errors.ts';

/** The span in which a form accepts submissions: times in RFC 3339, null for no bound. It includes `opensAt` alone. */
export type Opening = Readonly<{ opensAt: string | null; closesAt: string | null }>;

/** Returns whether a form accepts submissions at a time. */
export function openingAt({ opensAt, closesAt }: Opening, now: Micros): 'open' | 'not open' | 'closed' {
  if (closesAt !== null && now >= Date.parse(closesAt) * 1000) return 'closed';
  return opensAt !== null && now < Date.parse(opensAt) * 1000 ? 'not open' : 'open';
}

/** Throws `invalid_input` if a form would close before it opens. */
export function requireOpeningOrder({ opensAt, closesAt }: Opening): void {
  if (opensAt === null || closesAt === null || Date.parse(opensAt) < Date.parse(closesAt)) return;
  const message = `The form would never be open: opens_at (${opensAt}) must be before closes_at (${closesAt}).`;
  throw invalidInput(message, ['closes_before_opening']);
}
