import { randomString } from '../../lib/ids.ts';

/** Bytes of the contents of one submission in a result. */
export const MAX_CONTENT_BYTES = 64 * 1024;

/** Tags, and characters that a reader does not see, such as tag characters, variation selectors and direction marks. */
const ESCAPED = /[<>]|(?!\n)[\p{C}\p{DI}\p{Zl}\p{Zp}]/gu;

/** Contents in their marks, and a note about them. */
export type Untrusted = Readonly<{ mark: string; text: string; isCut: boolean }>;

/**
 * Wraps a submitted value, as JSON, in a tag with a random name. Contents can't contain a tag: `<`, `>` and invisible
 * characters are escaped. They are cut at `MAX_CONTENT_BYTES`.
 */
export function wrapUntrusted(value: unknown): Untrusted {
  const mark = `untrusted-${randomString(32, '0123456789abcdef')}`;
  const bytes = Buffer.from(JSON.stringify(value, null, 1).replace(ESCAPED, escapeUnits));
  // A stream drops a character that the cut has split.
  const contents = new TextDecoder().decode(bytes.subarray(0, MAX_CONTENT_BYTES), { stream: true });
  return { mark, text: `<${mark}>\n${contents}\n</${mark}>`, isCut: bytes.length > MAX_CONTENT_BYTES };
}

function escapeUnits(character: string): string {
  return Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}
