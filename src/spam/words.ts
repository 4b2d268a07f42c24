const LETTER_H = 'h'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
/** The bit in which ASCII letters differ by case. */
const CASE = 0x20;

/** Returns whether a link with `http` or `https` starts here, in letters of any case. */
export function isLinkStart(text: string, at: number): boolean {
  // The first test alone is fast enough for each character.
  if ((text.charCodeAt(at) | CASE) !== LETTER_H) return false;
  const start = text.slice(at, at + 8).toLowerCase();
  return start.startsWith('http://') || start === 'https://';
}

/** Returns the end of a link. Links are left out of fingerprints, since spammers vary them. */
export function endOfLink(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) > SPACE) at += 1;
  return at;
}

/** Returns whether a UTF-16 unit is a lowercase ASCII letter, or beyond ASCII no symbol, punctuation or surrogate. */
export function isLetter(code: number): boolean {
  if (code < 128) return code >= 97 && code <= 122;
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  return !(
    (code >= 0x2000 && code < 0x2c00) ||
    (code >= 0x3000 && code <= 0x3040) ||
    (code >= 0xd800 && code <= 0xdfff) ||
    code >= 0xfe00
  );
}
