/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { AppError } from '../../domain/errors.ts';
import { textResponse } from '../../http/cached.ts';
import { requestId } from '../../http/request-id.ts';
import { type Markup, render, renderDocument } from '../../lib/markup.ts';
import { NO_NOTICES, type Notices } from '../notices.ts';
import { PASSKEY_SCRIPT } from '../users/passkeys/assets.ts';
import { getViewer, type Viewer } from '../viewer.ts';
import { DemoStrip, Strip } from './alert-strip.tsx';
import { COMMON_ASSETS, type FeatureAssets, PLAIN_ASSETS } from './assets.ts';
import { LinkButton } from './elements.tsx';
import { EmptyState } from './empty-state.tsx';
import { Header, PlainHeader, type Section, SignOut } from './header.tsx';
import { errorText } from './parse-input.ts';

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
  "default-src 'none'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'; form-action 'self'";

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

/** Renders a page, compressed if the browser accepts that. Its forms may lead to the host of `signOutUrl`. */
export function pageAnswer(
  request: Request,
  viewer: Viewer,
  page: Page,
  notices: Notices,
  assets?: FeatureAssets,
  signOutUrl: string | null = null,
): Response {
  const nonce = crypto.randomUUID();
  const path = getPath(request);
  const common = page.section === null ? [COMMON_ASSETS, PLAIN_ASSETS] : [COMMON_ASSETS];
  const used = assets ? [...common, assets] : common;
  const layout = <Layout viewer={viewer} page={page} notices={notices} path={path} nonce={nonce} assets={used} />;
  const markup = withPasskeys(withTeam(renderDocument(layout), viewer), nonce);
  const status = page.status ?? 200;
  // Not `'self'`, under which injected markup could run an uploaded file.
  const forms = signOutUrl === null ? '' : ` ${new URL(signOutUrl).origin}`;
  const policy = { 'Content-Security-Policy': `${POLICY}${forms}; script-src 'nonce-${nonce}'` };
  const headers = { ...HEADERS, ...policy, ...page.headers };
  return textResponse(request, markup, { status, headers });
}

/** Returns the address of a page to come back to. Pages that answer an action have none. */
function getPath({ method, url }: Request): string {
  if (method !== 'GET' || !URL.canParse(url)) return '/dashboard/forms';
  const { pathname, search } = new URL(url);
  return pathname + search;
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

/** Adds the script of passkeys to a page with a button for it. */
function withPasskeys(markup: string, nonce: string): string {
  if (!markup.includes(' data-passkey="')) return markup;
  return markup.replace('</head>', `${render(<script src={PASSKEY_SCRIPT.address} nonce={nonce} defer />)}</head>`);
}

/** Renders a fragment that a script puts into a page. */
export const partAnswer = (markup: Markup): Response => new Response(render(markup), { headers: HEADERS });

/** Returns the page of an error. `id` is the request's id in the log. */
export function errorPage(viewer: Viewer, error: AppError, id: string): Page {
  const { texts, membership } = viewer;
  const { failure } = texts;
  const { code, status, headers } = error;
  const isOutside = code === 'role_forbids' && membership === null;
  const title = status === 404 ? failure.notFound : code === 'role_forbids' ? failure.forbidden : failure.title;
  const special = code === 'internal_error' ? failure.unforeseen(id) : isOutside && failure.noTeam;
  const icon = status === 404 ? 'search' : code === 'role_forbids' ? 'key' : 'warning';
  return {
    title,
    section: membership ? 'account' : null,
    status,
    headers,
    body: (
      <EmptyState icon={icon} title={title} text={special || errorText(texts, error)} level={1}>
        {isOutside ? (
          <>
            <LinkButton href="/dashboard/account" text={texts.sections.account} style="main" />
            <SignOut viewer={viewer} />
          </>
        ) : (
          <LinkButton href="/dashboard" text={membership ? failure.back : failure.start} style="main" />
        )}
      </EmptyState>
    ),
  };
}

/** Answers a request that reached no route with the page of its error. */
export function outsidePage(request: Request, error: AppError): Response {
  const viewer = getViewer(request, null);
  return pageAnswer(request, viewer, errorPage(viewer, error, requestId(request)), NO_NOTICES);
}

type WithViewer = Readonly<{ viewer: Viewer }>;

type Props = WithViewer &
  Readonly<{ page: Page; notices: Notices; path: string; nonce: string; assets: readonly FeatureAssets[] }>;

function Layout({ viewer, page, notices, path, nonce, assets }: Props) {
  const { language, texts, person } = viewer;
  const theme = person?.theme ?? undefined;
  const { title, section, body, done } = page;
  return (
    <html lang={language} data-theme={theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={theme ?? 'light dark'} />
        <title>{title} · Formstead</title>
        {assets.map(({ style }) => (
          <link rel="stylesheet" href={style} />
        ))}
        <link rel="icon" href="data:," />
        {assets.map(({ script }) => script && <script src={script} nonce={nonce} defer />)}
      </head>
      <body class={section === null ? 'plain' : undefined}>
        <a class="skip" href="#main">
          {texts.skip}
        </a>
        {section === null ? (
          <PlainHeader viewer={viewer} />
        ) : (
          <Header viewer={viewer} current={section} notices={notices} path={path} />
        )}
        {notices.demo && <DemoStrip viewer={viewer} demo={notices.demo} />}
        <Strip viewer={viewer} path={path} notices={notices} />
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
