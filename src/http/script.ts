import { once } from '../lib/once.ts';
import { cachedText } from './cached.ts';

const HEADERS = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Cache-Control': 'public, max-age=3600',
  Vary: 'Accept-Encoding',
};

/** Returns a handler that serves a script, which is read and compressed on the first request. */
export function scriptHandler(read: () => Promise<string>) {
  const serve = once(async () => cachedText(await read(), HEADERS));
  return async ({ request }: Readonly<{ request: Request }>): Promise<Response> => (await serve())(request);
}

/** Bundles and minifies a script of a page as a classic script. Throws if the source does not compile. */
export async function bundleScript(path: string): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [path], target: 'browser', format: 'iife', minify: true });
  const [script] = outputs;
  if (!script) throw new Error(`Could not bundle ${path}: no output.`);
  return (await script.text()).trim();
}
