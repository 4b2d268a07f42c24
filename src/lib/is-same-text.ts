import { timingSafeEqual } from 'node:crypto';

/** Compares a secret with a text in a time that depends on their lengths alone. */
export function isSameText(one: string, other: string): boolean {
  const [first, second] = [Buffer.from(one), Buffer.from(other)];
  return first.length === second.length && timingSafeEqual(first, second);
}
