import type { Micros } from '../../lib/clock.ts';

/**
 * A WebAuthn credential that signs a user in. `credentialId` and `publicKey` (in COSE format) are in base64url, `counter` is
 * that of the last use, 0 for authenticators without one.
 */
export type Passkey = Readonly<{
  id: string;
  userId: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  name: string;
  createdAt: Micros;
  lastUsedAt: Micros;
}>;

export const MAX_PASSKEYS = 20;

/** The host that passkeys belong to, and the origin of the pages that may use them. */
export type RelyingParty = Readonly<{ id: string; origin: string }>;

/**
 * Returns the relying party: the host of `BASE_URL`, or localhost if it is not set and the request came there. Returns null
 * where browsers refuse passkeys: without TLS outside localhost, and for IP addresses.
 */
export function getRelyingParty(baseUrl: string | null, { url }: Request): RelyingParty | null {
  const { protocol, hostname: id, origin } = new URL(baseUrl ?? url);
  const isSecure = protocol === 'https:' && baseUrl !== null && !/^[\d.]+$|^\[/.test(id);
  return isSecure || /(^|\.)localhost$/.test(id) ? { id, origin } : null;
}
