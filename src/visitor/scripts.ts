import { readFileSync } from 'node:fs';
// Imported as a file: a binary would contain a text import twice, in the code and in its bytecode.
import widget from 'altcha/i18n' with { type: 'file' };
import { Elysia } from 'elysia';
import { cachedText } from '../http/cached.ts';
import { once } from '../lib/once.ts';
import { dropInScript } from './drop-in.ts';

/** The widget's own build has short names already. */
const WIDGET_OPTIONS = { loader: 'js', target: 'browser', minifyWhitespace: true } as const;

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=3600',
  Vary: 'Accept-Encoding',
};

/** Registers the scripts for pages with forms: `/formstead.js` and the ALTCHA widget `/altcha.js`. */
export function scriptRoutes() {
  return new Elysia().get('/formstead.js', scriptHandler(dropInScript)).get(
    '/altcha.js',
    scriptHandler(async () => new Bun.Transpiler(WIDGET_OPTIONS).transformSync(readFileSync(widget, 'utf8'))),
  );
}

/** Returns a handler that serves a script, which is read and compressed on the first request. */
function scriptHandler(read: () => Promise<string>) {
  const serve = once(async () => cachedText(await read(), HEADERS));
  return async ({ request }: Readonly<{ request: Request }>) => (await serve())(request);
}
