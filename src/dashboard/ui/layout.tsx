/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AppError } from '../../domain/errors.ts';
import type { Access } from '../../domain/roles.ts';
import { acceptsGzip } from '../../http/cached.ts';
import { type Markup, render, renderDocument } from '../../lib/markup.ts';
import type { Viewer } from '../viewer.ts';
import { SCRIPT, STYLE } from './assets.ts';
import { countUpTo99 } from './count.ts';
import { errorText } from './parse-input.ts';

/** A section of the navigation. */
export type Section = 'inbox' | 'forms' | 'mail' | 'usage' | 'keys' | 'team' | 'account';

/**
 * A page inside the layout. `section` is null for pages without navigation, which need no session. `done` is the
 * flash message of an action.
 */
export type Page = Readonly<{
  title: string;
  section: Section | null;
  body: Markup;
  done?: string | null;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}>;

const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  // Not `no-referrer`, under which browsers send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Encoding, Accept-Language, Cookie',
  'X-Robots-Tag': 'noindex',
};

/** Renders a page, compressed if the browser accepts that. `failedMails` is up to `COUNT_LIMIT`. */
export function pageAnswer(request: Request, viewer: Viewer, page: Page, failedMails: number): Response {
  const nonce = crypto.randomUUID();
  const layout = <Layout viewer={viewer} page={page} failedMails={failedMails} nonce={nonce} />;
  const markup = withTeam(renderDocument(layout), viewer);
  const status = page.status ?? 200;
  // Not `'self'`, under which injected markup could run an uploaded file.
  const policy = { 'Content-Security-Policy': `${POLICY}; script-src 'nonce-${nonce}'` };
  const headers = { ...HEADERS, ...policy, ...page.headers };
  if (!acceptsGzip(request)) return new Response(markup, { status, headers });
  return new Response(Bun.gzipSync(markup), { status, headers: { ...headers, 'Content-Encoding': 'gzip' } });
}

/** Name of the hidden field with the team that a page was rendered for. */
export const TEAM_FIELD = 'page_team';

const POST_FORM = /(<form\b[^>]*\bmethod="post"[^>]*>.*?)(?=<\/form>)/gs;

/** Adds the current team to each form that posts. The action refuses it after a switch to another team. */
function withTeam(markup: string, { membership }: Viewer): string {
  if (!membership) return markup;
  const field = render(<input type="hidden" name={TEAM_FIELD} value={membership.team.id} />);
  return markup.replace(POST_FORM, (form) => form + field);
}

/** Renders a fragment that a script puts into a page. */
export function partAnswer(markup: Markup): Response {
  return new Response(render(markup), { headers: HEADERS });
}

/** Returns the page of an error. `id` is the request's id in the log. */
export function errorPage(viewer: Viewer, error: AppError, id: string): Page {
  const { texts, membership } = viewer;
  const { failure } = texts;
  const { code, status, headers } = error;
  const isOutside = code === 'role_forbids' && membership === null;
  const title = status === 404 ? failure.notFound : failure.title;
  const special = code === 'internal_error' ? failure.unforeseen(id) : isOutside && failure.noTeam;
  const wayOut = isOutside ? (
    <>
      <p>
        <a href="/dashboard/account">{texts.sections.account}</a>
      </p>
      <SignOut viewer={viewer} />
    </>
  ) : (
    <p>
      <a href="/dashboard">{failure.back}</a>
    </p>
  );
  return {
    title,
    section: membership ? 'inbox' : null,
    status,
    headers,
    body: (
      <>
        <h1>{title}</h1>
        <p>{special || errorText(texts, error)}</p>
        {wayOut}
      </>
    ),
  };
}

type WithViewer = Readonly<{ viewer: Viewer }>;

type Props = WithViewer & Readonly<{ page: Page; failedMails: number; nonce: string }>;

function Layout({ viewer, page, failedMails, nonce }: Props) {
  const { language, texts } = viewer;
  const { title, section, body, done } = page;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title} · Formstead</title>
        <link rel="stylesheet" href={STYLE} />
        <link rel="icon" href="data:," />
        <script src={SCRIPT} nonce={nonce} defer />
      </head>
      <body class={section === null ? 'plain' : undefined}>
        <a class="skip" href="#main">
          {texts.skip}
        </a>
        {section === null ? <PlainHeader /> : <Header viewer={viewer} current={section} failedMails={failedMails} />}
        <main id="main" tabindex={-1}>
          {done && (
            <p class="done" role="status">
              {done}
            </p>
          )}
          {body}
        </main>
      </body>
    </html>
  );
}

/** A form with its fields under a roof. */
function Logo() {
  return (
    <svg class="mark" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M2 8.5 10 2l8 6.5V17a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 2 17z" fill="currentColor" />
      <path d="M6 9.5h8M6 12.5h8M6 15.5h4.5" stroke="var(--card)" stroke-width="1.5" stroke-linecap="round" />
    </svg>
  );
}

function PlainHeader() {
  return (
    <header class="top">
      <span class="brand">
        <Logo /> Formstead
      </span>
    </header>
  );
}

const SECTIONS: ReadonlyArray<readonly [section: Section, path: string, access: Access]> = [
  ['inbox', '/dashboard/inbox', 'read'],
  ['forms', '/dashboard/forms', 'read'],
  ['mail', '/dashboard/mail', 'read'],
  ['usage', '/dashboard/usage', 'read'],
  ['keys', '/dashboard/keys', 'manage'],
  ['team', '/dashboard/team', 'read'],
  ['account', '/dashboard/account', 'self'],
];

function Header({ viewer, current, failedMails }: WithViewer & Readonly<{ current: Section; failedMails: number }>) {
  const { texts } = viewer;
  return (
    <header class="top">
      <a class="brand" href="/dashboard">
        <Logo /> Formstead
      </a>
      <nav aria-label={texts.navigation}>
        <ul>
          {SECTIONS.filter(([, , access]) => viewer.can(access)).map(([section, path]) => (
            <li>
              <a href={path} aria-current={section === current ? 'page' : undefined}>
                {texts.sections[section]}
                {section === 'mail' && failedMails > 0 && <FailedMails viewer={viewer} count={failedMails} />}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <TeamSwitch viewer={viewer} />
      <a class="manual" href="/docs" hreflang="en">
        {texts.manual}
      </a>
      <SignOut viewer={viewer} />
    </header>
  );
}

function FailedMails({ viewer, count }: WithViewer & Readonly<{ count: number }>) {
  return (
    <>
      {' '}
      <span class="badge bad">
        {countUpTo99(viewer, count)} <span class="visually-hidden">{viewer.texts.failedMails}</span>
      </span>
    </>
  );
}

function SignOut({ viewer: { texts } }: WithViewer) {
  return (
    <form method="post" action="/dashboard/sign-out">
      <button class="quiet">{texts.signOut}</button>
    </form>
  );
}

/** Switches between the teams of a user in several. */
function TeamSwitch({ viewer: { texts, membership, memberships } }: WithViewer) {
  const { team: t } = texts;
  if (memberships.length < 2) return null;
  return (
    <form method="post" action="/dashboard/team/switch" class="row">
      <select name="team" aria-label={t.switchTo} autocomplete="off">
        {memberships.map(({ team }) => (
          <option value={team.id} selected={team.id === membership?.team.id}>
            {team.name}
          </option>
        ))}
      </select>
      <button class="quiet">{t.switch}</button>
    </form>
  );
}
