import type { Context } from '../../../../context/context.ts';
import type { Identity } from '../../../../domain/users/user.ts';
import { getSignInFlow, signInFlowCookie } from '../../../../http/session-cookie.ts';
import { MINUTE, type Micros } from '../../../../lib/clock.ts';
import type { SignInRequest } from '../../../../services/users/oidc-provider.ts';
import { openOr } from '../../../../vault/open-submission.ts';
import { signInFlowAad } from '../../../../vault/vault.ts';

/** A sign-in that the browser has taken to the provider; `to` is the page to open after it. */
type Begun = Readonly<{ kind: 'begun'; request: SignInRequest; to: string }>;

/**
 * An identity to link: to the account of `email`, which is verified, once the browser has signed in to it, or to that of
 * `userId`, once the user has confirmed it.
 */
type Offer = Readonly<{ kind: 'offer'; identity: Identity; email: string | null; userId: string | null }>;

/** Time for the provider's pages, and for the sign-in after them. */
const TTL = 15 * MINUTE;

/**
 * The sealed cookie with the state of a sign-in by a provider. It takes no memory of the server, works with any of several
 * processes, and binds the sign-in to the browser.
 */
export class SignInCookie {
  constructor(private readonly context: Context) {}

  /** Returns the Set-Cookie header that keeps a state. */
  set(request: Request, state: Begun | Offer): string {
    const { vault, clock, config } = this.context;
    const sealed = vault.seal(JSON.stringify({ ...state, until: clock() + TTL }), signInFlowAad);
    return signInFlowCookie(request, config.baseUrl, Buffer.from(sealed).toString('base64url'), TTL);
  }

  /** Returns the Set-Cookie header that removes the state. */
  clear(request: Request): string {
    return signInFlowCookie(request, this.context.config.baseUrl, '', 0);
  }

  /** Returns the sign-in that the browser has begun; null if there is none or it has expired. */
  begun(request: Request): Begun | null {
    const state = this.#read(request);
    return state?.kind === 'begun' ? state : null;
  }

  /** Returns the identity to link; null if there is none or it has expired. */
  offer(request: Request): Offer | null {
    const state = this.#read(request);
    return state?.kind === 'offer' ? state : null;
  }

  #read(request: Request): Begun | Offer | null {
    const { vault, clock, config } = this.context;
    const sealed = Buffer.from(getSignInFlow(request, config.baseUrl) ?? '', 'base64url');
    const state = openOr<string, null>(() => vault.open(sealed, signInFlowAad).toString(), null);
    if (state === null) return null;
    const { until, ...kept } = JSON.parse(state) as (Begun | Offer) & Readonly<{ until: Micros }>;
    return until > clock() ? kept : null;
  }
}
