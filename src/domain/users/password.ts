import { normalize } from '../../lib/normalize.ts';
import leakedPasswords from '../leaked-passwords.gz' with { type: 'file' };
import type { User } from './user.ts';

/** Password lengths in code points. */
export const MIN_PASSWORD_LENGTH = 12;
export const MAX_PASSWORD_LENGTH = 200;

export type PasswordError = 'too_short' | 'too_long' | 'guessable';

/**
 * Checks a new password; returns null if it is acceptable. Guessable are common passwords, the email address, its parts
 * and the product name: in any letter case, surrounded by digits or symbols, or two in a row; also leaked passwords, and
 * repetitions of a shorter text.
 */
export async function checkPassword(input: string, email: User['email']): Promise<PasswordError | null> {
  const password = normalizePassword(input);
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return 'too_short';
  if (length > MAX_PASSWORD_LENGTH) return 'too_long';
  const guessable = new Set(await commonPasswords());
  for (const word of [email, ...email.split(/[@.]/), 'formstead']) guessable.add(word);
  const lower = password.toLowerCase();
  return isGuessable(lower, guessable) || (await isLeaked(lower)) ? 'guessable' : null;
}

/** Normalizes a password to NFC (RFC 8265, section 4.2), so that input methods don't matter. */
export const normalizePassword = (password: string): string => normalize(password, 'NFC');

/** Loads the list of common passwords, about 1 MB, only when a password is set. */
async function commonPasswords(): Promise<readonly string[]> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return dictionary['passwords-common'];
}

/**
 * Reports whether a lowercase password is on the list of leaked ones: those of 12 characters or more among the million most
 * common. The list has one in each line and is read only when a password is set.
 */
async function isLeaked(password: string): Promise<boolean> {
  const list = new TextDecoder().decode(Bun.gunzipSync(await Bun.file(leakedPasswords).bytes()));
  return `\n${list}`.includes(`\n${password}\n`);
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
