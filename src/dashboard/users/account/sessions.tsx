/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import type { Session } from '../../../domain/users/user.ts';
import { signedOutHeaders } from '../../../http/session-cookie.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo } from '../../page.ts';
import { type PasswordCheck, type PasswordError, passwordQuestion } from '../../password-check.tsx';
import { LinkButton, PostButton } from '../../ui/elements.tsx';
import { EntryList } from '../../ui/entry-list.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { ACCOUNT_TEXTS } from './texts.ts';

const ACCOUNT = '/dashboard/account';
const PATH = `${ACCOUNT}/sessions`;
/** Sessions listed: a script that signs in for every request would add thousands. */
export const MAX_SESSIONS = 100;

/** Ends sessions. All but the current one need the password, so that a stolen session can't end the others. */
export function sessionRoutes({ store, config }: Context, passwords: PasswordCheck): readonly DashboardRoute[] {
  const find = async ({ param, user }: PageContext<'self'>): Promise<Session> => {
    const session = (await store.sessions.list(user.id, MAX_SESSIONS)).find(({ id }) => id === param('sessionId'));
    if (session) return session;
    throw new AppError('not_found', 'There is no such session.');
  };

  const askForOne = async (page: PageContext<'self'>, error: PasswordError | null = null): Promise<Page> => {
    const session = await find(page);
    const title = ACCOUNT_TEXTS[page.viewer.language].endOf(
      describeBrowser(page.viewer, session.browser),
      session.address,
    );
    return question(page, `${PATH}/${session.id}/end`, title, error);
  };

  const askForAll = (page: PageContext<'self'>, error: PasswordError | null = null): Page =>
    question(page, `${PATH}/end`, ACCOUNT_TEXTS[page.viewer.language].everywhere, error);

  const endOne = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const { id } = await find(page);
    const isCurrent = id === page.session.id;
    const error = isCurrent ? null : await passwords.errorOf(page, form);
    if (error) return askForOne(page, error);
    await store.sessions.end(page.user.id, id);
    if (isCurrent) return redirectTo('/dashboard/sign-in?done=out', signedOutHeaders(page.request, config.baseUrl));
    return redirectTo(`${ACCOUNT}?done=ended`, await passwords.renew(page));
  };

  const endAll = async (page: PageContext<'self'>, form: URLSearchParams) => {
    const error = await passwords.errorOf(page, form);
    if (error) return askForAll(page, error);
    await store.sessions.endAll(page.user.id);
    return redirectTo('/dashboard/sign-in?done=everywhere', signedOutHeaders(page.request, config.baseUrl));
  };

  return [
    page(`${PATH}/end`, { access: 'self' }, (page) => askForAll(page)),
    action(`${PATH}/end`, { access: 'self', audit: 'sessions.ended' }, endAll),
    page(`${PATH}/:sessionId/end`, { access: 'self' }, (page) => askForOne(page)),
    action(`${PATH}/:sessionId/end`, { access: 'self', audit: 'sessions.ended' }, endOne),
  ];
}

function question(page: PageContext<'self'>, path: string, title: string, error: PasswordError | null): Page {
  const { endText: text, end: button } = ACCOUNT_TEXTS[page.viewer.language];
  return passwordQuestion(page, { path, title, text, button }, error);
}

type Props = Readonly<{ viewer: Viewer; sessions: readonly Session[]; current: Session }>;

/** The sessions of the user. */
export function SessionList({ viewer, sessions, current }: Props) {
  const t = ACCOUNT_TEXTS[viewer.language];
  return (
    <div class="stack">
      <EntryList items={sessions}>
        {(session) => <SessionItem viewer={viewer} session={session} isCurrent={session.id === current.id} />}
      </EntryList>
      <p class="flush">
        <LinkButton href={`${PATH}/end`} text={t.everywhere} />
      </p>
    </div>
  );
}

type ItemProps = Readonly<{ viewer: Viewer; session: Session; isCurrent: boolean }>;

function SessionItem({ viewer, session, isCurrent }: ItemProps) {
  const t = ACCOUNT_TEXTS[viewer.language];
  const { address, createdAt, lastUsedAt } = session;
  const label = t.endOf(describeBrowser(viewer, session.browser), address);
  // Another session needs the password.
  const path = `${PATH}/${session.id}/end`;
  return (
    <li class="entry">
      <div class="grow">
        <strong>{describeBrowser(viewer, session.browser)}</strong>{' '}
        {isCurrent && <span class="badge good">{t.thisSession}</span>}
        <div class="soft small">
          {address && `${address} · `}
          {t.since} <Time viewer={viewer} at={createdAt} /> · {t.lastUsed} <Time viewer={viewer} at={lastUsedAt} />
        </div>
      </div>
      {isCurrent ? (
        <PostButton action={path} text={t.end} style="small" label={label} />
      ) : (
        <LinkButton href={path} text={t.end} style="small" label={label} />
      )}
    </li>
  );
}

/** Returns browser and system of a session, in the viewer's language. */
export function describeBrowser({ language }: Viewer, browser: string): string {
  const t = ACCOUNT_TEXTS[language];
  const [name = '', system] = browser.split(', ');
  return (system === undefined ? name : t.browserOn(name, system)) || t.unknownBrowser;
}
