import { toSingleLine } from '../lib/one-line.ts';

const MAX_LENGTH = 150;

/** Returns text as a subject of one line. A zero-width space keeps clients from decoding `=?` as an RFC 2047 encoded word. */
export function toSubject(text: string): string {
  return toSingleLine(text, MAX_LENGTH).replaceAll('=?', '=\u200b?');
}
