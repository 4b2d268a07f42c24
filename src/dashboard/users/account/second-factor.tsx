/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { requestId } from '../../../http/request-id.ts';
import * as factors from '../../../services/users/second-factor.ts';
import { action, type DashboardRoute, flash, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { type ErrorAnswer, getAnswer } from '../../password-check.tsx';
import { type InputError, ManageView, recoveryCodesView, SetUpView } from './second-factor-view.tsx';
import { SECOND_FACTOR_TEXTS } from './texts.ts';

const PATH = '/dashboard/account/second-factor';

type OwnPage = PageContext<'self'>;

/** Sets up the second factor of an account, renews its recovery codes and turns it off. */
export const secondFactorRoutes: readonly DashboardRoute[] = [
  page(PATH, { access: 'self' }, show),
  action(PATH, { access: 'self', audit: 'second_factor.on' }, setUp),
  action(`${PATH}/codes`, { access: 'self', audit: 'recovery_codes.made' }, renew),
  action(`${PATH}/off`, { access: 'self', audit: 'second_factor.off' }, turnOff),
];

async function setUpPage(page: OwnPage, offer: factors.TotpOffer, failed: Failed | null = null): Promise<Page> {
  const { encode } = await import('uqr');
  const { context, viewer, user, query } = page;
  const t = SECOND_FACTOR_TEXTS[viewer.language];
  const appUrl = await factors.otpauthUri(offer, user.email, getIssuer(context.config.baseUrl));
  const modules = encode(appUrl, { ecc: 'M', border: 0 }).data;
  const props = { viewer, email: user.email, requiredBy: requiredBy(page), offer, appUrl, modules };
  return {
    title: t.title,
    section: 'account',
    ...(failed ? getAnswer(failed) : { done: flash(t.done, query) }),
    body: <SetUpView {...props} failed={failed} />,
  };
}

async function managePage(page: OwnPage, failed: Failed | null = null): Promise<Page> {
  const { context, viewer, user } = page;
  const codesLeft = (await context.store.secondFactors.find(user.id))?.codesLeft ?? 0;
  const props = { viewer, email: user.email, requiredBy: requiredBy(page), codesLeft };
  return {
    title: SECOND_FACTOR_TEXTS[viewer.language].title,
    section: 'account',
    ...(failed && getAnswer(failed)),
    body: <ManageView {...props} failed={failed} />,
  };
}

async function codesPage(page: OwnPage, codes: readonly string[], done: string): Promise<Page> {
  const { context, viewer, user } = page;
  return {
    title: SECOND_FACTOR_TEXTS[viewer.language].codesTitle,
    section: 'account',
    done,
    headers: await context.passwords.renew(page),
    body: recoveryCodesView(viewer, user.email, codes),
  };
}

async function show(page: OwnPage): Promise<Page> {
  return page.hasSecondFactor
    ? managePage(page)
    : setUpPage(page, await factors.newTotpOffer(page.context.vault, page.session));
}

/** Redirects to the current page after an action that no longer applies. */
function reload({ note }: OwnPage): Response {
  note({}, { action: null });
  return redirectTo(PATH);
}

async function setUp(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, user, session, hasSecondFactor, viewer } = page;
  const t = SECOND_FACTOR_TEXTS[viewer.language];
  const offer = factors.openTotpOffer(context.vault, session, form.get('offer') ?? '');
  if (!offer || hasSecondFactor) return reload(page);
  const error = await context.passwords.errorOf(page, form);
  if (error) return setUpPage(page, offer, error);
  const codes = await factors.enableSecondFactor(context, user, session, offer, form.get('code') ?? '');
  if (codes === 'on already') return reload(page);
  if (codes === 'wrong') return setUpPage(page, offer, { field: 'code', error: t.wrongCode });
  return codesPage(page, codes, t.turnedOn);
}

/** Checks password and code. The code may be a recovery code, and is used up. */
async function getError(page: OwnPage, form: URLSearchParams): Promise<Failed | null> {
  const { context, user, session, viewer, request } = page;
  const { ask: t } = SECOND_FACTOR_TEXTS[viewer.language];
  const wrongPassword = await context.passwords.errorOf(page, form);
  if (wrongPassword) return wrongPassword;
  const from = { client: session.id, mark: null };
  const waitSeconds = await context.codeTries.begin(user.email, from);
  if (waitSeconds > 0) {
    const headers = { 'Retry-After': String(waitSeconds) };
    return { field: 'code', error: t.wait(waitSeconds), status: 429, headers };
  }
  if (!(await factors.spendCode(context, user, form.get('code') ?? ''))) {
    context.log.info('a second factor confirmation was wrong', { request: requestId(request), user: user.id });
    return { field: 'code', error: t.wrong };
  }
  await context.codeTries.takeBack(user.email, from);
  return null;
}

async function renew(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  if (!page.hasSecondFactor) return reload(page);
  const error = await getError(page, form);
  if (error) return managePage(page, error);
  const codes = await factors.renewRecoveryCodes(page.context, page.user, page.session);
  return codes ? codesPage(page, codes, SECOND_FACTOR_TEXTS[page.viewer.language].renewed) : reload(page);
}

async function turnOff(page: OwnPage, form: URLSearchParams): Promise<Page | Response> {
  const { context, user, session, hasSecondFactor } = page;
  if (!hasSecondFactor) return reload(page);
  const error = await getError(page, form);
  if (error) return managePage(page, error);
  await context.store.secondFactors.remove(user.id, session.id);
  return redirectTo(`${PATH}?done=off`, await context.passwords.renew(page));
}

/** Returns the issuer that an app shows. It must not contain a colon. */
function getIssuer(baseUrl: string | null): string {
  return baseUrl === null ? 'Formstead' : `Formstead (${new URL(baseUrl).hostname.replaceAll(':', '.')})`;
}

type Failed = InputError & ErrorAnswer;

const requiredBy = ({ secondFactorRequiredBy: by }: PageContext<'self'>) =>
  by && { team: by === 'instance' ? null : by.name };
