import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { signedOutHeaders } from '../../http/session-cookie.ts';
import { type Html, html } from '../../lib/html.ts';
import { SlidingWindow } from '../../lib/sliding-window.ts';
import {
  enableSecondFactor,
  newTotpOffer,
  openTotpOffer,
  otpauthUri,
  renewRecoveryCodes,
  type TotpOffer,
} from '../../services/second-factor.ts';
import { PENDING_SESSION_TTL } from '../../services/sessions.ts';
import type { Arrival, Entry } from './entry.ts';
import { flash } from './flash';
import type { Page } from './layout.ts';
import { presentPasswordField } from './password-field.ts';
import type { Reader } from './reader.ts';
import { safeRedirect } from './safe-redirect';
import { timeZoneField, timeZoneOf } from './time-zone-field.ts';
import { type OwnVisit, redirectTo, type SignedInVisit, UNREAD_BODY, type Visit, type Visits } from './visit.ts';

const PATH = '/dashboard/account/second-factor';
const ASKED_PATH = '/dashboard/second-factor';
const TEAM_PATH = '/dashboard/team/second-factor';
/** After so many wrong codes the password is asked for again. */
const TRIES = 5;
const FEW_CODES = 3;

/** A code beside the password: set up by each for themselves, asked for at sign-in, required by teams. */
export function secondFactorPages(context: Context, visits: Visits, entry: Entry) {
  const { store, vault, monotonic } = context;
  const issuer = issuerOf(context.config.baseUrl);
  const triesOfSession = new SlidingWindow(TRIES, PENDING_SESSION_TTL);

  const setUpPage = async (visit: OwnVisit, offer: TotpOffer, wrong: Wrong | null = null): Promise<Page> => {
    const { encode } = await import('uqr');
    const address = await otpauthUri(offer, visit.user.email, issuer);
    return setUpView(visit, { offer, address, modules: encode(address, { ecc: 'M', border: 0 }).data }, wrong);
  };

  const managePage = async (visit: OwnVisit, wrong: Wrong | null = null): Promise<Page> =>
    manageView(visit, (await store.findSecondFactor(visit.user.id))?.codesLeft ?? 0, wrong);

  const show = async (visit: OwnVisit) =>
    visit.hasSecondFactor ? managePage(visit) : setUpPage(visit, await newTotpOffer(vault, visit.session));

  /** Leads to the page as it is by now, since nothing was done. */
  const lookAgain = ({ note }: OwnVisit) => {
    note({}, { action: null });
    return redirectTo(PATH);
  };

  const setUp = async (visit: OwnVisit, sent: URLSearchParams) => {
    const { user, session, hasSecondFactor, reader } = visit;
    const offer = openTotpOffer(vault, session, sent.get('offer') ?? '');
    if (!offer || hasSecondFactor) return lookAgain(visit);
    const fault = await entry.passwordFault(visit, sent);
    if (fault) return setUpPage(visit, offer, fault);
    const codes = await enableSecondFactor(context, user, session, offer, sent.get('code') ?? '');
    if (codes === 'on already') return lookAgain(visit);
    if (codes === 'wrong')
      return setUpPage(visit, offer, { field: 'code', error: reader.texts.secondFactor.wrongCode });
    return { ...codesView(visit, codes, reader.texts.secondFactor.turnedOn), headers: await entry.renew(visit) };
  };

  const renew = async (visit: OwnVisit, sent: URLSearchParams) => {
    if (!visit.hasSecondFactor) return lookAgain(visit);
    const fault = await entry.passwordFault(visit, sent);
    if (fault) return managePage(visit, fault);
    const codes = await renewRecoveryCodes(context, visit.user, visit.session);
    if (!codes) return lookAgain(visit);
    return { ...codesView(visit, codes, visit.reader.texts.secondFactor.renewed), headers: await entry.renew(visit) };
  };

  const turnOff = async (visit: OwnVisit, sent: URLSearchParams) => {
    const { user, session, hasSecondFactor } = visit;
    if (!hasSecondFactor) return lookAgain(visit);
    const fault = await entry.passwordFault(visit, sent);
    if (fault) return managePage(visit, fault);
    await store.removeSecondFactor(user.id, session.id);
    return redirectTo(`${PATH}?done=off`, await entry.renew(visit));
  };

  const ask = async ({ request, query, reader }: Visit) => {
    const to = safeRedirect(query.get('to') ?? '');
    const found = await visits.userOf(request);
    if (found?.session.isPending) return askView(reader, { to });
    return redirectTo(found ? to : signInPath(to));
  };

  const answer = async (arrival: Arrival, { request, reader, note }: Visit, sent: URLSearchParams) => {
    const to = safeRedirect(sent.get('to') ?? '');
    const found = await visits.userOf(request);
    if (!found?.session.isPending) {
      note({}, { action: null });
      return redirectTo(found ? to : signInPath(to));
    }
    const { user, session } = found;
    const { ask: words } = reader.texts.secondFactor;
    const recoveryCode = sent.get('recovery_code');
    const isRecovery = recoveryCode !== null;
    const from = entry.triedFrom(arrival);
    const seconds = entry.codeTries.begin(user.email, from);
    if (seconds > 0) {
      entry.noteRateLimited(arrival, user.email);
      const headers = { 'Retry-After': String(seconds) };
      return askView(reader, { to, isRecovery, error: words.wait(seconds), status: 429, headers });
    }
    const { allowed, remaining } = triesOfSession.take(session.id, monotonic());
    const code = recoveryCode ?? sent.get('code') ?? '';
    const passed = allowed && (await entry.letPass(arrival, found, code, to, timeZoneOf(sent)));
    if (passed) {
      if (isRecovery) note({ is_recovery_code: true });
      entry.codeTries.succeed(user.email, from);
      return passed;
    }
    entry.noteFailure(arrival, user.email);
    if (remaining > 0) return askView(reader, { to, isRecovery, error: words.wrong, status: 400 });
    await store.endSession(user.id, session.id);
    return endedView(reader, to, signedOutHeaders(request));
  };

  const requireOfTeam = async (visit: SignedInVisit, sent: URLSearchParams) => {
    if (visit.secondFactorOf === 'instance') return teamView(visit, 409);
    const isRequired = sent.get('required') === 'yes';
    if (isRequired && !visit.hasSecondFactor) return teamView(visit, 400);
    await store.updateTeam(visit.team.id, { requiresSecondFactor: isRequired });
    visit.note({ requires_second_factor: isRequired });
    return redirectTo(`${TEAM_PATH}?done=${isRequired ? 'required' : 'released'}`);
  };

  return new Elysia()
    .get(
      PATH,
      visits.ownPage((visit) => show(visit)),
    )
    .post(PATH, visits.ownAction(setUp), UNREAD_BODY)
    .post(`${PATH}/codes`, visits.ownAction(renew), UNREAD_BODY)
    .post(`${PATH}/off`, visits.ownAction(turnOff), UNREAD_BODY)
    .get(ASKED_PATH, visits.openPage(ask))
    .post(ASKED_PATH, (asked) => visits.openAction((visit, sent) => answer(asked, visit, sent))(asked), UNREAD_BODY)
    .get(
      TEAM_PATH,
      visits.page((visit) => teamView(visit)),
    )
    .post(TEAM_PATH, visits.action(requireOfTeam), UNREAD_BODY);
}

