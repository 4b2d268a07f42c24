import type { OpenApiDocument } from '../api/openapi/document.ts';
import { AppError } from '../domain/errors.ts';
import { cachedText, textResponse } from '../http/cached.ts';
import { ownAddress } from '../http/own-address.ts';
import { shortHeader } from '../http/short-header.ts';
import { createCatalog } from '../lib/i18n.ts';
import { once } from '../lib/once.ts';
import { CHAPTERS } from '../manual/index.ts';
import { chapters, EXAMPLE_ADDRESS, germanChapters, getSections, type Language } from './chapters.ts';
import { HEADERS, type Page, renderPage, TEXTS } from './layout.tsx';
import { chapterPage, contentsPage, searchPage, unknownPage } from './pages.tsx';
import { referencePage, referenceSections } from './reference.tsx';
import { MAX_QUERY_LENGTH, SectionIndex } from './search.ts';

export { ASSETS } from './layout.tsx';

const CATALOG = createCatalog<Language, unknown>('en', TEXTS);

/** Addresses of the instance whose pages are kept. */
const MAX_ADDRESSES = 2;

/** The pages of the manual. Each is rendered once; responses are cached for the last addresses of the instance. */
export class Manual {
  readonly #pages = new Map<string, string>();
  readonly #responses = new Map<string, Map<string, ReturnType<typeof cachedText>>>();
  readonly #index = once(
    () => new SectionIndex([...chapters.flatMap(getSections), ...referenceSections(this.document)]),
  );
  readonly #german = once(() => new SectionIndex(germanChapters.flatMap(getSections)));

  constructor(
    private readonly document: OpenApiDocument,
    private readonly baseUrl: string | null,
  ) {}

  /** Responds with the first page. Visitors from elsewhere get the edition that their browser prefers. */
  contents(request: Request, language: Language): Response {
    const isFromHere = request.headers.get('referer')?.startsWith(`${ownAddress(request, this.baseUrl)}/`);
    const preferred = isFromHere ? language : CATALOG.negotiate(shortHeader(request, 'accept-language'));
    if (language === 'en' && preferred === 'de') {
      return new Response(null, { status: 303, headers: { ...HEADERS, Location: TEXTS.de.home } });
    }
    const version = String(this.document.info.version);
    return this.#respond(request, `contents ${language}`, () => contentsPage(version, language));
  }

  reference(request: Request): Response {
    return this.#respond(request, 'reference', () => referencePage(this.document));
  }

  /** Responds with a chapter, or with 404 and the contents. */
  chapter(request: Request, slug: string, language: Language = 'en'): Response {
    const edition = language === 'de' ? germanChapters : chapters;
    const index = edition.findIndex((chapter) => chapter.slug === slug);
    const chapter = edition[index];
    if (!chapter) return textResponse(request, renderPage(unknownPage(language)), { status: 404, headers: HEADERS });
    return this.#respond(request, chapter.path, () => chapterPage(chapter, edition[index - 1], edition[index + 1]));
  }

  /** Responds with the source of a chapter in Markdown. Throws `not_found` for an unknown one. */
  markdown(request: Request, slug: string): Response {
    const source = CHAPTERS.find((chapter) => chapter.slug === slug)?.text;
    if (source === undefined) throw new AppError('not_found', 'The manual has no such chapter.');
    return this.#text(request, 'text/markdown', source);
  }

  /** Responds with an overview for language models, as proposed by llmstxt.org. */
  overview(request: Request): Response {
    const lines = chapters.map(({ slug, title, lead }) => `- [${title}](${EXAMPLE_ADDRESS}/docs/${slug}.md): ${lead}`);
    const text = [
      '# Formstead',
      '> A self-hosted form backend: forms of any site post to it, and it stores, filters and delivers submissions.',
      '## Manual',
      lines.join('\n'),
      '## API',
      `- [OpenAPI document](${EXAMPLE_ADDRESS}/openapi.json): every operation of the public endpoints and the management API`,
    ];
    return this.#text(request, 'text/plain', `${text.join('\n\n')}\n`);
  }

  #text(request: Request, type: string, source: string): Response {
    const address = ownAddress(request, this.baseUrl) ?? EXAMPLE_ADDRESS;
    const headers = { ...HEADERS, 'Content-Type': `${type}; charset=utf-8`, 'X-Content-Type-Options': 'nosniff' };
    const text = source.replaceAll(EXAMPLE_ADDRESS, () => address);
    return new Response(text, { headers });
  }

  search(request: Request, language: Language): Response {
    const at = request.url.indexOf('?');
    const typed = at < 0 ? '' : (new URLSearchParams(request.url.slice(at + 1)).get('q') ?? '');
    const query = typed.slice(0, MAX_QUERY_LENGTH).toWellFormed().trim();
    const address = ownAddress(request, this.baseUrl) ?? EXAMPLE_ADDRESS;
    const index = language === 'de' ? this.#german() : this.#index();
    return textResponse(request, renderPage(searchPage(index, query, address, language)), { headers: HEADERS });
  }

  #respond(request: Request, name: string, page: () => Page): Response {
    const address = ownAddress(request, this.baseUrl) ?? EXAMPLE_ADDRESS;
    const responses = this.#responses.get(address) ?? new Map<string, ReturnType<typeof cachedText>>();
    const [oldest] = this.#responses.keys();
    if (!this.#responses.has(address) && this.#responses.size === MAX_ADDRESSES) this.#responses.delete(oldest ?? '');
    this.#responses.set(address, responses);
    let response = responses.get(name);
    if (!response) {
      const rendered = this.#pages.get(name) ?? renderPage(page());
      this.#pages.set(name, rendered);
      response = cachedText(
        rendered.replaceAll(EXAMPLE_ADDRESS, () => Bun.escapeHTML(address)),
        HEADERS,
      );
      responses.set(name, response);
    }
    return response(request);
  }
}
