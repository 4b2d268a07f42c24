/**
 * Kinds of characters, a bit each. Most of what is looked for in a text needs one that few texts have, and to know that it
 * has none costs less than to look.
 */
export const CHAR_CLASS = {
  digit: 1,
  at: 2,
  /** With anything but a space behind it, as in the name of a host. */
  point: 4,
  slash: 8,
  /** Of any kind but round: of links in markup, of what a template left open. */
  bracket: 16,
  colon: 32,
  /** That may open a quotation: an apostrophe within a word may not. */
  quote: 64,
  /** Beyond ASCII. */
  foreign: 128,
} as const;

const KINDS = new Uint8Array(128);
for (const [characters, mark] of [
  ['0123456789', CHAR_CLASS.digit],
  ['@', CHAR_CLASS.at],
  ['/', CHAR_CLASS.slash],
  ['<[{%#', CHAR_CLASS.bracket],
  [':', CHAR_CLASS.colon],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = mark;
}
const POINT = '.'.charCodeAt(0);
const SPACE = ' '.charCodeAt(0);
const QUOTE = '"'.charCodeAt(0);
const APOSTROPHE = "'".charCodeAt(0);
const EQUALS = '='.charCodeAt(0);

/** All marks of a text together. */
export function charClassesOf(text: string): number {
  let marks = 0;
  let before = SPACE;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) marks |= CHAR_CLASS.foreign | CHAR_CLASS.quote | CHAR_CLASS.colon;
    else if (code === POINT) marks |= text.charCodeAt(at + 1) > SPACE ? CHAR_CLASS.point : 0;
    else if (code === QUOTE || code === APOSTROPHE) marks |= isOfWord(before) ? 0 : CHAR_CLASS.quote;
    else marks |= KINDS[code] ?? 0;
    before = code;
  }
  return marks;
}

function isOfWord(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === EQUALS;
}
