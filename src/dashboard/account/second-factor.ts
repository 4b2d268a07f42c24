import type { Context } from '../../context.ts';
import { type Html, html } from '../../lib/html.ts';
import { addressForApp, type Offer, offerSecret, openOffer, renewCodes, turnOn } from '../../services/second-factor.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { codeField } from '../ui/code-field.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { presentPasswordField } from '../ui/password-field.ts';
import { stateBadge } from '../ui/state-badge.ts';
import type { Viewer } from '../viewer.ts';
import type { PasswordCheck } from './password-check.ts';

const PATH = '/dashboard/account/second-factor';
const FEW_CODES = 3;

/** Sets up the second factor of an account, renews its recovery codes and turns it off. */
export function secondFactorRoutes(context: Context, passwords: PasswordCheck) {
  const { store, vault } = context;
  const issuer = issuerOf(context.config.baseUrl);

  const setUpPage = async (page: PageContext<'self'>, offer: Offer, wrong: Wrong | null = null): Promise<Page> => {
    const { encode } = await import('uqr');
    const address = await addressForApp(offer, page.user.email, issuer);
    return setUpView(page, { offer, address, modules: encode(address, { ecc: 'M', border: 0 }).data }, wrong);
  };

  const managePage = async (page: PageContext<'self'>, wrong: Wrong | null = null): Promise<Page> =>
    manageView(page, (await store.findSecondFactor(page.user.id))?.codesLeft ?? 0, wrong);

  const show = async (page: PageContext<'self'>) =>
    page.hasSecondFactor ? managePage(page) : setUpPage(page, await offerSecret(vault, page.session));

  /** Leads to the page as it is by now, since nothing was done. */
  const lookAgain = ({ note }: PageContext<'self'>) => {
    note({}, { action: null });
    return redirectTo(PATH);
  };

  const setUp = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    const { user, session, hasSecondFactor, viewer } = page;
    const offer = openOffer(vault, session, sent.get('offer') ?? '');
    if (!offer || hasSecondFactor) return lookAgain(page);
    const fault = await passwords.faultOf(page, sent);
    if (fault) return setUpPage(page, offer, fault);
    const codes = await turnOn(context, user, session, offer, sent.get('code') ?? '');
    if (codes === 'on already') return lookAgain(page);
    if (codes === 'wrong') return setUpPage(page, offer, { field: 'code', error: viewer.texts.secondFactor.wrongCode });
    return { ...codesView(page, codes, viewer.texts.secondFactor.turnedOn), headers: await passwords.renew(page) };
  };

  const renew = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    if (!page.hasSecondFactor) return lookAgain(page);
    const fault = await passwords.faultOf(page, sent);
    if (fault) return managePage(page, fault);
    const codes = await renewCodes(context, page.user, page.session);
    if (!codes) return lookAgain(page);
    return {
      ...codesView(page, codes, page.viewer.texts.secondFactor.renewed),
      headers: await passwords.renew(page),
    };
  };

  const turnOff = async (page: PageContext<'self'>, sent: URLSearchParams) => {
    const { user, session, hasSecondFactor } = page;
    if (!hasSecondFactor) return lookAgain(page);
    const fault = await passwords.faultOf(page, sent);
    if (fault) return managePage(page, fault);
    await store.removeSecondFactor(user.id, session.id);
    return redirectTo(`${PATH}?done=off`, await passwords.renew(page));
  };

  return [
    page(PATH, { access: 'self' }, (page) => show(page)),
    action(PATH, { access: 'self', audit: 'second_factor.on' }, setUp),
    action(`${PATH}/codes`, { access: 'self', audit: 'recovery_codes.made' }, renew),
    action(`${PATH}/off`, { access: 'self', audit: 'second_factor.off' }, turnOff),
  ];
}

/** What the account page says of it. */
export function secondFactorCard({ texts: { secondFactor: words } }: Viewer, isOn: boolean): Html {
  return html`<section class="card" aria-labelledby="second-factor"><h2 id="second-factor">${words.title} ${stateBadge(isOn, isOn ? words.isOn : words.isOff)}</h2>
<p>${words.about}</p>
<a class="button quiet" href="${PATH}">${isOn ? words.manage : words.setUp}</a></section>`;
}

/** Who an app says that the codes are for: no colon may be in it. */
function issuerOf(baseUrl: string | null): string {
  return baseUrl === null ? 'Formstead' : `Formstead (${new URL(baseUrl).hostname.replaceAll(':', '.')})`;
}

/** What was wrong with a change. */
type Wrong = Readonly<{ field: 'code' | 'password'; error: string }> & Pick<Page, 'status' | 'headers'>;

type Shown = Readonly<{
  offer: Offer;
  /** What the QR code says. */
  address: string;
  /** Its rows, true where it is dark. */
  modules: readonly (readonly boolean[])[];
}>;

function setUpView(
  { viewer, query, user, secondFactorRequiredBy }: PageContext<'self'>,
  { offer, address, modules }: Shown,
  wrong: Wrong | null,
): Page {
  const { secondFactor: words, account } = viewer.texts;
  const { field, error, ...answer } = wrong ?? {};
  const groups = offer.secret.match(/.{1,4}/g) ?? [];
  return {
    title: words.title,
    section: 'account',
    ...(wrong ? { status: 400, ...answer } : { done: flash(words.done, query) }),
    body: html`<h1>${words.title}</h1>
<p class="soft">${words.about}</p>
${secondFactorRequiredBy && html`<p class="note">${words.demanded(secondFactorRequiredBy === 'instance' ? null : secondFactorRequiredBy.name)}</p>`}
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
${codeField(viewer, field === 'code')}
${presentPasswordField(viewer, account.presentPassword, field === 'password')}
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

function manageView(
  { viewer, user, secondFactorRequiredBy }: PageContext<'self'>,
  codesLeft: number,
  wrong: Wrong | null,
): Page {
  const { secondFactor: words, account } = viewer.texts;
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
${secondFactorRequiredBy && html`<p>${words.changeDemanded(secondFactorRequiredBy === 'instance' ? null : secondFactorRequiredBy.name)}</p>`}
<form method="post" action="${PATH}/codes">
<input type="email" value="${user.email}" autocomplete="username" readonly hidden>
${presentPasswordField(viewer, account.presentPassword, field === 'password')}
<p class="small soft">${words.ends}</p>
<div class="row"><button>${words.newCodes}</button><button class="danger" formaction="${PATH}/off">${words.turnOff}</button></div>
</form></section>`,
  };
}

function codesView({ viewer, user }: PageContext<'self'>, codes: readonly string[], done: string): Page {
  const { secondFactor: words } = viewer.texts;
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
