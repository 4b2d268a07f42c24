import { Elysia } from 'elysia';
import Negotiator from 'negotiator';
import source from '../browser/formstead.js' with { type: 'text' };

/** `/formstead.js`, the script that sends the forms of any page it is put into. */
export function dropInRoutes() {
  const text = new Bun.Transpiler({ loader: 'js', target: 'browser', minifyWhitespace: true }).transformSync(source);
  const gzipped = Bun.gzipSync(text, { level: 9 });
  // Weak, as it stands for both encodings.
  const tag = `W/"${new Bun.CryptoHasher('sha256').update(text).digest('base64url')}"`;
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Cache-Control': 'public, max-age=3600',
    ETag: tag,
    Vary: 'Accept-Encoding',
  };
  return new Elysia().get('/formstead.js', ({ request }) => {
    if (isKnown(request.headers.get('if-none-match'), tag)) return new Response(null, { status: 304, headers });
    const accepted = { 'accept-encoding': request.headers.get('accept-encoding') ?? '' };
    const asGzip = new Negotiator({ headers: accepted }).encoding(['gzip', 'identity']) === 'gzip';
    return asGzip
      ? new Response(gzipped, { headers: { ...headers, 'Content-Encoding': 'gzip' } })
      : new Response(text, { headers });
  });
}

/** Whether a browser that names the versions it has needs no other; compared weakly, as RFC 9110 asks here. */
function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  return ifNoneMatch?.split(',').some((one) => ['*', tag, tag.slice(2)].includes(one.trim())) ?? false;
}
