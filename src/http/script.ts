import { acceptsGzip, isNotModified } from './cached.ts';

/** Returns a handler that serves a script, which is read and compressed on the first request. */
export function scriptHandler(read: () => Promise<string>) {
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

/** Bundles and minifies a script of a page as a classic script. Throws if the source does not compile. */
export async function bundleScript(path: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [path], target: 'browser', format: 'iife', minify: true });
  const [script] = outputs;
  if (!script) throw new Error(`Could not bundle ${path}: no output.`);
  return (await script.text()).trim();
}
