/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../context/context.ts';
import { getRelyingParty } from '../domain/users/passkey.ts';
import type { Session, User } from '../domain/users/user.ts';
import type { Peers } from '../http/client-address.ts';
import { requestId } from '../http/request-id.ts';
import { sessionCookie } from '../http/session-cookie.ts';
import type { Accounts } from '../services/users/accounts.ts';
import { findPasskey, verifyPasskey } from '../services/users/passkeys.ts';
import { hashToken, newToken, RECENT_PASSWORD } from '../services/users/sessions.ts';
import type { SignInThrottle } from '../services/users/sign-in-throttle.ts';
import { ErrorMessage, SubmitRow } from './ui/elements.tsx';
import { type Page, TEAM_FIELD } from './ui/layout.tsx';
import { CurrentPasswordField, UsernameHint } from './ui/password-field.tsx';
import { ACCOUNT_TEXTS } from './users/account/texts.ts';
import { PASSKEY_TEXTS } from './users/passkeys/texts.ts';
import { OIDC_TEXTS } from './users/sign-in/oidc/texts.ts';
import { SIGN_IN_TEXTS } from './users/sign-in/texts.ts';
import type { Viewer } from './viewer.ts';

/** A request of a signed-in user. */
type OwnRequest = Readonly<{ request: Request; server: Peers | null; user: User; session: Session; viewer: Viewer }>;

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

  /** Returns true after a recent sign-in or password check in this session; a proxy vouches for each request. */
  isRecent({ session }: Pick<OwnRequest, 'session'>): boolean {
    if (session.method === 'header') return true;
    // Both ways, because the clock may jump.
    return Math.abs(this.context.clock() - session.passwordAt) <= RECENT_PASSWORD;
  }

  /**
   * Checks the password in `form`, or the passkey in its place; of a user without either, or signed in by a provider,
   * that the sign-in is recent. Returns null if that is so.
   */
  async errorOf(page: OwnRequest, form: URLSearchParams): Promise<PasswordError | null> {
    const { request, user, session, viewer } = page;
    const passkey = form.get('passkey') ?? '';
    if (passkey === '' && !viewer.hasPassword && (!viewer.hasPasskey || session.method === 'oidc')) {
      if (this.isRecent({ session })) return null;
      return { field: 'password', error: OIDC_TEXTS[viewer.language].noPassword, status: 403 };
    }
    const account = ACCOUNT_TEXTS[viewer.language];
    const signIn = SIGN_IN_TEXTS[viewer.language];
    // Attempts count per session, so that a stolen session can't guess the password.
    const from = { client: session.id, mark: null };
    const waitSeconds = await this.tries.begin(session.id, from);
    const facts = { request: requestId(request), user: user.id };
    if (waitSeconds > 0) {
      this.context.log.info('a password confirmation was refused after too many attempts', facts);
      const headers = { 'Retry-After': String(waitSeconds) };
      const error = signIn.wait(waitSeconds);
      return { field: 'password', error, status: 429, headers };
    }
    const isRight =
      passkey === ''
        ? (await this.accounts.authenticate(user.email, form.get('password') ?? '')) !== null
        : await this.#isOwnPasskey(page, passkey);
    if (!isRight) {
      this.context.log.info('a password confirmation was wrong', facts);
      const isPassword = passkey === '' && viewer.hasPassword;
      const error = isPassword ? account.wrongPassword : PASSKEY_TEXTS[viewer.language].refused;
      return { field: 'password', error, status: 400 };
    }
    await this.tries.takeBack(session.id, from);
    await this.context.store.sessions.recordPasswordCheck(session.id, this.context.clock());
    return null;
  }

  /** Returns whether a passkey of the user gave this answer in the session. */
  async #isOwnPasskey({ request, server, user, session }: OwnRequest, answer: string): Promise<boolean> {
    const party = getRelyingParty(this.context.config.baseUrl, request);
    const found = await findPasskey(this.context, answer);
    if (!party || found?.user.id !== user.id) return false;
    const address = this.context.clientAddress.shortOf(request, server);
    const question = { party, purpose: 'confirm', browser: session.id, address } as const;
    return typeof (await verifyPasskey(this.context, question, found, answer)) === 'object';
  }

  /** Gives the session a new secret, so that a stolen cookie stops working. Returns the headers that set its cookie. */
  async renew({ request, user, session }: Omit<OwnRequest, 'viewer'>): Promise<Readonly<Record<string, string>>> {
    const { store, clock, config } = this.context;
    const secret = newToken();
    if (!(await store.sessions.renew(user.id, session.id, hashToken(secret)))) return {};
    return { 'Set-Cookie': sessionCookie(request, config.baseUrl, secret, session.expiresAt - clock()) };
  }
}

/** Returns status and headers of a page that shows an error; 400 by default. */
export const getAnswer = ({ status = 400, headers = {} }: ErrorAnswer): ErrorAnswer => ({ status, headers });

/** The error of a confirmation; `field` is set if the password is wrong. */
export type ConfirmError = Readonly<{ error: string; field?: 'password' }> & ErrorAnswer;

/**
 * Title and text of the page, the label of its button, and the path of its action. `form` is the input to keep in
 * hidden fields.
 */
type Question = Readonly<{ path: string; title: string; text: string; button: string; form?: URLSearchParams }>;

/** Asks for the password before an action. `failed` is the error of the previous attempt. */
export function passwordQuestion(
  { viewer, user }: OwnRequest,
  { path, title, text, button, form }: Question,
  failed: ConfirmError | null,
): Page {
  const kept = [...(form ?? [])].filter(([name]) => !['password', 'passkey', TEAM_FIELD].includes(name));
  return {
    ...(failed && getAnswer(failed)),
    title,
    section: 'account',
    body: (
      <>
        <h1>{title}</h1>
        <p class="soft">{user.email}</p>
        <p>{text}</p>
        <ErrorMessage error={failed?.error} />
        <form method="post" action={path} class="card">
          <UsernameHint email={user.email} />
          {kept.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <CurrentPasswordField viewer={viewer} isWrong={failed?.field === 'password'} />
          <SubmitRow
            viewer={viewer}
            text={button}
            cancel={form ? '/dashboard' : '/dashboard/account'}
            isDanger={!form}
          />
        </form>
      </>
    ),
  };
}

/** Asks for the password before an action that needs a recent one, and keeps the action's input. */
export function recentPasswordQuestion(page: OwnRequest, form: URLSearchParams, failed: ConfirmError | null): Page {
  const path = new URL(page.request.url).pathname;
  return passwordQuestion(page, { path, ...page.viewer.texts.recentPassword, form }, failed);
}
