import { readFileSync } from 'node:fs';
// Imported as a file: a binary would contain a text import twice, in the code and in its bytecode.
import widget from 'altcha/i18n' with { type: 'file' };
import { Elysia } from 'elysia';
import dropIn from '../client/formstead.js' with { type: 'text' };
import { acceptsGzip, isNotModified } from '../http/cached.ts';

/** Shortens names too. `minify` is missing in Bun's types. */
const SMALLEST = { loader: 'js', target: 'browser', minify: true } as const;
/** The widget's own build has short names already. */
const SMALLER = { loader: 'js', target: 'browser', minifyWhitespace: true } as const;

type Options = typeof SMALLEST | typeof SMALLER;

/** Registers the scripts for pages with forms: `/formstead.js` and the ALTCHA widget `/altcha.js`. */
export function scriptRoutes() {
  return new Elysia()
    .get(
      '/formstead.js',
      scriptHandler(() => dropIn, SMALLEST),
    )
    .get(
      '/altcha.js',
      scriptHandler(() => readFileSync(widget, 'utf8'), SMALLER),
    );
}

/** Returns a handler that serves a script, minified and compressed on the first request. */
function scriptHandler(read: () => string, options: Options): (context: Readonly<{ request: Request }>) => Response {
  let script: ReturnType<typeof build> | null = null;
  return ({ request }) => {
    script ??= build(read(), options);
    const { text, gzipped, tag, headers } = script;
    if (isNotModified(request, tag)) return new Response(null, { status: 304, headers });
    return acceptsGzip(request)
      ? new Response(gzipped, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
      : new Response(text, { headers });
  };
}

function build(source: string, options: Options) {
  const text = new Bun.Transpiler(options).transformSync(source);
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
