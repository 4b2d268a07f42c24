import { assetAddress, assetAnswer } from '../../http/asset.ts';
import { type Html, html } from '../../lib/html.ts';
import style from './assets/manual.css' with { type: 'text' };
import script from './assets/manual.js' with { type: 'text' };
import { type Chapter, groups } from './chapters.ts';
import type { Heading } from './markdown.ts';
import { MAX_QUERY_LENGTH } from './search.ts';

/** A page of the manual. */
export type Page = Readonly<{
  title: string;
  /** The path the navigation marks as current. */
  path: string | null;
  /** Sections for the table of contents. */
  headings: readonly Heading[];
  body: Html;
  /** The query in the search box. */
  query?: string;
}>;

const STYLE = assetAddress('manual.css', style, '/docs');
const SCRIPT = assetAddress('manual.js', script, '/docs');

/** Style and script by address. */
export const ASSETS: Readonly<Record<string, ReturnType<typeof assetAnswer>>> = {
  [STYLE]: assetAnswer(style, 'text/css'),
  [SCRIPT]: assetAnswer(script, 'text/javascript'),
};

export const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
  // Search engines should index the manual once, not on every instance.
  'X-Robots-Tag': 'noindex',
};

const REFERENCE = { path: '/docs/api', title: 'API reference' };
/** The chapter the API reference follows in the navigation. */
const BEFORE_REFERENCE = 'management-api';

/** The logo: a form under a roof. */
const LOGO = html`<svg class="mark" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
<path d="M2 8.5 10 2l8 6.5V17a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 2 17z" fill="currentColor"/>
<path d="M6 9.5h8M6 12.5h8M6 15.5h4.5" stroke="var(--card)" stroke-width="1.5" stroke-linecap="round"/></svg>`;

/** Renders a whole page. It is complete without script. */
export function renderPage({ title, path, headings, body, query = '' }: Page): string {
  const suffix = path === '/docs' ? '' : ' · Formstead manual';
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}${suffix}</title>
<link rel="stylesheet" href="${STYLE}">
<link rel="icon" href="data:,">
<script src="${SCRIPT}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<a class="brand" href="/docs"${path === '/docs' && html` aria-current="page"`}>${LOGO} Formstead <span>Manual</span></a>
<form role="search" action="/docs/search">
<input type="search" id="search-query" name="q" value="${query}" maxlength="${MAX_QUERY_LENGTH}"
 placeholder="Search the manual" aria-label="Search the manual" aria-keyshortcuts="/" required>
<kbd hidden>/</kbd><button>Search</button></form>
<a class="out" href="/dashboard">Dashboard</a>
</header>
<div class="shell">
<nav class="side" aria-label="Chapters"><details><summary>Chapters</summary>
${groups.map(
  (group) => html`<p>${group.title}</p><ul>${group.chapters.map((chapter) => navigationEntry(chapter, path))}</ul>
`,
)}</details></nav>
${headings.length > 1 ? tableOfContents(headings) : ''}
<main id="content" tabindex="-1">
${body}
</main>
</div>
</body>
</html>`.toString();
}

function navigationEntry({ slug, title }: Chapter, current: string | null): Html {
  const chapter = navigationLink(`/docs/${slug}`, title, current);
  return slug === BEFORE_REFERENCE
    ? html`${chapter}${navigationLink(REFERENCE.path, REFERENCE.title, current)}`
    : chapter;
}

function navigationLink(path: string, title: string, current: string | null): Html {
  return html`<li><a href="${path}"${path === current && html` aria-current="page"`}>${title}</a></li>`;
}

function tableOfContents(headings: readonly Heading[]): Html {
  const entries = headings
    .filter(({ level }) => level <= 3)
    .map(({ id, title, level }) => html`<li${level === 3 && html` class="deep"`}><a href="#${id}">${title}</a></li>`);
  return html`<nav class="toc" aria-labelledby="toc-title"><details><summary id="toc-title">On this page</summary>
<ul>${entries}</ul></details></nav>`;
}

/** Returns the list of all chapters with their first paragraphs. */
export function contentsList(): Html {
  const entry = (path: string, title: string, lead: string) =>
    html`<li><a href="${path}">${title}</a>${lead !== '' && html`<p>${lead}</p>`}</li>`;
  const reference = entry(
    REFERENCE.path,
    REFERENCE.title,
    'Every operation with its parameters, responses and examples.',
  );
  return html`<div class="contents">${groups.map(
    ({ title, chapters }) =>
      html`<section><h2>${title}</h2><ul>${chapters.map(
        ({ slug, title, lead }) =>
          html`${entry(`/docs/${slug}`, title, lead)}${slug === BEFORE_REFERENCE && reference}`,
      )}</ul></section>`,
  )}</div>`;
}

/** Returns the links to the previous and the next chapter. */
export function turnLinks(before: Chapter | undefined, after: Chapter | undefined): Html {
  return html`<nav class="turn" aria-label="Previous and next chapter">${
    before && html`<a class="before" rel="prev" href="/docs/${before.slug}"><small>Previous</small> ${before.title}</a>`
  }${after && html`<a class="after" rel="next" href="/docs/${after.slug}"><small>Next</small> ${after.title}</a>`}</nav>`;
}
