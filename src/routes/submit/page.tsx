/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
import Negotiator from 'negotiator';
import type { AppError } from '../../domain/errors.ts';
import { pageHeaders } from '../../http/page-headers.ts';
import { shortHeader } from '../../http/short-header.ts';
import { type Markup, render, renderDocument } from '../../lib/markup.ts';
import { fieldErrorText, type Language, languageOf, refusalText, textsIn } from './i18n/index.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: Canvas; color: CanvasText; }
body { font: 1.125rem/1.6 system-ui, sans-serif; }
main { max-width: 32rem; padding: 2rem 1.5rem; text-align: center; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; }
p { white-space: pre-line; } h1, p, li { overflow-wrap: anywhere; }
ul { padding-inline-start: 1.25rem; text-align: start; } li b { display: block; }
a { color: LinkText; } :focus-visible { outline: 3px solid Highlight; outline-offset: 3px; }
`;

/** The parts of the head that all pages share, rendered once because they take a third of a page's time. */
const METAS = raw(
  render(
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
    </>,
  ),
);
const STYLESHEET = raw(render(<style>{raw(STYLE)}</style>));

const PAGE_HEADERS = { ...pageHeaders(STYLE), 'X-Robots-Tag': 'noindex' };

type HeaderFields = Readonly<Record<string, string>>;

type Page = Readonly<{ status: number; language: Language; title: string; content: Markup }>;

/** Returns whether the client prefers HTML to JSON, as a browser does for a form posted without script. */
export function wantsPage(request: Request): boolean {
  const accept = shortHeader(request, 'accept');
  // Most scripts do not accept HTML; this skips the parser.
  if (!accept?.includes('text/html')) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

/**
 * Renders the success page in the visitor's language. The form's own title and text replace the default ones; they are
 * plain text in an unknown language.
 */
export function thanksPage(
  request: Request,
  { thanksTitle, thanksText }: Readonly<{ thanksTitle: string | null; thanksText: string | null }>,
  headers: HeaderFields,
): Response {
  const language = languageOf(request);
  const { thanks, back } = textsIn(language);
  const content = (
    <main>
      {thanksTitle === null ? (
        <h1>{thanks.title}</h1>
      ) : (
        <h1 lang="" dir="auto">
          {thanksTitle}
        </h1>
      )}
      {thanksText === null ? (
        <p>{thanks.text}</p>
      ) : (
        <p lang="" dir="auto">
          {thanksText}
        </p>
      )}
      <LinkBack url={formPageUrl(request)} text={back} />
    </main>
  );
  return respond({ status: 200, language, title: thanksTitle ?? thanks.title, content }, headers);
}

/** Renders the refusal page in the visitor's language, with one item per invalid field. */
export function refusalPage(request: Request, refusal: AppError, headers: HeaderFields): Response {
  const language = languageOf(request);
  const { refused, back } = textsIn(language);
  const content = (
    <main>
      <h1>{refused}</h1>
      <p>{refusalText(language, refusal)}</p>
      {refusal.errors.length > 0 && (
        <ul>
          {refusal.errors.map((error) => (
            <li>
              <b>
                <bdi>{error.label ?? error.field}</bdi>
              </b>{' '}
              {fieldErrorText(language, error)}
            </li>
          ))}
        </ul>
      )}
      <LinkBack url={formPageUrl(request)} text={back} />
    </main>
  );
  return respond({ status: refusal.status, language, title: refused, content }, headers);
}

function LinkBack({ url, text }: Readonly<{ url: string | null; text: string }>) {
  if (url === null) return null;
  return (
    <p>
      <a href={url}>{text}</a>
    </p>
  );
}

function respond({ status, language, title, content }: Page, headers: HeaderFields): Response {
  const document = renderDocument(
    <html lang={language}>
      <head>
        {METAS}
        <title>{title}</title>
        {STYLESHEET}
      </head>
      <body>{content}</body>
    </html>,
  );
  const all = new Headers({ ...PAGE_HEADERS, ...headers });
  // Appended, because the caller's headers may have a Vary of their own.
  all.append('Vary', 'Accept, Accept-Language');
  return new Response(document, { status, headers: all });
}

/** Returns the page with the form from the Referer header, or null if that has another origin than the request. */
function formPageUrl(request: Request): string | null {
  const referer = request.headers.get('referer') ?? '';
  const origin = request.headers.get('origin');
  const url = URL.canParse(referer) ? new URL(referer) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return origin === null || origin === url.origin ? url.href : null;
}
