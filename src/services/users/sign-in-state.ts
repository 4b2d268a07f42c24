import type { Identity } from '../../domain/users/user.ts';
import { type Clock, MINUTE, type Micros } from '../../lib/clock.ts';
import { openOr } from '../../vault/open-submission.ts';
import { signInStateAad, type Vault } from '../../vault/vault.ts';
import type { SignInRequest } from './oidc-provider.ts';

/** A sign-in that a browser has taken to the provider; `to` is the page to open after it. */
export type BegunSignIn = Readonly<{ kind: 'begun'; request: SignInRequest; to: string }>;

/**
 * An identity to link: to the account of `email`, which is verified, once the browser has signed in to it, or to that of
 * `userId`, once the user has confirmed it.
 */
export type OfferedIdentity = Readonly<{
  kind: 'offer';
  identity: Identity;
  email: string | null;
  userId: string | null;
}>;

type SignInState = BegunSignIn | OfferedIdentity;

type Deps = Readonly<{ vault: Vault; clock: Clock }>;

/** Time for the provider's pages, and for the sign-in after them. */
export const SIGN_IN_STATE_TTL = 15 * MINUTE;

/**
 * Seals the state of a sign-in by a provider for a cookie. It takes no memory of the server, works with any of several
 * processes, and binds the sign-in to the browser.
 */
export function sealSignIn({ vault, clock }: Deps, state: SignInState): string {
  const sealed = vault.seal(JSON.stringify({ ...state, until: clock() + SIGN_IN_STATE_TTL }), signInStateAad);
  return Buffer.from(sealed).toString('base64url');
}

/** Opens a sealed state; null if it is damaged or has expired. */
export function openSignIn({ vault, clock }: Deps, sealed: string): SignInState | null {
  const record = Buffer.from(sealed, 'base64url');
  const opened = openOr<string, null>(() => vault.open(record, signInStateAad).toString(), null);
  if (opened === null) return null;
  const { until, ...state } = JSON.parse(opened) as SignInState & Readonly<{ until: Micros }>;
  return until > clock() ? state : null;
}
