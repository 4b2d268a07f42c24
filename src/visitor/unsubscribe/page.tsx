/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { raw } from 'hono/html';
// The colors and type of all pages of this instance.
import base from '../../http/assets/base.css' with { type: 'text' };
import { shortHeader } from '../../http/short-header.ts';
import { renderDocument } from '../../lib/markup.ts';
import { CATALOG } from './texts.ts';

const STYLE = `${base}
main { max-width: 32rem; margin: 12vh auto 0; padding: 2rem 1.5rem; }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1.5rem; }
button { padding: .625rem 1.25rem; border: 0; border-radius: var(--radius); background: var(--accent);
  color: var(--on-accent); font: inherit; cursor: pointer; }
`;

const STYLE_HASH = new Bun.CryptoHasher('sha256').update(STYLE).digest('base64');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'self'; ` +
    `frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex',
  Vary: 'Accept-Language',
};

/** Returns the page that asks before it unsubscribes, or the confirmation afterwards. */
export function unsubscribePage(request: Request, isDone: boolean): Response {
  const language = CATALOG.negotiate(shortHeader(request, 'accept-language'));
  const t = CATALOG.textsIn(language);
  const title = isDone ? t.done : t.ask;
  const document = renderDocument(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style>{raw(STYLE)}</style>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          <p>{isDone ? t.doneText : t.text}</p>
          {!isDone && (
            <form method="post">
              <button>{t.button}</button>
            </form>
          )}
        </main>
      </body>
    </html>,
  );
  return new Response(document, { headers: HEADERS });
}