/** What the account page says of it. */
export function secondFactorCard({ texts: { secondFactor: words } }: Reader, isOn: boolean): Html {
  return html`<section class="card" aria-labelledby="second-factor"><h2 id="second-factor">${words.title} ${stateBadge(isOn, isOn ? words.isOn : words.isOff)}</h2>
<p>${words.about}</p>
<a class="button quiet" href="${PATH}">${isOn ? words.manage : words.setUp}</a></section>`;
}

/** Who an app says that the codes are for: no colon may be in it. */
function issuerOf(baseUrl: string | null): string {
  return baseUrl === null ? 'Formstead' : `Formstead (${new URL(baseUrl).hostname.replaceAll(':', '.')})`;
}

function signInPath(to: string): string {
  return `/dashboard/sign-in?to=${encodeURIComponent(to)}`;
}

/** What was wrong with a change. */
type Wrong = Readonly<{ field: 'code' | 'password'; error: string }> & Pick<Page, 'status' | 'headers'>;

const INVALID = html` aria-invalid="true"`;

function codeField({ texts: { secondFactor: words } }: Reader, isWrong: boolean): Html {
  return html`<div class="field"><label for="code">${words.code}</label>
<input id="code" name="code" required inputmode="numeric" autocomplete="one-time-code" spellcheck="false" aria-describedby="code_hint"${isWrong && INVALID}>
<span class="hint" id="code_hint">${words.codeHint}</span></div>`;
}

