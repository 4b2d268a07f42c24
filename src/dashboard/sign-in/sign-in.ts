import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { html } from '../../lib/html.ts';
import { accountEmail } from '../../services/accounts.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { presentPasswordField } from '../ui/password-field.ts';
import { timeZoneField, timeZoneOf } from '../ui/time-zone-field.ts';
import type { Viewer } from '../viewer.ts';
import { safeRedirect } from './safe-redirect.ts';
import type { SignInFlow } from './sign-in-flow.ts';

const BUSY_SECONDS = 5;

/** Signing in, and out again. */
export function signInPageRoutes({ store }: Context, flow: SignInFlow) {
  const show = async ({ query, viewer, currentUser }: PageContext) => {
    const to = safeRedirect(query.get('to') ?? '');
    if (currentUser?.session.isPending === false) return redirectTo(to);
    const done = flash(viewer.texts.signIn.done, query);
    return signInPage(viewer, { to, email: '', done, isFirst: !(await store.hasUsers()) });
  };

  const signIn = async (page: PageContext, sent: URLSearchParams) => {
    const { viewer, note } = page;
    const to = safeRedirect(sent.get('to') ?? '');
    const typed = sent.get('email') ?? '';
    const email = accountEmail(typed);
    const password = sent.get('password') ?? '';
    const again = (error: string, status: number, headers = {}) =>
      signInPage(viewer, { to, email: typed, error, status, headers });
    const { texts } = viewer;
    if (email === null || password === '') return again(texts.signIn.wrong, 400);

    const from = flow.triedFrom(page);
    // A browser that is known has few tries and waits its turn: a flood of others cannot shut it out.
    const isTurnedAway = flow.accounts.isBusy && !flow.tries.isKnown(email, from);
    const seconds = isTurnedAway ? BUSY_SECONDS : flow.tries.begin(email, from);
    if (seconds > 0) {
      flow.noteHeldOff(page, email);
      return again(texts.signIn.wait(seconds), 429, { 'Retry-After': String(seconds) });
    }
    const user = await flow.accounts.find(email, password);
    if (!user) {
      flow.noteFailure(page, email);
      return again(texts.signIn.wrong, 400);
    }
    flow.tries.succeed(email, from);
    // Whoever has a second factor is signed in once it was given.
    note({}, (await store.findSecondFactor(user.id)) ? { action: null } : { user });
    return flow.signIn(page, user, to, timeZoneOf(sent));
  };

  /** Open, so that users without a team or with a pending session can sign out too. */
  const signOut = async ({ request, currentUser, note }: PageContext) => {
    if (currentUser) await store.endSession(currentUser.user.id, currentUser.session.id);
    else note({}, { action: null });
    return redirectTo('/dashboard/sign-in?done=out', signedOutHeaders(request));
  };

  return [
    page('/dashboard/sign-in', { access: 'open' }, show),
    action('/dashboard/sign-in', { access: 'open', audit: 'signed_in' }, signIn),
    action('/dashboard/sign-out', { access: 'open', audit: 'signed_out' }, signOut),
  ];
}

type Shown = Readonly<{
  to: string;
  email: string;
  /** Whether nobody has an account yet. */
  isFirst?: boolean;
  error?: string;
}> &
  Pick<Page, 'done' | 'status' | 'headers'>;

function signInPage(viewer: Viewer, { to, email, isFirst, error, ...page }: Shown): Page {
  const { signIn, password, account } = viewer.texts;
  return {
    ...page,
    title: signIn.title,
    section: null,
    body: html`<h1>${signIn.title}</h1>
${isFirst && html`<p class="note">${signIn.first}</p>`}
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="/dashboard/sign-in" class="card">
<div class="field"><label for="email">${account.email}</label>
<input type="email" id="email" name="email" value="${email}" required autocomplete="username"></div>
${presentPasswordField(viewer, password.label, error !== undefined)}
<input type="hidden" name="to" value="${to}">${timeZoneField}
<div class="row"><button>${signIn.submit}</button><a href="/dashboard/reset">${signIn.forgotten}</a></div>
</form>`,
  };
}
