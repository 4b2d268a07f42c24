import type { Context } from '../context/context.ts';
import type { Session, User } from '../domain/users/user.ts';
import { requestId } from '../http/request-id.ts';
import { sessionCookie } from '../http/session-cookie.ts';
import type { Accounts } from '../services/users/accounts.ts';
import { hashToken, newToken, RECENT_PASSWORD } from '../services/users/sessions.ts';
import type { SignInThrottle } from '../services/users/sign-in-throttle.ts';
import type { Page, PageContext } from './page.ts';

/** Status and headers of a page that shows an error. */
export type ErrorAnswer = Pick<Page, 'status' | 'headers'>;

/** The error of a password that is wrong or was not checked, with the status of the page that shows it. */
export type PasswordError = Readonly<{ field: 'password'; error: string }> & ErrorAnswer;

/** Confirms the password before a change that a stolen session must not make, and renews the session after it. */
export class PasswordCheck {
  constructor(
    private readonly context: Context,
    readonly accounts: Accounts,
    private readonly tries: SignInThrottle,
  ) {}

  /** Returns true if the password was checked in this session a short time ago. */
  isRecent({ session }: Pick<PageContext<'self'>, 'session'>): boolean {
    // Both ways, because the clock may jump.
    return Math.abs(this.context.clock() - session.passwordAt) <= RECENT_PASSWORD;
  }

  /** Checks the password in `form`. Returns null if it is right. */
  async errorOf(
    { request, user, session, viewer }: PageContext<'self'>,
    form: URLSearchParams,
  ): Promise<PasswordError | null> {
    const { account, signIn } = viewer.texts;
    // Attempts count per session, so that a stolen session can't guess the password.
    const from = { client: session.id, mark: null };
    const waitSeconds = await this.tries.begin(session.id, from);
    const facts = { request: requestId(request), user: user.id };
    if (waitSeconds > 0) {
      this.context.log.info('a password confirmation was refused after too many attempts', facts);
      const headers = { 'Retry-After': String(waitSeconds) };
      return { field: 'password', error: signIn.wait(waitSeconds), status: 429, headers };
    }
    const isRight = (await this.accounts.authenticate(user.email, form.get('password') ?? '')) !== null;
    if (!isRight) {
      this.context.log.info('a password confirmation was wrong', facts);
      return { field: 'password', error: account.wrongPassword, status: 400 };
    }
    await this.tries.takeBack(session.id, from);
    await this.context.store.sessions.recordPasswordCheck(session.id, this.context.clock());
    return null;
  }

  /** Gives the session a new secret, so that a stolen cookie stops working. Returns the headers that set its cookie. */
  async renew({
    request,
    user,
    session,
  }: Readonly<{ request: Request; user: User; session: Session }>): Promise<Readonly<Record<string, string>>> {
    const { store, clock, config } = this.context;
    const secret = newToken();
    if (!(await store.sessions.renew(user.id, session.id, hashToken(secret)))) return {};
    return { 'Set-Cookie': sessionCookie(request, config.baseUrl, secret, session.expiresAt - clock()) };
  }
}

/** Returns status and headers of a page that shows an error; 400 by default. */
export function getAnswer({ status = 400, headers = {} }: ErrorAnswer): ErrorAnswer {
  return { status, headers };
}
