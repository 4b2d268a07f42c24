import type { AppError } from '../../domain/errors.ts';
import type { Access } from '../../domain/rights.ts';
import { acceptsGzip } from '../../http/cached.ts';
import { type Html, html } from '../../lib/html.ts';
import type { Viewer } from '../viewer.ts';
import { SCRIPT, STYLE } from './assets.ts';

/** Which entry of the navigation a page belongs to. */
export type Section = 'inbox' | 'forms' | 'mail' | 'usage' | 'keys' | 'team' | 'account';

/**
 * What a page shows. `section` is null for pages of those who are not signed in, which have no navigation. `done` is what
 * to say of an action that has just been carried out.
 */
export type Page = Readonly<{
  title: string;
  section: Section | null;
  body: Html;
  done?: string | null;
  status?: number;
  headers?: Readonly<Record<string, string>>;
}>;

/** A form with its fields under a roof. */
const CHAR_CLASS = html`<svg class="mark" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d="M2 8.5 10 2l8 6.5V17a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 2 17z" fill="currentColor"/><path d="M6 9.5h8M6 12.5h8M6 15.5h4.5" stroke="var(--card)" stroke-width="1.5" stroke-linecap="round"/></svg>`;

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  // Not `no-referrer`, under which browsers send `Origin: null` with our own forms.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Encoding, Accept-Language, Cookie',
  'X-Robots-Tag': 'noindex',
};

/** The answer that holds a page, compressed where the browser takes that. */
export function pageAnswer(request: Request, viewer: Viewer, page: Page): Response {
  const markup = layout(viewer, page).toString();
  const status = page.status ?? 200;
  const headers = { ...HEADERS, ...page.headers };
  if (!acceptsGzip(request)) return new Response(markup, { status, headers });
  return new Response(Bun.gzipSync(markup), { status, headers: { ...headers, 'Content-Encoding': 'gzip' } });
}

/** The answer that holds a part of a page, which a script puts into it. */
export function partAnswer(markup: Html): Response {
  return new Response(markup.toString(), { headers: HEADERS });
}

/** A page about a failure; `id` is the request's in the log. */
export function errorPage(
  { texts, membership }: Viewer,
  { code, status, message, headers }: AppError,
  id: string,
): Page {
  const { failure } = texts;
  const isOutside = code === 'role_forbids' && membership === null;
  const forbidden = isOutside ? failure.noTeam : failure.forbidden;
  const title = status === 404 ? failure.notFound : failure.title;
  const reasons: Readonly<Record<string, string>> = {
    ...failure.reasons,
    role_forbids: forbidden,
    internal_error: failure.unforeseen(id),
  };
  const text = status === 404 ? failure.notFoundText : (reasons[code] ?? message);
  return {
    title,
    section: membership ? 'inbox' : null,
    status,
    headers,
    body: html`<h1>${title}</h1><p>${text}</p>${isOutside ? html`<p><a href="/dashboard/account">${texts.sections.account}</a></p>${signOut(texts)}` : html`<p><a href="/dashboard">${failure.back}</a></p>`}`,
  };
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

function layout(viewer: Viewer, { title, section, body, done }: Page): Html {
  const { language, texts } = viewer;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Formstead</title>
<link rel="stylesheet" href="${STYLE}">
<link rel="icon" href="data:,">
<script src="${SCRIPT}" defer></script>
</head>
<body${section === null ? html` class="plain"` : ''}>
<a class="skip" href="#main">${texts.skip}</a>
${section === null ? html`<header class="top"><span class="brand">${CHAR_CLASS} Formstead</span></header>` : navigation(viewer, section)}
<main id="main" tabindex="-1">
${done && html`<p class="done" role="status">${done}</p>`}
${body}
</main>
</body>
</html>`;
}

function navigation(viewer: Viewer, current: Section): Html {
  const { texts } = viewer;
  const entries = SECTIONS.filter(([, , access]) => viewer.can(access)).map(
    ([section, path]) =>
      html`<li><a href="${path}"${section === current ? html` aria-current="page"` : ''}>${texts.sections[section]}</a></li>`,
  );
  return html`<header class="top">
<a class="brand" href="/dashboard">${CHAR_CLASS} Formstead</a>
<nav aria-label="${texts.navigation}"><ul>${entries}</ul></nav>
${teamSwitch(viewer)}
<a class="manual" href="/docs" hreflang="en">${texts.manual}</a>
${signOut(texts)}
</header>`;
}

function signOut(texts: Viewer['texts']): Html {
  return html`<form method="post" action="/dashboard/sign-out"><button class="quiet">${texts.signOut}</button></form>`;
}

/** For those who belong to several teams: shows the things of another. */
function teamSwitch({ texts: { team: words }, membership, memberships }: Viewer): Html | null {
  if (memberships.length < 2) return null;
  const options = memberships.map(
    ({ team }) =>
      html`<option value="${team.id}"${team.id === membership?.team.id && html` selected`}>${team.name}</option>`,
  );
  return html`<form method="post" action="/dashboard/team/switch" class="row"><select name="team" aria-label="${words.switchTo}" autocomplete="off">${options}</select><button class="quiet">${words.switch}</button></form>`;
}
