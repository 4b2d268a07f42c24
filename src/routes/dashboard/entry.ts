import type { Context } from '../../context.ts';
import type { Session, User } from '../../domain/user.ts';
import { browserName } from '../../http/browser-name.ts';
import { ClientAddress, type Peers, rateName, shortAddress } from '../../http/client-address.ts';
import { deviceCookie, deviceCookieOf } from '../../http/device-cookie';
import { requestId } from '../../http/request-id.ts';
import { sessionCookie, sessionSecretOf } from '../../http/session-cookie.ts';
import { Accounts } from '../../services/accounts.ts';
import { FailedSignIns } from '../../services/audit.ts';
import { passSecondFactor } from '../../services/second-factor.ts';
import { hashToken, newToken, PENDING_SESSION_TTL, SESSION_TTL, startSession } from '../../services/sessions.ts';
import { CODE_LIMITS, type SignInSource, SignInThrottle } from '../../services/sign-in-throttle.ts';
import type { Page } from './layout.ts';
import { type OwnVisit, redirectTo } from './visit.ts';

/** A request with the server that it came to, which knows from where. */
export type Arrival = Readonly<{ request: Request; server: Peers | null }>;

/** What a page says of a password that was not taken. */
export type PasswordWrong = Readonly<{ field: 'password'; error: string }> & Pick<Page, 'status' | 'headers'>;

/** How people come in: what the pages share on which someone signs in. */
export class Entry {
  readonly accounts: Accounts;
  readonly tries: SignInThrottle;
  /** Of the second factor's codes, by those whose password was right. */
  readonly codeTries: SignInThrottle;
  readonly #failed: FailedSignIns;
  readonly #addresses: ClientAddress;

  constructor(private readonly context: Context) {
    this.accounts = new Accounts(context);
    this.tries = new SignInThrottle(context);
    this.codeTries = new SignInThrottle(context, CODE_LIMITS);
    this.#failed = new FailedSignIns(context);
    this.#addresses = new ClientAddress(context.config.trustedProxies);
  }

  /** What is wrong with the password that somebody signed in gives once more, for a change; null if it is right. */
  async passwordFault(
    { request, user, session, reader }: OwnVisit,
    sent: URLSearchParams,
  ): Promise<PasswordWrong | null> {
    const { account, signIn } = reader.texts;
    // Counted by the session: who has taken one over must not be able to guess on.
    const from = { client: session.id, mark: null };
    const waitSeconds = this.tries.begin(session.id, from);
    const facts = { request: requestId(request), user: user.id };
    if (waitSeconds > 0) {
      this.context.log.info('a password given once more was held off', facts);
      const headers = { 'Retry-After': String(waitSeconds) };
      return { field: 'password', error: signIn.wait(waitSeconds), status: 429, headers };
    }
    const isRight = (await this.accounts.authenticate(user.email, sent.get('password') ?? '')) !== null;
    if (!isRight) {
      this.context.log.info('a password given once more was wrong', facts);
      return { field: 'password', error: account.wrongPassword, status: 400 };
    }
    this.tries.succeed(session.id, from);
    return null;
  }

  /**
   * A new secret for the session in which somebody gave their password once more, so that the old one is of no use to
   * whoever has got it; the headers that hand it to the browser.
   */
  async renew({
    request,
    user,
    session,
  }: Readonly<{ request: Request; user: User; session: Session }>): Promise<Readonly<Record<string, string>>> {
    const { store, clock } = this.context;
    const secret = newToken();
    if (!(await store.renewSession(user.id, session.id, hashToken(secret)))) return {};
    return { 'Set-Cookie': sessionCookie(request, secret, session.expiresAt - clock()) };
  }

  triedFrom(arrival: Arrival): SignInSource {
    return { client: rateName(this.#addressOf(arrival)), mark: deviceCookieOf(arrival.request) };
  }

  /**
   * Signs a user in and leads on, by way of the second factor for whoever has one. A time zone is noted for whoever has
   * set none.
   */
  async letIn(arrival: Arrival, user: User, to: string, timeZone: string | null): Promise<Response> {
    await this.#endSessionOf(arrival);
    const isPending = (await this.context.store.findSecondFactor(user.id)) !== null;
    const secret = await startSession(this.context, user, this.#cameFrom(arrival), isPending);
    if (!isPending) return this.#signedIn(arrival, user, secret, to, timeZone);
    const cookie = sessionCookie(arrival.request, secret, PENDING_SESSION_TTL);
    return redirectTo(`/dashboard/second-factor?to=${encodeURIComponent(to)}`, { 'Set-Cookie': cookie });
  }

  /** What the browser had before is replaced, and should be of no more use to anybody. */
  async #endSessionOf({ request }: Arrival): Promise<void> {
    const secret = sessionSecretOf(request);
    const found = secret === null ? null : await this.context.store.findSession(hashToken(secret));
    if (found) await this.context.store.endSession(found.user.id, found.session.id);
  }

  /** Signs in a user whose second factor is asked for, and leads on; null if the code is not right. */
  async letPass(
    arrival: Arrival,
    { user, session }: Readonly<{ user: User; session: Session }>,
    code: string,
    to: string,
    timeZone: string | null,
  ): Promise<Response | null> {
    const secret = await passSecondFactor(this.context, user, session, code, this.#cameFrom(arrival));
    return secret === null ? null : this.#signedIn(arrival, user, secret, to, timeZone);
  }

  async #signedIn({ request }: Arrival, user: User, secret: string, to: string, timeZone: string | null) {
    if (user.timeZone === null && timeZone !== null) await this.context.store.updateUser(user.id, { timeZone });
    const answer = redirectTo(to);
    answer.headers.append('Set-Cookie', sessionCookie(request, secret, SESSION_TTL));
    answer.headers.append('Set-Cookie', deviceCookie(request, this.tries.markFor(user.email)));
    return answer;
  }

  /** Records that somebody tried to sign in with an address and failed. */
  noteFailure(arrival: Arrival, email: string): void {
    this.#failed.note(email, this.#triedBy(arrival));
  }

  /** Logs that a try was not looked at, after too many wrong ones. */
  noteRateLimited(arrival: Arrival, email: string): void {
    this.#failed.noteRateLimited(email, this.#triedBy(arrival));
  }

  #triedBy(arrival: Arrival) {
    return { request: requestId(arrival.request), address: this.shortAddressOf(arrival) };
  }

  /** As it may be kept; null where the server cannot tell. */
  shortAddressOf({ request, server }: Arrival): string | null {
    return this.#addresses.shortOf(request, server);
  }

  #cameFrom(arrival: Arrival): Pick<Session, 'address' | 'browser'> {
    const browser = browserName(arrival.request.headers.get('user-agent') ?? '');
    return { address: shortAddress(this.#addressOf(arrival)), browser };
  }

  #addressOf({ request, server }: Arrival): string {
    const peer = server?.requestIP(request)?.address ?? '';
    return this.#addresses.of(peer, request.headers.get('x-forwarded-for'));
  }
}
