import type { Context } from '../../context.ts';
import type { Session, User } from '../../domain/user.ts';
import { browserName } from '../../http/browser-name.ts';
import { ClientAddress, type Peers, rateName, shortAddress } from '../../http/client-address.ts';
import { deviceCookie, deviceCookieOf } from '../../http/device-cookie.ts';
import { requestId } from '../../http/request-id.ts';
import { sessionCookie, sessionSecretOf } from '../../http/session-cookie.ts';
import type { Accounts } from '../../services/accounts.ts';
import { FailedSignIns } from '../../services/audit.ts';
import { passSecondFactor } from '../../services/second-factor.ts';
import { hashToken, PENDING_LIFE, SESSION_LIFE, startSession } from '../../services/sessions.ts';
import { OF_CODES, SignInTries, type TriedFrom } from '../../services/sign-in-tries.ts';
import { redirectTo } from '../page.ts';

/** A request with the server that it came to, which knows from where. */
export type Arrival = Readonly<{ request: Request; server: Peers | null }>;

/** Signs users in: shared by the pages that end in a session. */
export class SignInFlow {
  /** Of the second factor's codes, by those whose password was right. */
  readonly codeTries: SignInTries;
  readonly #failed: FailedSignIns;
  readonly #addresses: ClientAddress;

  constructor(
    private readonly context: Context,
    readonly accounts: Accounts,
    readonly tries: SignInTries,
  ) {
    this.codeTries = new SignInTries(context, OF_CODES);
    this.#failed = new FailedSignIns(context);
    this.#addresses = new ClientAddress(context.config.trustedProxies);
  }

  triedFrom(arrival: Arrival): TriedFrom {
    return { client: rateName(this.#addressOf(arrival)), mark: deviceCookieOf(arrival.request) };
  }

  /**
   * Signs a user in and leads on, by way of the second factor for whoever has one. A time zone is noted for whoever has
   * set none.
   */
  async signIn(arrival: Arrival, user: User, to: string, timeZone: string | null): Promise<Response> {
    await this.#endSessionOf(arrival);
    const isPending = (await this.context.store.findSecondFactor(user.id)) !== null;
    const secret = await startSession(this.context, user, this.#cameFrom(arrival), isPending);
    if (!isPending) return this.#signedIn(arrival, user, secret, to, timeZone);
    const cookie = sessionCookie(arrival.request, secret, PENDING_LIFE);
    return redirectTo(`/dashboard/second-factor?to=${encodeURIComponent(to)}`, { 'Set-Cookie': cookie });
  }

  /** What the browser had before is replaced, and should be of no more use to anybody. */
  async #endSessionOf({ request }: Arrival): Promise<void> {
    const secret = sessionSecretOf(request);
    const found = secret === null ? null : await this.context.store.findSession(hashToken(secret));
    if (found) await this.context.store.endSession(found.user.id, found.session.id);
  }

  /** Signs in a user whose second factor is asked for, and leads on; null if the code is not right. */
  async completeSecondFactor(
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
    answer.headers.append('Set-Cookie', sessionCookie(request, secret, SESSION_LIFE));
    answer.headers.append('Set-Cookie', deviceCookie(request, this.tries.markFor(user.email)));
    return answer;
  }

  /** Records that somebody tried to sign in with an address and failed. */
  noteFailure(arrival: Arrival, email: string): void {
    this.#failed.note(email, this.#triedBy(arrival));
  }

  /** Logs that a try was not looked at, after too many wrong ones. */
  noteHeldOff(arrival: Arrival, email: string): void {
    this.#failed.noteHeldOff(email, this.#triedBy(arrival));
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
