import type { Context } from '../../context.ts';
import type { Session } from '../../domain/user.ts';
import { type Html, html } from '../../lib/html.ts';
import { LANGUAGES, TEXTS } from '../i18n/index.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { newPasswordField, presentPasswordField } from '../ui/password-field.ts';
import { timeZoneOf } from '../ui/time-zone-field.ts';
import type { PasswordCheck, PasswordFault } from './password-check.ts';
import { secondFactorCard } from './second-factor.ts';
import { MOST_SESSIONS, sessionsCard } from './sessions.ts';

const PATH = '/dashboard/account';
/** What someone sets for themselves, and where they are signed in. */
export function preferenceRoutes({ store }: Context, passwords: PasswordCheck) {
  const show = async (page: PageContext<'self'>, wrong: Wrong | null = null) =>
    accountPage(page, await store.listSessions(page.user.id, MOST_SESSIONS), wrong);

  const setPreferences = async ({ user, note }: PageContext<'self'>, sent: URLSearchParams) => {
    const language = LANGUAGES.find((known) => known === sent.get('language')) ?? null;
    await store.updateUser(user.id, { language, timeZone: timeZoneOf(sent) ?? user.timeZone });
    note({ settings: 'language, timeZone' });
    return redirectTo(`${PATH}?done=saved`);
  };

  const setPassword = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    const { user, session, viewer } = page;
    const wrong = await passwords.faultOf(page, sent);
    if (wrong) return show(page, wrong);
    const fault = await passwords.accounts.changePassword(user, session, sent.get('new_password') ?? '');
    if (fault) return show(page, { field: 'new', error: viewer.texts.password.fault[fault] });
    return redirectTo(`${PATH}?done=password`, await passwords.renew(page));
  };

  return [
    page(PATH, { access: 'self' }, (page) => show(page)),
    action(`${PATH}/preferences`, { access: 'self', audit: 'account.changed' }, setPreferences),
    action(`${PATH}/password`, { access: 'self', audit: 'password.changed' }, setPassword),
  ];
}

/** What was wrong with a change of the password. */
type Wrong = PasswordFault | Readonly<{ field: 'new'; error: string }>;

function accountPage(
  { viewer, query, user, session, hasSecondFactor }: PageContext<'self'>,
  all: readonly Session[],
  wrong: Wrong | null,
): Page {
  const { account } = viewer.texts;
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
<select id="time_zone" name="time_zone">${timeZones(viewer.timeZone).map((zone) =>
      option(zone, zone.replaceAll('_', ' '), zone === viewer.timeZone),
    )}</select></div>
<button>${viewer.texts.common.save}</button>
</form></section>
<section class="card" aria-labelledby="change"><h2 id="change">${account.changePassword}</h2>
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${PATH}/password">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${presentPasswordField(viewer, account.presentPassword, field === 'password')}
${newPasswordField(viewer, field === 'new')}
<p class="small soft">${account.changeEnds}</p>
<button>${account.changePassword}</button>
</form></section>
${secondFactorCard(viewer, hasSecondFactor)}
${sessionsCard(viewer, all, session)}
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
