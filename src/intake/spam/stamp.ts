import type { Form } from '../../domain/form.ts';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import type { Vault } from '../../vault/vault.ts';
import type { Signal } from './signal.ts';

type Deps = Readonly<{ vault: Vault; clock: Clock }>;

/** In seconds; stamps have whole ones. */
const TOO_SOON = 2;

/** The time at which a page asked for it, signed for one form: `seconds.signature`. */
export function makeStamp(vault: Vault, formId: string, now: Micros): string {
  const seconds = String(Math.floor(now / SECOND));
  return `${seconds}.${signatureOf(vault, formId, seconds)}`;
}

/** A post sooner after its page than a person can type. No stamp, or an old one, says nothing. */
export function stampSignals({ vault, clock }: Deps, { id }: Form, stamp: string | null): Signal[] {
  if (!stamp) return [];
  const age = ageOfStamp(vault, id, stamp, clock());
  if (age === null) return [{ weight: 40, reason: 'a forged time of the page' }];
  if (age >= TOO_SOON) return [];
  return [{ weight: 50, reason: `sent ${Math.floor(age)} s after the page was opened` }];
}

/** Seconds since the stamp was made; null if it was not made for this form. */
function ageOfStamp(vault: Vault, formId: string, stamp: string, now: Micros): number | null {
  const [seconds = '', signature] = stamp.split('.');
  if (!/^\d{1,12}$/.test(seconds) || signature !== signatureOf(vault, formId, seconds)) return null;
  return Math.max(0, now / SECOND - Number(seconds));
}

function signatureOf(vault: Vault, formId: string, seconds: string): string {
  return vault.fingerprint('stamp', `${formId} ${seconds}`).slice(0, 32);
}
