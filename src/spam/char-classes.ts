/**
 * Bit flags for the character classes in a text. Most patterns need a character that few texts contain, so testing a
 * flag first is cheaper than running the regular expression.
 */
export const CHAR_CLASS = {
  digit: 1,
  at: 2,
  /** A period followed by anything but white space, as in a host name. */
  point: 4,
  slash: 8,
  /** Characters of markup and template placeholders: all brackets but round ones, `%` and `#`. */
  bracket: 16,
  colon: 32,
  /** A quotation mark that may open a quotation; an apostrophe inside a word doesn't count. */
  quote: 64,
  /** Any character beyond ASCII. */
  foreign: 128,
} as const;

/** Class of each ASCII character; context-dependent ones (period, quotation marks) are 0. */
const ASCII_CLASSES = new Uint8Array(128);
for (const [characters, charClass] of [
  ['0123456789', CHAR_CLASS.digit],
  ['@', CHAR_CLASS.at],
  ['/', CHAR_CLASS.slash],
  ['<[{%#', CHAR_CLASS.bracket],
  [':', CHAR_CLASS.colon],
] as const) {
  for (const character of characters) ASCII_CLASSES[character.charCodeAt(0)] = charClass;
}
const POINT = '.'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const EQUALS = '='.charCodeAt(0);

/** Returns the union of `CHAR_CLASS` flags of a text. */
export function getCharClasses(text: string): number {
  let charClasses = 0;
  let previous = SPACE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) charClasses |= CHAR_CLASS.foreign | CHAR_CLASS.quote | CHAR_CLASS.colon;
    else if (code === POINT) charClasses |= text.charCodeAt(at + 1) > SPACE ? CHAR_CLASS.point : 0;
    else if (code === QUOTE || code === APOSTROPHE) charClasses |= isWordChar(previous) ? 0 : CHAR_CLASS.quote;
    else charClasses |= ASCII_CLASSES[code] ?? 0;
    previous = code;
  }
  return charClasses;
}

function isWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === EQUALS;
}