function stateBadge(isGood: boolean, words: string): Html {
  return html`<span class="badge${isGood && ' good'}">${words}</span>`;
}

type Shown = Readonly<{
  offer: TotpOffer;
  /** What the QR code says. */
  address: string;
  /** Its rows, true where it is dark. */
  modules: readonly (readonly boolean[])[];
}>;

function setUpView(
  { reader, query, user, secondFactorOf }: OwnVisit,
  { offer, address, modules }: Shown,
  wrong: Wrong | null,
): Page {
  const { secondFactor: words, account } = reader.texts;
  const { field, error, ...answer } = wrong ?? {};
  const groups = offer.secret.match(/.{1,4}/g) ?? [];
  return {
    title: words.title,
    section: 'account',
    ...(wrong ? { status: 400, ...answer } : { done: flash(words.done, query) }),
    body: html`<h1>${words.title}</h1>
<p class="soft">${words.about}</p>
${secondFactorOf && html`<p class="note">${words.demanded(secondFactorOf === 'instance' ? null : secondFactorOf.name)}</p>`}
${error && html`<p class="error" role="alert">${error}</p>`}
<section class="card stack" aria-labelledby="scan"><h2 id="scan">${words.scan}</h2>
<p>${words.scanText}</p>
${qrCode(modules, words.picture)}
<p>${words.secret}</p>
<div class="row"><code id="secret" class="groups">${groups.map((group) => html`<span>${group}</span><wbr>`)}</code><button type="button" class="quiet" data-copy="secret" data-copied="${words.copied}" hidden>${words.copy}</button></div>
<p><a href="${address}">${words.openApp}</a></p>
</section>
<section class="card" aria-labelledby="confirm"><h2 id="confirm">${words.confirm}</h2>
<form method="post" action="${PATH}">
<input type="hidden" name="offer" value="${offer.sealed}">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${codeField(reader, field === 'code')}
${presentPasswordField(reader, account.presentPassword, field === 'password')}
<p class="small soft">${words.ends}</p>
<button>${words.turnOn}</button>
</form></section>`,
  };
}

