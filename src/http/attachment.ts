import { create as contentDisposition } from 'content-disposition';
import { sanitizeFileName } from '../lib/file-name.ts';
import { DENY_ALL_CSP } from './base-headers.ts';

/** Returns headers that make browsers save an uploaded file and run nothing in it. */
export function attachmentHeaders(name: string, contentType: string, fallback: string) {
  return {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(sanitizeFileName(name, fallback)),
    'Content-Security-Policy': `${DENY_ALL_CSP}; sandbox`,
  };
}
