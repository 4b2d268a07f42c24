import { toSingleLine } from '../lib/one-line.ts';

/** Length of subjects that people wrote. */
const MAX_LENGTH = 150;
/** Length of subjects that are put together from values; lists of mails show no more. */
export const MAX_COMPOSED_LENGTH = 78;
const MAX_NAME_LENGTH = 100;

/** Returns text as a subject of one line. A zero-width space keeps clients from decoding `=?` as an RFC 2047 encoded word. */
export function toSubject(text: string, maxLength = MAX_LENGTH): string {
  return toSingleLine(text, maxLength).replaceAll('=?', '=\u200b?');
}

/** Returns the name of a form, a field or a team on one line. */
export function shortName(name: string): string {
  return toSingleLine(name, MAX_NAME_LENGTH);
}

/** Returns text as the name of a sender, or null if nothing is left. Drops characters that mark an address. */
export function toSenderName(text: string): string | null {
  return toSubject(text.replace(/["<>\\]/g, ''), MAX_NAME_LENGTH) || null;
}
