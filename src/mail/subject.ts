import { toSingleLine } from '../lib/one-line.ts';

const LONGEST = 150;

/**
 * A text as the subject of a mail, on one line. What looks encoded (RFC 2047) is kept from being decoded by whoever reads
 * it, by a space without width.
 */
export function asSubject(text: string): string {
  return toSingleLine(text, LONGEST).replaceAll('=?', '=\u200b?');
}
