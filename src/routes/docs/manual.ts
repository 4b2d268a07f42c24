import { acceptsGzip, isNotModified } from '../../http/cached.ts';
import { ownAddress } from '../../http/own-address.ts';
import { Html, html } from '../../lib/html.ts';
import type { OpenApiDocument } from '../api/openapi/document.ts';
import { type Chapter, chapters, EXAMPLE_ADDRESS, type Section, sectionsOf } from './chapters.ts';
import { contentsList, HEADERS, type Page, renderPage, turnLinks } from './layout.ts';
import { referencePage, referenceSections } from './reference.ts';
import { findSections, MAX_QUERY_LENGTH, markWords, snippetOf } from './search.ts';

export { ASSETS } from './layout.ts';

type CachedResponse = Readonly<{ text: string; tag: string; gzipped: () => Uint8Array<ArrayBuffer> }>;

/**
 * The pages of the manual. Each is rendered once; responses with the instance's address are cached until a request has
 * another address.
 */
export class Manual {
  readonly #baseUrl: string | null;
  readonly #document: OpenApiDocument;
  readonly #pages = new Map<string, string>();
  readonly #responses = new Map<string, CachedResponse>();
  #address = '';
  #sections: readonly Section[] | null = null;

  constructor(document: OpenApiDocument, baseUrl: string | null) {
    this.#document = document;
    this.#baseUrl = baseUrl;
  }

  contents(request: Request): Response {
    return this.#respond(request, 'contents', () => contentsPage(String(this.#document.info.version)));
  }

  reference(request: Request): Response {
    return this.#respond(request, 'reference', () => referencePage(this.#document));
  }

  /** Responds with a chapter, or with 404 and the contents. */
  chapter(request: Request, slug: string): Response {
    const index = chapters.findIndex((chapter) => chapter.slug === slug);
    const chapter = chapters[index];
    if (!chapter) return compressed(request, renderPage(UNKNOWN), 404);
    return this.#respond(request, `chapter ${slug}`, () => chapterPage(chapter, index));
  }

  search(request: Request): Response {
    const at = request.url.indexOf('?');
    const typed = at < 0 ? '' : (new URLSearchParams(request.url.slice(at + 1)).get('q') ?? '');
    const query = typed.slice(0, MAX_QUERY_LENGTH).toWellFormed().trim();
    this.#sections ??= [...chapters.flatMap(sectionsOf), ...referenceSections(this.#document)];
    const address = ownAddress(request, this.#baseUrl) ?? EXAMPLE_ADDRESS;
    return compressed(request, renderPage(searchPage(this.#sections, query, address)), 200);
  }

  #respond(request: Request, name: string, page: () => Page): Response {
    const address = ownAddress(request, this.#baseUrl) ?? EXAMPLE_ADDRESS;
    if (address !== this.#address) this.#responses.clear();
    this.#address = address;
    let response = this.#responses.get(name);
    if (!response) {
      const rendered = this.#pages.get(name) ?? renderPage(page());
      this.#pages.set(name, rendered);
      response = prepare(rendered.replaceAll(EXAMPLE_ADDRESS, () => Bun.escapeHTML(address)));
      this.#responses.set(name, response);
    }
    const { text, tag, gzipped } = response;
    const headers = { ...HEADERS, ETag: tag };
    if (isNotModified(request, tag)) return new Response(null, { status: 304, headers });
    return acceptsGzip(request)
      ? new Response(gzipped(), { headers: { ...headers, 'Content-Encoding': 'gzip' } })
      : new Response(text, { headers });
  }
}

function prepare(text: string): CachedResponse {
  let compressed: Uint8Array<ArrayBuffer> | null = null;
  return {
    text,
    // Weak, as it is the same for both encodings.
    tag: `W/"${new Bun.CryptoHasher('sha256').update(text).digest('base64url')}"`,
    gzipped: () => {
      compressed ??= Bun.gzipSync(text);
      return compressed;
    },
  };
}

function compressed(request: Request, text: string, status: number): Response {
  if (!acceptsGzip(request)) return new Response(text, { status, headers: HEADERS });
  return new Response(Bun.gzipSync(text), { status, headers: { ...HEADERS, 'Content-Encoding': 'gzip' } });
}

function contentsPage(version: string): Page {
  return {
    title: 'Formstead manual',
    path: '/docs',
    headings: [],
    body: html`<h1>Formstead manual</h1>
<p class="lead">How to connect forms, work with submissions and run an instance.
This server runs version ${version}; this is its manual.</p>
${contentsList()}`,
  };
}

function chapterPage({ slug, title, headings, markup }: Chapter, index: number): Page {
  return {
    title,
    path: `/docs/${slug}`,
    headings,
    body: html`<article><h1>${title}</h1>
${new Html(markup)}</article>
${turnLinks(chapters[index - 1], chapters[index + 1])}`,
  };
}

const UNKNOWN: Page = {
  title: 'Page not found',
  path: null,
  headings: [],
  body: html`<h1>Page not found</h1>
<p class="lead">The manual has no page at this address. Search for it, or choose a chapter.</p>
${contentsList()}`,
};

function searchPage(sections: readonly Section[], query: string, address: string): Page {
  const { results, words, total } = findSections(sections, query);
  const items = results.map(({ path, chapter, title, text }) => {
    const shown = text.replaceAll(EXAMPLE_ADDRESS, () => address);
    return html`<li><a href="${path}">${markWords(title, words)}</a>${title !== chapter && html` <span class="soft">${chapter}</span>`}
<p>${snippetOf(shown, words)}</p></li>
`;
  });
  return {
    title: query === '' ? 'Search' : `Search: ${query}`,
    path: null,
    headings: [],
    query,
    body: html`<h1>Search</h1>
${summaryOf(query, results.length, total)}
${results.length > 0 ? html`<ol class="results">${items}</ol>` : contentsList()}`,
  };
}

function summaryOf(query: string, shown: number, total: number): Html {
  if (query === '')
    return html`<p class="lead">Type one or more words. Sections that contain all of them are listed.</p>`;
  if (total === 0) {
    return html`<p class="lead">No section contains all words of “${query}”. Try fewer words, or choose a chapter.</p>`;
  }
  const count = total === 1 ? '1 section' : `${total} sections`;
  return html`<p class="lead">${count} for “${query}”${shown < total && `; the best ${shown} are shown`}.</p>`;
}
