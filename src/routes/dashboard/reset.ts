import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import type { PasswordFault } from '../../domain/password.ts';
import { HOUR, MINUTE } from '../../lib/clock.ts';
import { html } from '../../lib/html.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import { createResetLink, parseAccountEmail } from '../../services/accounts.ts';
import { ANONYMOUS, recordAction } from '../../services/audit.ts';
import { teamIdsOf } from '../../services/teams.ts';
import type { Arrival, Entry } from './entry.ts';
import { flash } from './flash';
import type { Page } from './layout.ts';
import { sendLink } from './link-mail.ts';
import { newPasswordField } from './password-field.ts';
import type { Reader } from './reader.ts';
import { LANGUAGES, type Language, TEXTS } from './texts/index.ts';
import { redirectTo, type Visit, type Visits } from './visit.ts';

const PATH = '/dashboard/reset/:token';

/** Setting a forgotten password anew, by a link that is mailed or that `formstead user reset` prints. */
export function resetPages(context: Context, visits: Visits, entry: Entry) {
  const mailLink = linkMailer(context);
  const clients = new SlidingWindow(10, 10 * MINUTE);

  const show = ({ query, reader }: Visit) => {
    if (!mailLink) return noMailPage(reader);
    return requestPage(reader, { done: flash(reader.texts.reset.done, query) });
  };

  const request = (arrival: Arrival, { reader }: Visit, sent: URLSearchParams) => {
    if (!mailLink) return noMailPage(reader);
    const { texts, language } = reader;
    const typed = sent.get('email') ?? '';
    const email = parseAccountEmail(typed);
    if (email === null) return requestPage(reader, { email: typed, error: texts.account.noEmail, status: 400 });
    const { allowed, resetSeconds } = clients.take(entry.triedFrom(arrival).client, context.monotonic());
    if (!allowed) {
      const headers = { 'Retry-After': String(resetSeconds) };
      return requestPage(reader, { email: typed, error: texts.signIn.wait(resetSeconds), status: 429, headers });
    }
    // After the answer, which is the same and takes as long where there is no account, or too many mails were asked for.
    setTimeout(() => mailLink(email, language, entry.shortAddressOf(arrival)));
    return redirectTo('/dashboard/reset?done=sent');
  };

  const showLink = async ({ param, reader }: Visit) => {
    const user = await entry.accounts.userOfResetLink(param('token'));
    return user ? passwordPage(reader, user.email) : usedUpPage(reader);
  };

  const set = async (arrival: Arrival, { param, reader, note }: Visit, sent: URLSearchParams) => {
    const token = param('token');
    const owner = await entry.accounts.userOfResetLink(token);
    const user = owner ? await entry.accounts.resetPassword(token, owner, sent.get('new_password') ?? '') : 'link';
    if (!owner || user === 'link') return usedUpPage(reader);
    if (typeof user === 'string') return passwordPage(reader, owner.email, user);
    note({}, { user });
    return entry.letIn(arrival, user, '/dashboard/forms', null);
  };

  return new Elysia()
    .get('/dashboard/reset', visits.openPage(show))
    .post('/dashboard/reset', (asked) => visits.openAction((visit, sent) => request(asked, visit, sent))(asked), {
      parse: 'none',
    })
    .get(PATH, visits.openPage(showLink))
    .post(PATH, (asked) => visits.openAction((visit, sent) => set(asked, visit, sent))(asked), { parse: 'none' });
}

/**
 * Sends the link to whoever has an account with the address, in their language or else the one given, at most three times
 * an hour; never throws. The link is in the mail and nowhere else. Null where no mail server is set, and where `BASE_URL`
 * is not: a link that took its host from the request would lead to whatever host an attacker's request names.
 */
function linkMailer({ store, clock, monotonic, log, mail, config: { baseUrl } }: Context) {
  if (!mail || baseUrl === null) return null;
  const mailed = new SlidingWindow(3, HOUR);
  return async (email: string, fallback: Language, address: string | null): Promise<void> => {
    try {
      const user = await store.findUserByEmail(email);
      if (!user || !mailed.take(user.id, monotonic()).allowed) return;
      const { token } = await createResetLink({ store, clock }, user.id);
      await recordAction(
        { store, clock, log },
        {
          teamIds: await teamIdsOf(store, user.id),
          actor: { ...ANONYMOUS, address },
          action: 'reset_link.mailed',
          details: { user_id: user.id },
        },
      );
      const url = `${baseUrl}/dashboard/reset/${token}`;
      const { reset } = TEXTS[LANGUAGES.find((known) => known === user.language) ?? fallback];
      const { outcome } = await sendLink(mail, clock, { to: user.email, url, ...reset.mail });
      if (outcome !== 'sent') log.error('a mail to reset a password was not sent', { outcome });
    } catch (error) {
      log.error('a mail to reset a password was not sent', { error: error instanceof Error ? error.name : '' });
    }
  };
}

type Shown = Readonly<{ email?: string; error?: string }> & Pick<Page, 'done' | 'status' | 'headers'>;

function requestPage({ texts: { reset, account, signIn } }: Reader, { email, error, ...page }: Shown): Page {
  return {
    ...page,
    title: reset.title,
    section: null,
    body: html`<h1>${reset.title}</h1>
<p class="soft">${reset.text}</p>
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="/dashboard/reset" class="card">
<div class="field"><label for="email">${account.email}</label>
<input type="email" id="email" name="email" value="${email}" required autocomplete="username"></div>
<div class="row"><button>${reset.submit}</button><a href="/dashboard/sign-in">${signIn.title}</a></div>
</form>`,
  };
}

function noMailPage({ texts: { reset, signIn } }: Reader): Page {
  return {
    title: reset.title,
    section: null,
    body: html`<h1>${reset.title}</h1>
<p>${reset.noMail}</p>
<div class="stack"><pre>formstead user reset --email …</pre>
<p class="soft">${reset.toHaveMail}</p>
<p><a href="/dashboard/sign-in">${signIn.title}</a></p></div>`,
  };
}

function passwordPage(reader: Reader, email: string, fault?: PasswordFault): Page {
  const { reset, account, password } = reader.texts;
  return {
    title: reset.setTitle,
    section: null,
    ...(fault && { status: 400 }),
    body: html`<h1>${reset.setTitle}</h1>
<p class="soft">${reset.setText}</p>
${fault && html`<p class="error" role="alert">${password.fault[fault]}</p>`}
<form method="post" class="card">
<div class="field"><label for="email">${account.email}</label>
<input type="email" id="email" value="${email}" readonly autocomplete="username"></div>
${newPasswordField(reader, fault !== undefined)}
<button>${reset.setSubmit}</button>
</form>`,
  };
}

function usedUpPage({ texts: { reset, welcome } }: Reader): Page {
  return {
    title: welcome.usedUp,
    section: null,
    status: 404,
    body: html`<h1>${welcome.usedUp}</h1>
<p>${reset.usedUpText}</p>
<p><a href="/dashboard/reset">${reset.title}</a></p>`,
  };
}
