import { readFileSync } from 'node:fs';
// Imported as a file: a binary would contain a text import twice, in the code and in its bytecode.
import widget from 'altcha/i18n' with { type: 'file' };
import { Elysia } from 'elysia';
import { acceptsGzip, isNotModified } from '../http/cached.ts';
import { dropInScript } from './drop-in.ts';

/** The widget's own build has short names already. */
const WIDGET_OPTIONS = { loader: 'js', target: 'browser', minifyWhitespace: true } as const;

/** Registers the scripts for pages with forms: `/formstead.js` and the ALTCHA widget `/altcha.js`. */
export function scriptRoutes() {
  return new Elysia().get('/formstead.js', scriptHandler(dropInScript)).get(
    '/altcha.js',
    scriptHandler(async () => new Bun.Transpiler(WIDGET_OPTIONS).transformSync(readFileSync(widget, 'utf8'))),
  );
}

/** Returns a handler that serves a script, which is read and compressed on the first request. */
function scriptHandler(read: () => Promise<string>) {
  let script: Promise<ReturnType<typeof prepare>> | null = null;
  return async ({ request }: Readonly<{ request: Request }>): Promise<Response> => {
    script ??= read().then(prepare);
    const { text, gzipped, tag, headers } = await script;
    if (isNotModified(request, tag)) return new Response(null, { status: 304, headers });
    return acceptsGzip(request)
      ? new Response(gzipped, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
      : new Response(text, { headers });
  };
}

function prepare(text: string) {
  // Weak, because it is the same for both encodings.
  const tag = `W/"${new Bun.CryptoHasher('sha256').update(text).digest('base64url')}"`;
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=3600',
    ETag: tag,
    Vary: 'Accept-Encoding',
  };
  return { text, gzipped: Bun.gzipSync(text, { level: 9 }), tag, headers };
}