/** Dark on light in every theme, with the margin that readers need. */
function qrCode(modules: Shown['modules'], label: string): Html {
  const side = modules.length + 8;
  const runs = modules.flatMap((row, y) => {
    const line = row.map((isDark) => (isDark ? '#' : ' ')).join('');
    return Array.from(line.matchAll(/#+/g), ({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`);
  });
  return html`<svg class="qr" viewBox="-4 -4 ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path fill="#fff" d="M-4-4h${side}v${side}h-${side}z"/><path fill="#000" d="${runs.join('')}"/></svg>`;
}

function manageView({ reader, user, secondFactorOf }: OwnVisit, codesLeft: number, wrong: Wrong | null): Page {
  const { secondFactor: words, account } = reader.texts;
  const { field, error, ...answer } = wrong ?? {};
  return {
    title: words.title,
    section: 'account',
    ...(wrong && { status: 400, ...answer }),
    body: html`<h1>${words.title} ${stateBadge(true, words.isOn)}</h1>
<p class="soft">${words.about}</p>
<p${codesLeft <= FEW_CODES && html` class="note"`}>${words.left(codesLeft)} ${codesLeft <= FEW_CODES && words.fewLeft}</p>
<section class="card" aria-labelledby="change"><h2 id="change">${words.change}</h2>
${error && html`<p class="error" role="alert">${error}</p>`}
<p>${words.changeText}</p>
${secondFactorOf && html`<p>${words.changeDemanded(secondFactorOf === 'instance' ? null : secondFactorOf.name)}</p>`}
<form method="post" action="${PATH}/codes">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${presentPasswordField(reader, account.presentPassword, field === 'password')}
<p class="small soft">${words.ends}</p>
<div class="row"><button>${words.newCodes}</button><button class="danger" formaction="${PATH}/off">${words.turnOff}</button></div>
</form></section>`,
  };
}

function codesView({ reader, user }: OwnVisit, codes: readonly string[], done: string): Page {
  const { secondFactor: words } = reader.texts;
  const file = [words.codesFile(user.email), '', ...codes, ''].join('\r\n');
  return {
    title: words.codesTitle,
    section: 'account',
    done,
    body: html`<h1>${words.codesTitle}</h1>
<p>${words.codesText}</p>
<div class="stack"><pre id="codes">${codes.join('\n')}</pre>
<div class="row on-screen"><button type="button" class="quiet" data-copy="codes" data-copied="${words.copied}" hidden>${words.copy}</button><a class="button quiet" download="formstead-recovery-codes.txt" href="data:text/plain;charset=utf-8,${encodeURIComponent(file)}">${words.download}</a><button type="button" class="quiet" data-print hidden>${words.print}</button></div>
<p class="on-screen"><a class="button" href="/dashboard">${words.kept}</a></p></div>`,
  };
}

type Asked = Readonly<{ to: string; isRecovery?: boolean; error?: string }> & Pick<Page, 'status' | 'headers'>;

function askView(reader: Reader, { to, isRecovery = false, error, ...page }: Asked): Page {
  const { secondFactor: words } = reader.texts;
  const further = html`<input type="hidden" name="to" value="${to}">${timeZoneField}`;
  const isWrong = error !== undefined;
  return {
    ...page,
    title: words.title,
    section: null,
    body: html`<h1>${words.title}</h1>
<p class="soft">${words.ask.text}</p>
${error && html`<p class="error" role="alert">${error}</p>`}
<form method="post" action="${ASKED_PATH}" class="card">
${codeField(reader, isWrong && !isRecovery)}
${further}
<div class="row"><button>${words.ask.submit}</button><a href="${signInPath(to)}">${words.ask.other}</a></div>
</form>
<details class="card stack"${isRecovery && html` open`}><summary>${words.ask.lost}</summary>
<form method="post" action="${ASKED_PATH}">
<div class="field"><label for="recovery_code">${words.ask.recoveryCode}</label>
<input id="recovery_code" name="recovery_code" class="mono" required autocomplete="off" autocapitalize="characters" spellcheck="false" aria-describedby="recovery_hint"${isWrong && isRecovery && INVALID}>
<span class="hint" id="recovery_hint">${words.ask.recoveryHint}</span></div>
${further}
<button>${words.ask.useRecovery}</button>
</form>
<p>${words.ask.noCodes}</p>
<p><code>formstead user reset --second-factor --email …</code></p>
</details>`,
  };
}

function endedView({ texts }: Reader, to: string, headers: Readonly<Record<string, string>>): Page {
  const { secondFactor: words, signIn } = texts;
  return {
    title: words.ask.endedTitle,
    section: null,
    status: 400,
    headers,
    body: html`<h1>${words.ask.endedTitle}</h1>
<p role="alert">${words.ask.endedText}</p>
<p><a href="${signInPath(to)}">${signIn.title}</a></p>`,
  };
}

function teamView(
  { reader, query, team: { name }, hasSecondFactor, secondFactorOf }: SignedInVisit,
  status = 200,
): Page {
  const { secondFactor: words } = reader.texts;
  const isRequired = secondFactorOf !== null;
  const needsOwn = !isRequired && !hasSecondFactor;
  const note = status === 200 ? html`class="note"` : html`class="error" role="alert"`;
  return {
    title: words.team.title(name),
    section: 'team',
    status,
    done: flash(words.team.done, query),
    body: html`<h1>${words.team.title(name)}</h1>
<p>${stateBadge(isRequired, isRequired ? words.team.isRequired : words.team.isNotRequired)}</p>
<p>${words.team.text}</p>
${
  needsOwn
    ? html`<p ${note}>${words.team.needsOwn} <a href="${PATH}">${words.setUp}</a></p>`
    : secondFactorOf === 'instance'
      ? html`<p ${note}>${words.team.ofInstance}</p>`
      : html`<form method="post" action="${TEAM_PATH}"><input type="hidden" name="required" value="${isRequired ? 'no' : 'yes'}">
<button${isRequired && html` class="quiet"`}>${isRequired ? words.team.release : words.team.require}</button></form>`
}`,
  };
}
