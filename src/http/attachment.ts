import { create as contentDisposition } from 'content-disposition';
import { sanitizeFileName } from '../lib/file-name.ts';
import { DENY_ALL_CSP } from './base-headers.ts';

/** Types that a page of this origin could run as a script or apply as a style, if markup were ever injected. */
const ACTIVE_TYPE = /^(?:text|application)\/(?:x-)?(?:java|ecma|live|j)script|^text\/css$/;

/** Returns a response that browsers save as a file, without running anything in it. */
export function attachment(body: string | ReadableStream, name: string, contentType: string, fallback: string = name) {
  return new Response(body, {
    headers: {
      'Content-Type': ACTIVE_TYPE.test(contentType) ? 'application/octet-stream' : contentType,
      'Content-Disposition': contentDisposition(sanitizeFileName(name, fallback)),
      'Content-Security-Policy': `${DENY_ALL_CSP}; sandbox`,
      'Cache-Control': 'no-store',
    },
  });
}
