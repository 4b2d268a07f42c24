import type { Form } from '../domain/forms/form.ts';
import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import { isSameText } from '../lib/is-same-text.ts';
import { dropOldest } from '../lib/recent-values.ts';
import type { Vault } from '../vault/vault.ts';
import { MAYBE_SPAM_THRESHOLD, type Signal } from './signal.ts';

type Deps = Readonly<{ vault: Vault; clock: Clock; stamped: StampShares }>;

/** Posts of a form from which the share of those with a stamp says something, and that of nearly all. */
const MIN_POSTS = 50;
const NEARLY_ALL = 0.95;
/** Posts that are counted, after which older ones count half. */
const MAX_POSTS = 100;
const MAX_FORMS = 10_000;

/** Shares of posts with a stamp, by form, in memory. */
export class StampShares {
  readonly #forms = new Map<string, { posts: number; stamped: number }>();

  /** Returns whether nearly all posts of a form had a stamp, and counts another one. */
  count(formId: string, hasStamp: boolean): boolean {
    const { posts, stamped } = this.#forms.get(formId) ?? { posts: 0, stamped: 0 };
    const share = posts < MAX_POSTS ? 1 : 0.5;
    this.#forms.delete(formId);
    this.#forms.set(formId, { posts: posts * share + 1, stamped: stamped * share + Number(hasStamp) });
    dropOldest(this.#forms, MAX_FORMS);
    return posts >= MIN_POSTS && stamped / posts >= NEARLY_ALL;
  }
}

/** Shortest time between page and post, in whole seconds like stamps. */
const MIN_SECONDS = 2;
/** Shortest time between the first focus and the post, which is shorter when the browser fills in the fields. */
const MIN_FOCUS_SECONDS = 1;

/** Returns the current time signed for one form: `seconds.signature`. Pages contain it, or fetch it. */
export function makeStamp(vault: Vault, formId: string, now: Micros): string {
  const seconds = String(Math.floor(now / SECOND));
  return `${seconds}.${getSignature(vault, formId, seconds)}`;
}

/**
 * Finds posts sooner after the page, or after the first focus, than a person can type. An old stamp is no signal, nor is a
 * missing one unless nearly all posts of the form have one. `/formstead.js` adds `.focus` to a stamp that it fetched at the
 * first focus.
 */
export function stampSignals({ vault, clock, stamped }: Deps, { id }: Form, stamp: string | null): Signal[] {
  const isExpected = stamped.count(id, stamp !== null);
  if (!stamp) return isExpected ? [{ weight: 35, reason: 'no page timestamp, unlike other posts of this form' }] : [];
  const age = stampAge(vault, id, stamp, clock());
  if (age === null) return [{ weight: MAYBE_SPAM_THRESHOLD, reason: 'a forged page timestamp' }];
  const isOfFocus = stamp.endsWith('.focus');
  if (age >= (isOfFocus ? MIN_FOCUS_SECONDS : MIN_SECONDS)) return [];
  const event = isOfFocus ? 'the form was first used' : 'the page was opened';
  return [{ weight: 50, reason: `sent ${Math.floor(age)} s after ${event}` }];
}

/** Returns the stamp's age in seconds; null if it is not signed for this form. */
function stampAge(vault: Vault, formId: string, stamp: string, now: Micros): number | null {
  const [seconds = '', signature = ''] = stamp.split('.');
  if (!/^\d{1,12}$/.test(seconds)) return null;
  if (!isSameText(signature, getSignature(vault, formId, seconds))) return null;
  return Math.max(0, now / SECOND - Number(seconds));
}

function getSignature(vault: Vault, formId: string, seconds: string): string {
  return vault.fingerprint('stamp', `${formId} ${seconds}`).slice(0, 32);
}
