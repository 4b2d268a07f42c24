import { timingSafeEqual } from 'node:crypto';

/** Compares a secret with a text in a time that depends on their lengths alone. */
export function isSameText(a: string, b: string): boolean {
  const [first, second] = [Buffer.from(a), Buffer.from(b)];
  return first.length === second.length && timingSafeEqual(first, second);
}
