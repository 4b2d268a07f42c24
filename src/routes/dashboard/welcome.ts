import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { html } from '../../lib/html.ts';
import type { AccountFault } from '../../services/accounts.ts';
import { hashToken } from '../../services/sessions.ts';
import type { Arrival, Entry } from './entry.ts';
import type { Page } from './layout.ts';
import { newPasswordField } from './password-field.ts';
import type { Reader } from './reader.ts';
import { timeZoneField, timeZoneOf } from './time-zone-field.ts';
import type { Visit, Visits } from './visit.ts';

const PATH = '/dashboard/welcome/:token';

/** Making an account with a link that the start of the server or `formstead user create` has printed. */
export function welcomePages({ store }: Context, visits: Visits, entry: Entry) {
  const show = async ({ param, query, reader }: Visit) => {
    const link = await store.findLink(hashToken(param('token')));
    return link?.teamId ? welcomePage(reader, query.get('email') ?? '') : usedUpPage(reader);
  };

  const make = async (arrival: Arrival, { param, reader }: Visit, sent: URLSearchParams) => {
    const timeZone = timeZoneOf(sent);
    const email = sent.get('email') ?? '';
    const made = await entry.accounts.make(param('token'), {
      email,
      password: sent.get('new_password') ?? '',
      timeZone,
    });
    if (made === 'link') return usedUpPage(reader);
    if (typeof made === 'string') return welcomePage(reader, email, made);
    return entry.letIn(arrival, made, '/dashboard/forms', timeZone);
  };

  return new Elysia()
    .get(PATH, visits.openPage(show))
    .post(PATH, (asked) => visits.openAction((visit, sent) => make(asked, visit, sent))(asked), { parse: 'none' });
}

function welcomePage(reader: Reader, email: string, fault?: Exclude<AccountFault, 'link'>): Page {
  const { welcome, account, password } = reader.texts;
  const faults = { email: account.noEmail, taken: welcome.taken, ...password.fault };
  const isOfEmail = fault === 'email' || fault === 'taken';
  return {
    title: welcome.title,
    section: null,
    ...(fault && { status: 400 }),
    body: html`<h1>${welcome.title}</h1>
<p class="soft">${welcome.text}</p>
${fault && html`<p class="error" role="alert">${faults[fault]}</p>`}
<form method="post" class="card">
<div class="field"><label for="email">${account.email}</label>
<input type="email" id="email" name="email" value="${email}" required autocomplete="username"${isOfEmail && html` aria-invalid="true"`}></div>
${newPasswordField(reader, fault !== undefined && !isOfEmail)}
${timeZoneField}
<button>${welcome.submit}</button>
</form>`,
  };
}

function usedUpPage({ texts: { welcome, signIn } }: Reader): Page {
  return {
    title: welcome.usedUp,
    section: null,
    status: 404,
    body: html`<h1>${welcome.usedUp}</h1><p>${welcome.usedUpText}</p>
<div class="stack"><pre>formstead user create</pre>
<p><a href="/dashboard/sign-in">${signIn.title}</a></p></div>`,
  };
}
