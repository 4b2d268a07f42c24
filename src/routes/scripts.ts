import { readFileSync } from 'node:fs';
// As a file: in a binary a text lies twice, in the code and in its bytecode.
import widget from 'altcha/i18n' with { type: 'file' };
import { Elysia } from 'elysia';
import dropIn from '../browser/formstead.js' with { type: 'text' };
import { acceptsGzip, isNotModified } from '../http/cached.ts';

/** Scripts for any page: `/formstead.js` sends its forms, `/altcha.js` is the widget that solves our challenges. */
export function scriptRoutes() {
  return new Elysia()
    .get(
      '/formstead.js',
      scriptAnswer(() => dropIn),
    )
    .get(
      '/altcha.js',
      scriptAnswer(() => readFileSync(widget, 'utf8')),
    );
}

/** Answers with a script, which is made small and compressed when it is first asked for. */
function scriptAnswer(read: () => string): (context: Readonly<{ request: Request }>) => Response {
  let made: ReturnType<typeof make> | null = null;
  return ({ request }) => {
    made ??= make(read());
    const { text, gzipped, tag, headers } = made;
    if (isNotModified(request, tag)) return new Response(null, { status: 304, headers });
    return acceptsGzip(request)
      ? new Response(gzipped, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
      : new Response(text, { headers });
  };
}

function make(source: string) {
  const text = new Bun.Transpiler({ loader: 'js', target: 'browser', minifyWhitespace: true }).transformSync(source);
  // Weak, as it stands for both encodings.
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
