import { create as contentDisposition } from 'content-disposition';

/**
 * Headers under which a browser saves a stranger's file and runs nothing in it. The name to save it under (RFC 6266,
 * section 4.3) is the last part of `name`, without control characters and marks that turn a text around and so hide its
 * ending; `fallback` where nothing is left.
 */
export function attachmentHeaders(name: string, contentType: string, fallback: string) {
  const [last = ''] = name.toWellFormed().split(/[/\\]/).slice(-1);
  const safe = last.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').replace(/^\.+$/, '');
  return {
    'Content-Type': contentType,
    'Content-Disposition': contentDisposition(safe || fallback),
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
}
