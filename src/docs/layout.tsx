/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { assetAddress, assetAnswer } from '../http/asset.ts';
import base from '../http/assets/base.css' with { type: 'text' };
import { type Markup, renderDocument } from '../lib/markup.ts';
import own from './assets/manual.css' with { type: 'text' };
import script from './assets/manual.js' with { type: 'text' };
import { type Chapter, groups } from './chapters.ts';
import type { Heading } from './markdown.ts';
import { MAX_QUERY_LENGTH } from './search.ts';

/** A page of the manual. */
export type Page = Readonly<{
  title: string;
  /** The path the navigation marks as current. */
  path: string | null;
  /** True for a page whose table of contents takes the place of the navigation where there is room next to the text. */
  isWide?: boolean;
  /** Sections for the table of contents. */
  headings: readonly Heading[];
  body: Markup;
  /** The query in the search box. */
  query?: string;
}>;

const style = base + own;
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
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; " +
    "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
  // Search engines should index the manual once, not on every instance.
  'X-Robots-Tag': 'noindex',
};

const REFERENCE: Entry = {
  path: '/docs/api',
  title: 'API reference',
  lead: 'Every operation with its parameters, responses and examples.',
};

/** The chapter the API reference follows in the navigation. */
const BEFORE_REFERENCE = 'management-api';

/** Renders a whole page. It is complete without script. */
export function renderPage({ title, path, headings, body, isWide = false, query = '' }: Page): string {
  return renderDocument(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {title}
          {path !== '/docs' && ' · Formstead manual'}
        </title>
        <link rel="stylesheet" href={STYLE} />
        <link rel="icon" href="data:," />
        <script src={SCRIPT} defer />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <TopBar current={path} query={query} />
        <div class={isWide ? 'shell wide' : 'shell'}>
          <Navigation current={path} />
          {headings.length > 1 && <TableOfContents headings={headings} />}
          <main id="content" tabindex={-1}>
            {body}
          </main>
        </div>
      </body>
    </html>,
  );
}

type WithCurrent = Readonly<{ current: string | null }>;

function TopBar({ current, query }: WithCurrent & Readonly<{ query: string }>) {
  return (
    <header class="top">
      <a class="brand" href="/docs" aria-current={currentIf(current === '/docs')}>
        <Logo /> Formstead <span>Manual</span>
      </a>{' '}
      <form role="search" action="/docs/search">
        <input
          type="search"
          id="search-query"
          name="q"
          value={query}
          maxlength={MAX_QUERY_LENGTH}
          placeholder="Search the manual"
          aria-label="Search the manual"
          aria-keyshortcuts="/"
          required
        />{' '}
        <kbd hidden>/</kbd>
        <button>Search</button>
      </form>{' '}
      <a class="out" href="/dashboard">
        Dashboard
      </a>
    </header>
  );
}

/** The logo: a form under a roof. */
function Logo() {
  return (
    <svg class="mark" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d="M2 8.5 10 2l8 6.5V17a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 2 17z" fill="currentColor" />
      <path d="M6 9.5h8M6 12.5h8M6 15.5h4.5" stroke="var(--card)" stroke-width="1.5" stroke-linecap="round" />
    </svg>
  );
}

function Navigation({ current }: WithCurrent) {
  return (
    <nav class="side" aria-label="Chapters" tabindex={0}>
      <details>
        <summary>Chapters</summary>
        {groups.map((group) => (
          <>
            <p>{group.title}</p>
            <ul>
              {toEntries(group.chapters).map(({ path, title }) => (
                <li>
                  <a href={path} aria-current={currentIf(path === current)}>
                    {title}
                  </a>
                </li>
              ))}
            </ul>
          </>
        ))}
      </details>
    </nav>
  );
}

function currentIf(isCurrent: boolean): 'page' | undefined {
  return isCurrent ? 'page' : undefined;
}

function TableOfContents({ headings }: Readonly<{ headings: readonly Heading[] }>) {
  return (
    <nav class="toc" aria-labelledby="toc-title">
      <details>
        <summary id="toc-title">On this page</summary>
        <ul>
          {headings
            .filter(({ level }) => level <= 3)
            .map(({ id, title, level }) => (
              <li class={level === 3 ? 'deep' : undefined}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
        </ul>
      </details>
    </nav>
  );
}

/** The list of all chapters with their first paragraphs. */
export function Contents() {
  return (
    <div class="contents">
      {groups.map((group) => (
        <section>
          <h2>{group.title}</h2>
          <ul>
            {toEntries(group.chapters).map(({ path, title, lead }) => (
              <li>
                <a href={path}>{title}</a>
                {lead !== '' && <p>{lead}</p>}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

type Entry = Readonly<{ path: string; title: string; lead: string }>;

/** Returns the chapters of a group, with the API reference after its introduction. */
function toEntries(chapters: readonly Chapter[]): readonly Entry[] {
  return chapters.flatMap(({ slug, title, lead }) => {
    const chapter = { path: `/docs/${slug}`, title, lead };
    return slug === BEFORE_REFERENCE ? [chapter, REFERENCE] : [chapter];
  });
}
