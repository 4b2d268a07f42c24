import { once } from '../lib/once.ts';
import { textResponse } from './cached.ts';

/** Returns the path of a script or style. It contains a hash of the source, so browsers may cache it forever. */
export function assetAddress(name: string, source: string, folder = '/dashboard'): string {
  const hash = new Bun.CryptoHasher('sha256').update(source).digest('hex').slice(0, 16);
  return `${folder}/assets/${hash}/${name}`;
}

/** Returns a handler that serves the source, compressed on the first request. */
export function assetAnswer(source: string, type: string): (context: Readonly<{ request: Request }>) => Response {
  const gzipped = once(() => Bun.gzipSync(source, { level: 9 }));
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
  };
  return ({ request }) => textResponse(request, source, { headers }, gzipped);
}
