import type { Context } from '../../context.ts';
import type { Session, User } from '../../domain/user.ts';
import { requestId } from '../../http/request-id.ts';
import { sessionCookie } from '../../http/session-cookie.ts';
import type { Accounts } from '../../services/accounts.ts';
import { hashToken, newToken } from '../../services/sessions.ts';
import type { SignInTries } from '../../services/sign-in-tries.ts';
import type { PageContext } from '../page.ts';
import type { Page } from '../ui/layout.tsx';

/** The answer to a password that was wrong, or was not looked at. */
export type PasswordFault = Readonly<{ field: 'password'; error: string }> & Pick<Page, 'status' | 'headers'>;

/** Asks for the password once more before a change of the account, and renews the session after it. */
export class PasswordCheck {
  constructor(
    private readonly context: Context,
    readonly accounts: Accounts,
    private readonly tries: SignInTries,
  ) {}

  /** Returns the fault of the password in `sent`, or null if it is right. */
  async faultOf(
    { request, user, session, viewer }: PageContext<'self'>,
    sent: URLSearchParams,
  ): Promise<PasswordFault | null> {
    const { account, signIn } = viewer.texts;
    // Counted by the session, so that a stolen one is no way to guess the password.
    const from = { client: session.id, mark: null };
    const waitSeconds = this.tries.begin(session.id, from);
    const facts = { request: requestId(request), user: user.id };
    if (waitSeconds > 0) {
      this.context.log.info('a password given once more was held off', facts);
      const headers = { 'Retry-After': String(waitSeconds) };
      return { field: 'password', error: signIn.wait(waitSeconds), status: 429, headers };
    }
    const isRight = (await this.accounts.find(user.email, sent.get('password') ?? '')) !== null;
    if (!isRight) {
      this.context.log.info('a password given once more was wrong', facts);
      return { field: 'password', error: account.wrongPassword, status: 400 };
    }
    this.tries.succeed(session.id, from);
    return null;
  }

  /** Gives the session a new secret, so that a stolen one ends here. Returns the headers that set its cookie. */
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
}
