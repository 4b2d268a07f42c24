import { create as contentDisposition } from 'content-disposition';
import { sanitizeFileName } from '../lib/file-name.ts';
import { DENY_ALL_CSP } from './base-headers.ts';

/** Returns a response that browsers save as a file, without running anything in it. */
export function attachment(
  body: string | ReadableStream,
  name: string,
  contentType: string,
  fallback: string = name,
): Response {
  return new Response(body, {
    headers: {
      'Content-Type': contentType,
      'Content-Disposition': contentDisposition(sanitizeFileName(name, fallback)),
      'Content-Security-Policy': `${DENY_ALL_CSP}; sandbox`,
      'Cache-Control': 'no-store',
    },
  });
}
