import type { Micros } from '../lib/clock.ts';

/** Numbers of distinct forms and senders that a text was seen with. */
export type RepeatCounts = Readonly<{ forms: number; senders: number }>;

/** A text's latest time, its forms and its senders, as fingerprints. */
export type Sightings = { at: Micros; forms: string[]; senders: number; identities: number[] };

/** Limit of the counts: higher ones make no difference. */
const MAX_COUNTED = 10;
/** Limit of the identities of a text, which one sender could change with each post. */
const MAX_IDENTITIES = 80;

export const newSightings = (at: Micros): Sightings => ({ at, forms: [], senders: 0, identities: [] });

/**
 * Adds a form and a sender to the sightings of a text and returns their counts. A sender is new if none of its
 * identities was seen with this text.
 */
export function addSighting(seen: Sightings, form: string, identities: readonly number[], now: Micros): RepeatCounts {
  seen.at = now;
  if (seen.forms.length < MAX_COUNTED && !seen.forms.includes(form)) seen.forms.push(form);
  if (seen.senders < MAX_COUNTED) {
    const added = identities.filter((identity) => !seen.identities.includes(identity));
    if (added.length === identities.length) seen.senders += 1;
    seen.identities.push(...added.slice(0, MAX_IDENTITIES - seen.identities.length));
  }
  return { forms: seen.forms.length, senders: seen.senders };
}
