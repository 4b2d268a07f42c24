import { acceptsGzip, isNotModified } from '../../http/cached.ts';
import { ownAddress } from '../../http/own-address.ts';
import type { OpenApiDocument } from '../api/openapi/document.ts';
import { chapters, EXAMPLE_ADDRESS, type Section, sectionsOf } from './chapters.ts';
import { HEADERS, type Page, renderPage } from './layout.tsx';
import { chapterPage, contentsPage, unknownPage } from './pages.tsx';
import { referencePage, referenceSections } from './reference.tsx';
import { MAX_QUERY_LENGTH } from './search.ts';
import { searchPage } from './search-page.tsx';

export { ASSETS } from './layout.tsx';

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
    if (!chapter) return compressed(request, renderPage(unknownPage()), 404);
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
