import type { Identity } from '../../domain/users/user.ts';
import { type Clock, MINUTE, type Micros } from '../../lib/clock.ts';
import { openOr } from '../../vault/open-submission.ts';
import { signInStateAad, type Vault } from '../../vault/vault.ts';
import type { SignInRequest } from './oidc-provider.ts';

/**
 * State of a sign-in by a provider: begun by a browser, perhaps to link the user `linkTo`, with the page to open after it;
 * or an identity that is linked once the browser signs in to the account of its verified address.
 */
export type SignInState =
  | Readonly<{ kind: 'begun'; request: SignInRequest; to: string; linkTo: string | null }>
  | Readonly<{ kind: 'offer'; identity: Identity; email: string }>;

type Deps = Readonly<{ vault: Vault; clock: Clock }>;

/** Time for the provider's pages, and for the sign-in after them. */
export const SIGN_IN_STATE_TTL = 15 * MINUTE;

/** Seals a state for a cookie, which binds it to the browser, takes no memory and works with any of several processes. */
export function sealSignIn({ vault, clock }: Deps, state: SignInState): string {
  const sealed = vault.seal(JSON.stringify({ ...state, until: clock() + SIGN_IN_STATE_TTL }), signInStateAad);
  return Buffer.from(sealed).toString('base64url');
}

/** Opens a sealed state; null if it is damaged or has expired. */
export function openSignIn({ vault, clock }: Deps, sealed: string): SignInState | null {
  const record = Buffer.from(sealed, 'base64url');
  const opened = openOr<string, null>(() => vault.open(record, signInStateAad).toString(), null);
  const state = opened === null ? null : (JSON.parse(opened) as SignInState & Readonly<{ until: Micros }>);
  return state && state.until > clock() ? state : null;
}
