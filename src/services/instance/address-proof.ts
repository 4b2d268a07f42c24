import { MINUTE, type Micros, SECOND } from '../../lib/clock.ts';
import { isSameText } from '../../lib/is-same-text.ts';
import type { Vault } from '../../vault/vault.ts';

/** Header of a self-check request, with which the CLI tests that an address leads to this instance. */
export const SELF_CHECK_HEADER = 'formstead-mirror';

/** Response to a self-check request: `proof` that the instance has the key, and the request's origin as it sees it. */
export type SelfCheckReport = Readonly<{
  proof: string;
  peer: string;
  /** True if the peer is one of `TRUSTED_PROXIES`, and if it sent the address of its client. */
  isTrusted: boolean;
  isForwarded: boolean;
  client: string;
}>;

const TTL = 5 * MINUTE;

/** Returns the value of `SELF_CHECK_HEADER`, which only a holder of the instance's key can make. */
export function selfCheckChallenge(vault: Vault, now: Micros): string {
  const seconds = String(Math.floor(now / SECOND));
  return `${seconds}.${vault.fingerprint('mirror ask', seconds)}`;
}

/** Returns the proof for a challenge; null if the challenge was made with another key or is older than 5 minutes. */
export function selfCheckProof(vault: Vault, challenge: string, now: Micros): string | null {
  const [seconds = '', signature = ''] = challenge.split('.');
  if (!/^\d{1,12}$/.test(seconds)) return null;
  if (!isSameText(signature, vault.fingerprint('mirror ask', seconds))) return null;
  if (Math.abs(now - Number(seconds) * SECOND) > TTL) return null;
  return vault.fingerprint('mirror proof', challenge);
}
