import type { Micros } from '../../lib/clock.ts';

/** A credential of WebAuthn that signs a user in. Only its public key is known here, which is no secret. */
export type Passkey = Readonly<{
  id: string;
  userId: string;
  /** The id that the authenticator chose, in base64url. */
  credentialId: string;
  /** In COSE format and base64url. */
  publicKey: string;
  /** The signature counter of the last use; 0 for authenticators without one. */
  counter: number;
  /** How browsers reach the authenticator, such as `internal` or `usb`. */
  transports: readonly string[];
  name: string;
  createdAt: Micros;
  lastUsedAt: Micros;
}>;

export const MAX_PASSKEYS = 20;

/** The host that passkeys belong to, and the origin of the pages that may use them. */
export type RelyingParty = Readonly<{ id: string; origin: string }>;

/**
 * Returns the relying party: the host of `BASE_URL`, or localhost if the request came there and `BASE_URL` is not set.
 * Returns null where browsers refuse passkeys: without TLS outside localhost, and for IP addresses.
 */
export function getRelyingParty(baseUrl: string | null, { url }: Request): RelyingParty | null {
  const { protocol, hostname: id, origin } = new URL(baseUrl ?? url);
  const isLocal = id === 'localhost' || id.endsWith('.localhost');
  const isAddress = /^[\d.]+$|^\[/.test(id);
  const isSecure = protocol === 'https:' && !isAddress && baseUrl !== null;
  return isLocal || isSecure ? { id, origin } : null;
}
