/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { requestId } from '../../http/request-id.ts';
import {
  enableSecondFactor,
  newTotpOffer,
  openTotpOffer,
  otpauthUri,
  renewRecoveryCodes,
  spendCode,
  type TotpOffer,
} from '../../services/second-factor.ts';
import type { SignInThrottle } from '../../services/sign-in-throttle.ts';
import { action, type DashboardRoute, type PageContext, page, redirectTo } from '../page.ts';
import { type ErrorAnswer, getAnswer, type PasswordCheck } from '../password-check.ts';
import { flash } from '../ui/flash.ts';
import type { Page } from '../ui/layout.tsx';
import { type InputError, ManageView, RecoveryCodesView } from './second-factor-view.tsx';
import { SetUpView } from './set-up-view.tsx';

const PATH = '/dashboard/account/second-factor';

/** Sets up the second factor of an account, renews its recovery codes and turns it off. */
export function secondFactorRoutes(
  context: Context,
  passwords: PasswordCheck,
  codeTries: SignInThrottle,
): readonly DashboardRoute[] {
  const { store, vault } = context;
  const issuer = getIssuer(context.config.baseUrl);

  const setUpPage = async (
    page: PageContext<'self'>,
    offer: TotpOffer,
    failed: Failed | null = null,
  ): Promise<Page> => {
    const { encode } = await import('uqr');
    const { viewer, user, query } = page;
    const { secondFactor: t } = viewer.texts;
    const appUrl = await otpauthUri(offer, user.email, issuer);
    const modules = encode(appUrl, { ecc: 'M', border: 0 }).data;
    const props = { viewer, email: user.email, requiredBy: requiredBy(page), offer, appUrl, modules };
    return {
      title: t.title,
      section: 'account',
      ...(failed ? getAnswer(failed) : { done: flash(t.done, query) }),
      body: <SetUpView {...props} failed={failed} />,
    };
  };

  const managePage = async (page: PageContext<'self'>, failed: Failed | null = null): Promise<Page> => {
    const { viewer, user } = page;
    const codesLeft = (await store.secondFactors.find(user.id))?.codesLeft ?? 0;
    const props = { viewer, email: user.email, requiredBy: requiredBy(page), codesLeft };
    return {
      title: viewer.texts.secondFactor.title,
      section: 'account',
      ...(failed && getAnswer(failed)),
      body: <ManageView {...props} failed={failed} />,
    };
  };

  const codesPage = async (page: PageContext<'self'>, codes: readonly string[], done: string): Promise<Page> => {
    const { viewer, user } = page;
    return {
      title: viewer.texts.secondFactor.codesTitle,
      section: 'account',
      done,
      headers: await passwords.renew(page),
      body: <RecoveryCodesView viewer={viewer} email={user.email} codes={codes} />,
    };
  };

  const show = async (page: PageContext<'self'>) =>
    page.hasSecondFactor ? managePage(page) : setUpPage(page, await newTotpOffer(vault, page.session));

  /** Redirects to the current page after an action that no longer applies. */
  const reload = ({ note }: PageContext<'self'>) => {
    note({}, { action: null });
    return redirectTo(PATH);
  };

  const setUp = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { user, session, hasSecondFactor, viewer } = page;
    const { secondFactor: t } = viewer.texts;
    const offer = openTotpOffer(vault, session, form.get('offer') ?? '');
    if (!offer || hasSecondFactor) return reload(page);
    const error = await passwords.errorOf(page, form);
    if (error) return setUpPage(page, offer, error);
    const codes = await enableSecondFactor(context, user, session, offer, form.get('code') ?? '');
    if (codes === 'on already') return reload(page);
    if (codes === 'wrong') return setUpPage(page, offer, { field: 'code', error: t.wrongCode });
    return codesPage(page, codes, t.turnedOn);
  };

  /** Checks password and code. The code may be a recovery code, and is used up. */
  const getError = async (page: PageContext<'self'>, form: URLSearchParams): Promise<Failed | null> => {
    const { user, session, viewer, request } = page;
    const { ask: t } = viewer.texts.secondFactor;
    const wrongPassword = await passwords.errorOf(page, form);
    if (wrongPassword) return wrongPassword;
    const from = { client: session.id, mark: null };
    const waitSeconds = await codeTries.begin(user.email, from);
    if (waitSeconds > 0) {
      const headers = { 'Retry-After': String(waitSeconds) };
      return { field: 'code', error: t.wait(waitSeconds), status: 429, headers };
    }
    if (!(await spendCode(context, user, form.get('code') ?? ''))) {
      context.log.info('a second factor confirmation was wrong', { request: requestId(request), user: user.id });
      return { field: 'code', error: t.wrong };
    }
    await codeTries.takeBack(user.email, from);
    return null;
  };

  const renew = async (page: PageContext<'self'>, form: URLSearchParams) => {
    if (!page.hasSecondFactor) return reload(page);
    const error = await getError(page, form);
    if (error) return managePage(page, error);
    const codes = await renewRecoveryCodes(context, page.user, page.session);
    if (!codes) return reload(page);
    return codesPage(page, codes, page.viewer.texts.secondFactor.renewed);
  };

  const turnOff = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { user, session, hasSecondFactor } = page;
    if (!hasSecondFactor) return reload(page);
    const error = await getError(page, form);
    if (error) return managePage(page, error);
    await store.secondFactors.remove(user.id, session.id);
    return redirectTo(`${PATH}?done=off`, await passwords.renew(page));
  };

  return [
    page(PATH, { access: 'self' }, (page) => show(page)),
    action(PATH, { access: 'self', audit: 'second_factor.on' }, setUp),
    action(`${PATH}/codes`, { access: 'self', audit: 'recovery_codes.made' }, renew),
    action(`${PATH}/off`, { access: 'self', audit: 'second_factor.off' }, turnOff),
  ];
}

/** Returns the issuer that an app shows. It must not contain a colon. */
function getIssuer(baseUrl: string | null): string {
  return baseUrl === null ? 'Formstead' : `Formstead (${new URL(baseUrl).hostname.replaceAll(':', '.')})`;
}

type Failed = InputError & ErrorAnswer;

function requiredBy({ secondFactorRequiredBy: by }: PageContext<'self'>) {
  return by === null || by === 'instance' ? by : { team: by.name };
}
