import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import type { Session } from '../../domain/user.ts';
import { type Html, html } from '../../lib/html.ts';
import { LANGUAGES, TEXTS } from '../i18n/index.ts';
import { type OwnVisit, redirectTo, type Visits } from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.ts';
import { newPasswordField, presentPasswordField } from '../ui/password-field.ts';
import { timeZoneOf } from '../ui/time-zone-field.ts';
import type { PasswordCheck, PasswordFault } from './password-check.ts';
import { secondFactorCard } from './second-factor.ts';
import { MOST_SESSIONS, sessionsCard } from './sessions.ts';

const PATH = '/dashboard/account';
/** What someone sets for themselves, and where they are signed in. */
export function accountPages({ store }: Context, visits: Visits, passwords: PasswordCheck) {
  const show = async (visit: OwnVisit, wrong: Wrong | null = null) =>
    accountPage(visit, await store.listSessions(visit.user.id, MOST_SESSIONS), wrong);

  const setPreferences = async ({ user, note }: OwnVisit, sent: URLSearchParams) => {
    const language = LANGUAGES.find((known) => known === sent.get('language')) ?? null;
    await store.updateUser(user.id, { language, timeZone: timeZoneOf(sent) ?? user.timeZone });
    note({ settings: 'language, timeZone' });
    return redirectTo(`${PATH}?done=saved`);
  };

  const setPassword = async (visit: OwnVisit, sent: URLSearchParams) => {
    const { user, session, reader } = visit;
    const wrong = await passwords.faultOf(visit, sent);
    if (wrong) return show(visit, wrong);
    const fault = await passwords.accounts.changePassword(user, session, sent.get('new_password') ?? '');
    if (fault) return show(visit, { field: 'new', error: reader.texts.password.fault[fault] });
    return redirectTo(`${PATH}?done=password`, await passwords.renew(visit));
  };

  return new Elysia()
    .get(
      PATH,
      visits.ownPage((visit) => show(visit)),
    )
    .post(`${PATH}/preferences`, visits.ownAction(setPreferences), { parse: 'none' })
    .post(`${PATH}/password`, visits.ownAction(setPassword), { parse: 'none' });
}

/** What was wrong with a change of the password. */
type Wrong = PasswordFault | Readonly<{ field: 'new'; error: string }>;

function accountPage(
  { reader, query, user, session, hasSecondFactor }: OwnVisit,
  all: readonly Session[],
  wrong: Wrong | null,
): Page {
  const { account } = reader.texts;
  const { field, error, ...answer } = wrong ?? {};
  return {
    title: account.title,
    section: 'account',
    ...(wrong ? { status: 400, ...answer } : { done: flash(account.done, query) }),
    body: html`<div class="head"><div><h1>${account.title}</h1><p class="soft">${user.email}</p></div></div>
<section class="card" aria-labelledby="preferences"><h2 id="preferences">${account.preferences}</h2>
<form method="post" action="${PATH}/preferences">
<div class="field"><label for="language">${account.language}</label>
<select id="language" name="language"><option value="">${account.asBrowser}</option>${LANGUAGES.map((language) =>
      option(language, TEXTS[language].name, language === user.language),
    )}</select></div>
<div class="field"><label for="time_zone">${account.timeZone}</label>
<select id="time_zone" name="time_zone">${timeZones(reader.timeZone).map((zone) =>
      option(zone, zone.replaceAll('_', ' '), zone === reader.timeZone),
    )}</select></div>
<button>${reader.texts.common.save}</button>
</form></section>
<section class="card" aria-labelledby="change"><h2 id="change">${account.changePassword}</h2>
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${PATH}/password">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${presentPasswordField(reader, account.presentPassword, field === 'password')}
${newPasswordField(reader, field === 'new')}
<p class="small soft">${account.changeEnds}</p>
<button>${account.changePassword}</button>
</form></section>
${secondFactorCard(reader, hasSecondFactor)}
${sessionsCard(reader, all, session)}
<p><a class="button quiet" href="${PATH}/delete">${account.delete.link}</a></p>`,
  };
}

function option(value: string, words: string, isSet: boolean): Html {
  return html`<option value="${value}"${isSet && html` selected`}>${words}</option>`;
}

/** Those that there are, and the one that is set, which may have another name by now. */
function timeZones(present: string): readonly string[] {
  return [...new Set(['UTC', present, ...Intl.supportedValuesOf('timeZone')])];
}
