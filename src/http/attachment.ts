import { create as contentDisposition } from 'content-disposition';
import { sanitizeFileName } from '../lib/file-name.ts';
import { NOTHING } from './base-headers.ts';

/** Headers under which a browser saves a stranger's file and runs nothing in it. */
export function attachmentHeaders(name: string, contentType: string, fallback: string) {
  return {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(sanitizeFileName(name, fallback)),
    'Content-Security-Policy': `${NOTHING}; sandbox`,
  };
}
