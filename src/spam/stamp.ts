import type { Form } from '../domain/forms/form.ts';
import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import { isSameText } from '../lib/is-same-text.ts';
import type { Vault } from '../vault/vault.ts';
import type { Signal } from './signal.ts';

type Deps = Readonly<{ vault: Vault; clock: Clock }>;

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
 * Finds posts sooner after the page, or after the first focus, than a person can type. A missing or old stamp is no
 * signal. `/formstead.js` adds `.focus` to a stamp that it fetched at the first focus.
 */
export function stampSignals({ vault, clock }: Deps, { id }: Form, stamp: string | null): Signal[] {
  if (!stamp) return [];
  const age = stampAge(vault, id, stamp, clock());
  if (age === null) return [{ weight: 40, reason: 'a forged page timestamp' }];
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
