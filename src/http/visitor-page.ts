import Negotiator from 'negotiator';
import type { ErrorCode } from '../domain/errors.ts';
import { Html, html } from '../lib/html.ts';
import { pageHeaders } from './page-headers.ts';
import { LANGUAGES, refusalTexts, thanksTexts } from './visitor-texts.ts';

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 1.125rem/1.6 system-ui, sans-serif; background: Canvas; color: CanvasText; }
main { max-width: 32rem; padding: 2rem 1.5rem; text-align: center; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; }
a { color: LinkText; } :focus-visible { outline: 3px solid Highlight; outline-offset: 3px; }
`;

const HEADERS = { ...pageHeaders(STYLE), 'X-Robots-Tag': 'noindex', Vary: 'Accept, Accept-Language' };

type Headers = Readonly<Record<string, string>>;

/** Whether a browser asks for a page to show, as it does after a form without script; a script gets JSON. */
export function wantsPage(request: Request): boolean {
  const accept = request.headers.get('accept');
  // What scripts send, told without the parser: most posts end here.
  if (!accept?.includes('text/html')) return false;
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html';
}

/** The page that thanks a visitor, in a language they read. */
export function thanksPage(request: Request, headers: Headers): Response {
  const language = languageOf(request);
  return page(request, 200, language, thanksTexts(language), headers);
}

/** The page that tells a visitor why nothing was kept. */
export function refusalPage(request: Request, code: ErrorCode, status: number, headers: Headers): Response {
  const language = languageOf(request);
  return page(request, status, language, refusalTexts(language, code), headers);
}

function languageOf(request: Request) {
  const headers = { 'accept-language': request.headers.get('accept-language') ?? '' };
  const wanted = new Negotiator({ headers }).language([...LANGUAGES]);
  return LANGUAGES.find((language) => language === wanted) ?? 'en';
}

function page(
  request: Request,
  status: number,
  language: string,
  { title, text, back }: Readonly<{ title: string; text: string; back: string }>,
  headers: Headers,
): Response {
  const from = cameFrom(request);
  const body = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
${from && html`<p><a href="${from}">${back}</a></p>`}
</main>
</body>
</html>`;
  return new Response(body.toString(), { status, headers: { ...HEADERS, ...headers } });
}

/** The page the form stands on, as far as the browser tells; never another site than the one that posted. */
function cameFrom(request: Request): string | null {
  const referer = request.headers.get('referer') ?? '';
  const origin = request.headers.get('origin');
  const url = URL.canParse(referer) ? new URL(referer) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  return origin === null || origin === url.origin ? url.href : null;
}
