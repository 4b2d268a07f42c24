import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Session, User } from '../../../domain/users/user.ts';
import { browserName } from '../../../http/browser-name.ts';
import { shortAddress } from '../../../http/client-address.ts';
import { requestId } from '../../../http/request-id.ts';
import * as cookies from '../../../http/session-cookie.ts';
import { shortHeader } from '../../../http/short-header.ts';
import { ClientRateLimit } from '../../../lib/client-rate-limit.ts';
import { HOUR, MINUTE } from '../../../lib/clock.ts';
import { SlidingWindow } from '../../../lib/sliding-window.ts';
import { FailedSignIns, recordAction } from '../../../services/audit/audit.ts';
import { getTeamIds } from '../../../services/teams/teams.ts';
import type { Accounts } from '../../../services/users/accounts.ts';
import { passSecondFactor } from '../../../services/users/second-factor.ts';
import {
  hashToken,
  PENDING_SESSION_TTL,
  SESSION_TTL,
  type SignInOrigin,
  startSession,
} from '../../../services/users/sessions.ts';
import { openSignIn, SIGN_IN_STATE_TTL, type SignInState, sealSignIn } from '../../../services/users/sign-in-state.ts';
import type { SignInSource, SignInThrottle } from '../../../services/users/sign-in-throttle.ts';
import { type PageContext, redirectTo } from '../../page.ts';

/** New passwords per one-time link and hour, and per client in ten minutes. */
const MAX_PER_LINK = 10;
const MAX_PER_CLIENT = 30;

/** Time to wait for a place in the queue of hash operations. */
export const BUSY_SECONDS = 5;

/** Throws if the settings turn passwords off. */
export function requirePasswords({ oidcOnly }: Pick<Context['config'], 'oidcOnly'>): void {
  if (!oidcOnly) return;
  const message = 'OIDC_ONLY is yes, so passwords are turned off.';
  throw new AppError('not_from_here', message, { reason: ['passwords_off'] });
}

/** Signs users in: shared by the pages that end in a session. */
export class SignInFlow {
  readonly #links = new SlidingWindow(MAX_PER_LINK, HOUR);
  readonly #linkClients = new ClientRateLimit(MAX_PER_CLIENT, 10 * MINUTE);
  readonly #failed: FailedSignIns;

  constructor(
    private readonly context: Context,
    readonly accounts: Accounts,
    readonly tries: SignInThrottle,
    /** Attempts to enter a code, counted after the right password. */
    readonly codeTries: SignInThrottle,
  ) {
    this.#failed = new FailedSignIns(context);
  }

