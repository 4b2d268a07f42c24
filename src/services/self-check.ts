import { MINUTE, type Micros, SECOND } from '../lib/clock.ts';
import type { Vault } from '../vault/vault.ts';

/** The header of a request that asks the instance to show itself. */
export const SELF_CHECK_HEADER = 'formstead-mirror';

/** What the instance answers: `proof` that it has the key, and where it sees the request come from. */
export type Reflection = Readonly<{
  proof: string;
  peer: string;
  /** Whether the peer is one of `TRUSTED_PROXIES`, and whether it said for whom it asks. */
  isTrusted: boolean;
  isForwarded: boolean;
  client: string;
}>;

const HOLDS = 5 * MINUTE;

/** What to send in `MIRROR_HEADER`: nobody without the key of the instance can make it. */
export function selfCheckChallenge(vault: Vault, now: Micros): string {
  const seconds = String(Math.floor(now / SECOND));
  return `${seconds}.${vault.fingerprint('mirror ask', seconds)}`;
}

/** The proof in the answer to it; null if it was not made with this key, or not lately. */
export function selfCheckProof(vault: Vault, ask: string, now: Micros): string | null {
  const [seconds = '', signature] = ask.split('.');
  if (!/^\d{1,12}$/.test(seconds) || signature !== vault.fingerprint('mirror ask', seconds)) return null;
  if (Math.abs(now - Number(seconds) * SECOND) > HOLDS) return null;
  return vault.fingerprint('mirror proof', ask);
}
