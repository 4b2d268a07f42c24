import type { Context } from '../../../../context/context.ts';
import { getSignInState, signInStateCookie } from '../../../../http/session-cookie.ts';
import {
  type BegunSignIn,
  type OfferedIdentity,
  openSignIn,
  SIGN_IN_STATE_TTL,
  sealSignIn,
} from '../../../../services/users/sign-in-state.ts';

/** The cookie with the sealed state of a sign-in by a provider. */
export class SignInCookie {
  constructor(private readonly context: Context) {}

  /** Returns the Set-Cookie header that keeps a state. */
  set(request: Request, state: BegunSignIn | OfferedIdentity): string {
    const sealed = sealSignIn(this.context, state);
    return signInStateCookie(request, this.context.config.baseUrl, sealed, SIGN_IN_STATE_TTL);
  }

  /** Returns the Set-Cookie header that removes the state. */
  clear(request: Request): string {
    return signInStateCookie(request, this.context.config.baseUrl, '', 0);
  }

  /** Returns the sign-in that the browser has begun; null if there is none or it has expired. */
  begun(request: Request): BegunSignIn | null {
    const state = this.#read(request);
    return state?.kind === 'begun' ? state : null;
  }

  /** Returns the identity to link; null if there is none or it has expired. */
  offer(request: Request): OfferedIdentity | null {
    const state = this.#read(request);
    return state?.kind === 'offer' ? state : null;
  }

  #read(request: Request) {
    const sealed = getSignInState(request, this.context.config.baseUrl);
    return sealed === null ? null : openSignIn(this.context, sealed);
  }
}