  /** Returns the values that attempts are counted by: client address and device cookie. */
  triedFrom(page: PageContext): SignInSource {
    return { client: this.#addressOf(page), mark: cookies.getDeviceCookie(page.request, this.context.config.baseUrl) };
  }

  /**
   * Counts a new password before it is hashed. Throws `rate_limited` after too many by the same link or client, and
   * while the queue of hash operations is full.
   */
  countNewPassword(page: PageContext, token: string): void {
    const now = this.context.monotonic();
    const client = this.#addressOf(page);
    const link = hashToken(token);
    const peeked = [this.#links.peek(link, now), this.#linkClients.peek(client, now)];
    const waits = peeked.filter(({ allowed }) => !allowed).map(({ resetSeconds }) => resetSeconds);
    const seconds = Math.max(this.accounts.isBusy ? BUSY_SECONDS : 0, ...waits);
    if (seconds > 0) {
      const headers = { 'Retry-After': String(seconds) };
      throw new AppError('rate_limited', `Too many new passwords. Try again in ${seconds} s.`, { headers });
    }
    this.#links.take(link, now);
    this.#linkClients.take(client, now);
  }

  /**
   * Starts a session and redirects to `to`, or to the second factor unless the sign-in proved two factors. Sets the user's
   * time zone if it has none.
   */
  async signIn(
    page: PageContext,
    user: User,
    to: string,
    timeZone: string | null,
    proof: Pick<SignInOrigin, 'method' | 'isMultiFactor'> = {},
  ): Promise<Response> {
    // Replaces the session of this browser.
    const { currentUser } = page;
    if (currentUser) await this.context.store.sessions.end(currentUser.user.id, currentUser.session.id);
    const isPending = !proof.isMultiFactor && (await this.context.store.secondFactors.find(user.id)) !== null;
    const secret = await startSession(this.context, user, { ...this.#originOf(page), ...proof }, isPending);
    if (!isPending) return this.#signedIn(page, user, secret, to, timeZone);
    const cookie = cookies.sessionCookie(page.request, this.context.config.baseUrl, secret, PENDING_SESSION_TTL);
    return redirectTo(`/dashboard/second-factor?to=${encodeURIComponent(to)}`, { 'Set-Cookie': cookie });
  }

  /** Ends a pending sign-in and redirects to `to`. Returns null if the code is wrong. */
  async completeSecondFactor(
    page: PageContext,
    { user, session }: Readonly<{ user: User; session: Session }>,
    code: string,
    to: string,
    timeZone: string | null,
  ): Promise<Response | null> {
    const secret = await passSecondFactor(this.context, user, session, code, this.#originOf(page));
    return secret === null ? null : this.#signedIn(page, user, secret, to, timeZone);
  }

  async #signedIn(page: PageContext, user: User, secret: string, to: string, timeZone: string | null) {
    const { request } = page;
    if (user.timeZone === null && timeZone !== null) await this.context.store.users.update(user.id, { timeZone });
    const { baseUrl } = this.context.config;
    const answer = redirectTo(to);
    answer.headers.append('Set-Cookie', cookies.sessionCookie(request, baseUrl, secret, SESSION_TTL));
    answer.headers.append('Set-Cookie', cookies.deviceCookie(request, baseUrl, this.tries.markFor(user.email)));
    if (await this.#linkOffered(page, user)) answer.headers.append('Set-Cookie', this.stateCookie(page, null));
    return answer;
  }

  /** Links the identity that the browser brought from the provider, if its verified address is that of the user. */
  async #linkOffered(page: PageContext, user: User): Promise<boolean> {
    const { store } = this.context;
    const offer = this.stateOf(page);
    if (offer?.kind !== 'offer' || offer.email !== user.email) return false;
    if (!(await store.identities.add(user.id, offer.identity))) return false;
    const actor = { kind: 'user', id: user.id, name: user.email, address: this.shortAddressOf(page) } as const;
    const teamIds = getTeamIds(store, user.id);
    await recordAction(this.context, { teamIds, actor, action: 'identity.linked' });
    return true;
  }

  /** Returns the Set-Cookie header that keeps the state of a sign-in by the provider; null removes it. */
  stateCookie({ request }: PageContext, state: SignInState | null): string {
    const [sealed, maxAge] = state === null ? ['', 0] : [sealSignIn(this.context, state), SIGN_IN_STATE_TTL];
    return cookies.signInStateCookie(request, this.context.config.baseUrl, sealed, maxAge);
  }

  /** Returns the state that the browser has kept; null if there is none or it has expired. */
  stateOf({ request }: PageContext): SignInState | null {
    return openSignIn(this.context, cookies.getSignInState(request, this.context.config.baseUrl) ?? '');
  }

  /** Records a failed sign-in. */
  noteFailure(page: PageContext, email: string): void {
    this.#failed.note(email, this.#attemptBy(page));
    this.context.refusedClients.note(page.request, page.server, 'sign_in_failed');
  }

  /** Logs an attempt that was refused after too many wrong ones. */
  noteRateLimited(page: PageContext, email: string): void {
    this.#failed.noteRateLimited(email, this.#attemptBy(page));
    this.context.refusedClients.note(page.request, page.server, 'rate_limited');
  }

  #attemptBy(page: PageContext) {
    return { request: requestId(page.request), address: this.shortAddressOf(page) };
  }

  /** Returns the client's address, shortened for storage; null if the server does not know it. */
  shortAddressOf({ request, server }: PageContext): string | null {
    return this.context.clientAddress.shortOf(request, server);
  }

  #originOf(page: PageContext): Pick<Session, 'address' | 'browser'> {
    const browser = browserName(shortHeader(page.request, 'user-agent') ?? '');
    return { address: shortAddress(this.#addressOf(page)), browser };
  }

  #addressOf({ request, server }: PageContext): string {
    return this.context.clientAddress.ofRequest(request, server) ?? '';
  }
}
