import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { html } from '../../lib/html.ts';
import { parseAccountEmail } from '../../services/accounts.ts';
import type { Arrival, Entry } from './entry.ts';
import { flash } from './flash';
import type { Page } from './layout.ts';
import { presentPasswordField } from './password-field.ts';
import type { Reader } from './reader.ts';
import { safeRedirect } from './safe-redirect';
import { timeZoneField, timeZoneOf } from './time-zone-field.ts';
import { redirectTo, type Visit, type Visits } from './visit.ts';

const BUSY_SECONDS = 5;

/** Signing in, and out again. */
export function signInPages({ store }: Context, visits: Visits, entry: Entry) {
  const show = async ({ request, query, reader }: Visit) => {
    const to = safeRedirect(query.get('to') ?? '');
    if ((await visits.userOf(request))?.session.isPending === false) return redirectTo(to);
    const done = flash(reader.texts.signIn.done, query);
    return signInPage(reader, { to, email: '', done, isFirst: !(await store.hasUsers()) });
  };

  const signIn = async (arrival: Arrival, { reader, note }: Visit, sent: URLSearchParams) => {
    const to = safeRedirect(sent.get('to') ?? '');
    const typed = sent.get('email') ?? '';
    const email = parseAccountEmail(typed);
    const password = sent.get('password') ?? '';
    const again = (error: string, status: number, headers = {}) =>
      signInPage(reader, { to, email: typed, error, status, headers });
    const { texts } = reader;
    if (email === null || password === '') return again(texts.signIn.wrong, 400);

    const from = entry.triedFrom(arrival);
    // A browser that is known has few tries and waits its turn: a flood of others cannot shut it out.
    const isTurnedAway = entry.accounts.isBusy && !entry.tries.isKnown(email, from);
    const seconds = isTurnedAway ? BUSY_SECONDS : entry.tries.begin(email, from);
    if (seconds > 0) {
      entry.noteRateLimited(arrival, email);
      return again(texts.signIn.wait(seconds), 429, { 'Retry-After': String(seconds) });
    }
    const user = await entry.accounts.authenticate(email, password);
    if (!user) {
      entry.noteFailure(arrival, email);
      return again(texts.signIn.wrong, 400);
    }
    entry.tries.succeed(email, from);
    // Whoever has a second factor is signed in once it was given.
    note({}, (await store.findSecondFactor(user.id)) ? { action: null } : { user });
    return entry.letIn(arrival, user, to, timeZoneOf(sent));
  };

  return new Elysia()
    .get('/dashboard/sign-in', visits.openPage(show))
    .post('/dashboard/sign-in', (asked) => visits.openAction((visit, sent) => signIn(asked, visit, sent))(asked), {
      parse: 'none',
    })
    .post(
      '/dashboard/sign-out',
      // Also for those who belong to no team any more, or have not given their second factor yet.
      visits.openAction(async ({ request, note }) => {
        const found = await visits.userOf(request);
        if (found) await store.endSession(found.user.id, found.session.id);
        else note({}, { action: null });
        return redirectTo('/dashboard/sign-in?done=out', signedOutHeaders(request));
      }),
      { parse: 'none' },
    );
}

type Shown = Readonly<{
  to: string;
  email: string;
  /** Whether nobody has an account yet. */
  isFirst?: boolean;
  error?: string;
}> &
  Pick<Page, 'done' | 'status' | 'headers'>;

function signInPage(reader: Reader, { to, email, isFirst, error, ...page }: Shown): Page {
  const { signIn, password, account } = reader.texts;
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
${presentPasswordField(reader, password.label, error !== undefined)}
<input type="hidden" name="to" value="${to}">${timeZoneField}
<div class="row"><button>${signIn.submit}</button><a href="/dashboard/reset">${signIn.forgotten}</a></div>
</form>`,
  };
}
