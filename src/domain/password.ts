import { normalize } from '../lib/normalize';
import type { User } from './user.ts';

/** Code points. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

export type PasswordFault = 'too_short' | 'too_long' | 'guessable';

/**
 * What is wrong with a password that someone wants; null if nothing. One is guessable that is a common password, the
 * e-mail address, a part of it or the product's name, also in capitals, with digits and signs around it, two of them one
 * after the other, or a shorter text over and over.
 */
export async function checkPassword(wanted: string, email: User['email']): Promise<PasswordFault | null> {
  const password = normalizePassword(wanted);
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return 'too_short';
  if (length > MAX_PASSWORD_LENGTH) return 'too_long';
  const guessable = new Set(await commonPasswords());
  for (const own of [email, ...email.split(/[@.]/), 'formstead']) guessable.add(own);
  return isGuessable(password.toLowerCase(), guessable) ? 'guessable' : null;
}

/** The same characters however a keyboard composed them (RFC 8265, section 4.2). */
export function normalizePassword(password: string): string {
  return normalize(password, 'NFC');
}

/** Loaded only where a password is set: it is a megabyte. */
async function commonPasswords(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
}

function isGuessable(password: string, guessable: ReadonlySet<string>): boolean {
  const core = password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return (
    /^(.+)\1+$/su.test(password) || [password, core].some((text) => guessable.has(text) || isTwoWords(text, guessable))
  );
}

function isTwoWords(text: string, guessable: ReadonlySet<string>): boolean {
  for (let end = 1; end < text.length; end++) {
    if (guessable.has(text.slice(0, end)) && guessable.has(text.slice(end))) return true;
  }
  return false;
}
