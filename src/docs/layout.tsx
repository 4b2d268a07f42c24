/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import { assetAddress, assetAnswer } from '../http/asset.ts';
import base from '../http/assets/base.css' with { type: 'text' };
import logo from '../http/assets/logo.svg' with { type: 'text' };
import { type Markup, renderDocument } from '../lib/markup.ts';
import { pairs } from '../lib/pairs.ts';
import own from './assets/manual.css' with { type: 'text' };
import script from './assets/manual.js' with { type: 'text' };
import { COUNTERPARTS, germanChapters, groups, type Language } from './chapters.ts';
import type { Heading } from './markdown.ts';
import { MAX_QUERY_LENGTH } from './search.ts';

/** A page of the manual. */
export type Page = Readonly<{
  title: string;
  /** The path the navigation marks as current. */
  path: string | null;
  language: Language;
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
  // Tells the first page that a link of the manual chose its language.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding',
  // Search engines should index the manual once, not on every instance.
  'X-Robots-Tag': 'noindex',
};

const REFERENCE = { path: '/docs/api', title: 'API reference' };

const WORDS = pairs({
  home: ['/docs', '/docs/de'],
  title: ['Formstead manual', 'Handbuch zu Formstead'],
  manual: ['Manual', 'Handbuch'],
  chapters: ['Chapters', 'Kapitel'],
  onThisPage: ['On this page', 'Auf dieser Seite'],
  skip: ['Skip to content', 'Zum Inhalt springen'],
  search: ['Search the manual', 'Handbuch durchsuchen'],
  searchButton: ['Search', 'Suchen'],
  searchTitle: ['Search', 'Suche'],
  unknown: ['Page not found', 'Seite nicht gefunden'],
  turn: ['Previous and next chapter', 'Voriges und nächstes Kapitel'],
  before: ['Previous', 'Zurück'],
  after: ['Next', 'Weiter'],
  otherLanguage: ['de', 'en'],
  otherName: ['Deutsch', 'English'],
});

/** What the pages say around chapters. */
export const TEXTS = {
  en: {
    ...WORDS.en,
    lead: (version: string) =>
      `How to connect forms, work with submissions and run an instance. This is the manual of version ${version}.`,
    ask: 'Ask in your own words, or type a few that matter.',
    found: (query: string, count: number) => {
      if (count === 0) return `Nothing found for “${query}”. Try other words, or choose a chapter.`;
      return `${count === 1 ? '1 section' : `${count} sections`} for “${query}”, best first.`;
    },
    unknownLead: 'The manual has no page at this address. Search for it, or choose a chapter.',
  },
  de: {
    ...WORDS.de,
    lead: () => 'Für alle, die mit den Nachrichten ihrer Formulare arbeiten.',
    ask: 'Fragen Sie mit eigenen Worten, oder geben Sie einige wichtige ein.',
    found: (query: string, count: number) => {
      if (count === 0)
        return `Nichts gefunden für „${query}“. Versuchen Sie andere Wörter, oder wählen Sie ein Kapitel.`;
      return `${count === 1 ? '1 Abschnitt' : `${count} Abschnitte`} für „${query}“, die besten zuerst.`;
    },
    unknownLead: 'Unter dieser Adresse gibt es keine Seite. Suchen Sie danach, oder wählen Sie ein Kapitel.',
  },
};

/** The chapter the API reference follows in the navigation. */
const BEFORE_REFERENCE = 'management-api';

/** Renders a whole page. It is complete without script. */
export function renderPage({ title, path, language, headings, body, query = '' }: Page): string {
  const texts = TEXTS[language];
  return renderDocument(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          {title}
          {path !== texts.home && ` · ${texts.title}`}
        </title>
        <link rel="stylesheet" href={STYLE} />
        <link rel="icon" href="data:," />
        <script src={SCRIPT} defer />
      </head>
      <body>
        <a class="skip" href="#content">
          {texts.skip}
        </a>
        <TopBar current={path} query={query} language={language} />
        <div class="shell">
          <Navigation current={path} language={language} />
          {headings.length > 1 && <TableOfContents headings={headings} title={texts.onThisPage} />}
          <main id="content" tabindex={-1}>
            {body}
          </main>
        </div>
      </body>
    </html>,
  );
}

type WithCurrent = Readonly<{ current: string | null; language: Language }>;

function TopBar({ current, query, language }: WithCurrent & Readonly<{ query: string }>) {
  const texts = TEXTS[language];
  return (
    <header class="top">
      <a class="brand" href={texts.home} aria-current={currentIf(current === texts.home)}>
        {raw(logo)} Formstead <span>{texts.manual}</span>
      </a>{' '}
      <form role="search" action={`${texts.home}/search`}>
        <input
          type="search"
          id="search-query"
          name="q"
          value={query}
          maxlength={MAX_QUERY_LENGTH}
          placeholder={texts.search}
          aria-label={texts.search}
          aria-keyshortcuts="/"
          required
        />{' '}
        <button>{texts.searchButton}</button>
      </form>{' '}
      <a class="out" href={getCounterpart(current, language)} hreflang={texts.otherLanguage} lang={texts.otherLanguage}>
        {texts.otherName}
      </a>{' '}
      <a class="out" href="/dashboard">
        Dashboard
      </a>
    </header>
  );
}

function Navigation({ current, language }: WithCurrent) {
  const texts = TEXTS[language];
  return (
    <nav class="side" aria-label={texts.chapters} tabindex={0}>
      <details>
        <summary>{texts.chapters}</summary>
        {getGroups(language).map((group) => (
          <>
            <p>{group.title}</p>
            <ul>
              {group.entries.map(({ path, title }) => (
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

const currentIf = (isCurrent: boolean): 'page' | undefined => (isCurrent ? 'page' : undefined);

function TableOfContents({ headings, title }: Readonly<{ headings: readonly Heading[]; title: string }>) {
  return (
    <nav class="toc" aria-labelledby="toc-title">
      <details>
        <summary id="toc-title">{title}</summary>
        <ul>
          {headings.map(({ id, title, level, method }) => (
            <li class={level === 3 ? 'deep' : undefined}>
              <a href={`#${id}`}>
                {method && <b class={`method ${method.toLowerCase()}`}>{method}</b>} {title}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** Returns the chapters by group, with the API reference after its introduction. */
function getGroups(language: Language) {
  const all = language === 'en' ? groups : [{ title: TEXTS.de.manual, chapters: germanChapters }];
  return all.map(({ title, chapters }) => ({
    title,
    entries: chapters.flatMap((chapter) => (chapter.slug === BEFORE_REFERENCE ? [chapter, REFERENCE] : [chapter])),
  }));
}

/** Returns the page in the other language that corresponds to a page, or the start of that edition. */
function getCounterpart(path: string | null, language: Language): string {
  if (language === 'de') return COUNTERPARTS[path ?? ''] ?? '/docs';
  return Object.keys(COUNTERPARTS).find((german) => COUNTERPARTS[german] === path) ?? '/docs/de';
}
