import { create as contentDisposition } from 'content-disposition';
import { savedName } from '../lib/file-name.ts';

/** Headers under which a browser saves a stranger's file and runs nothing in it. */
export function attachmentHeaders(name: string, contentType: string, fallback: string) {
  return {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(savedName(name, fallback)),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}
