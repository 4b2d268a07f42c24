/** Separator kinds as bit flags, combined for a gap between two digits. */
export const SPACE = 16;
export const DASH = 32;
export const DOT = 64;
const STROKE = 128;
/** A character that ends a number. */
export const BREAK = 256;

/** ASCII letters; other scripts put no space before a number. */
export const LETTER = BREAK | 1;
/** Part of names and tokens, and a separator between groups like a stroke. */
const UNDERSCORE = STROKE | 1;
export const PLUS = BREAK | 2;
export const COMMA = BREAK | 3;
export const CURRENCY_SIGN = BREAK | 4;
/** A non-ASCII letter of some currency codes. */
const CURRENCY_LETTER = BREAK | 5;
/** Zero-width and similar characters; none of the flags above. */
const INVISIBLE = 15;

const UNKNOWN = 0xffff;
const kinds = new Uint16Array(0x20000).fill(UNKNOWN);

/** Classifies a code point: 0 to 9 for a digit of any script, otherwise the flags above. */
export function getKind(code: number): number {
  const kind = kinds[code] ?? BREAK;
  return kind === UNKNOWN ? cacheKind(code) : kind;
}

function cacheKind(code: number): number {
  const kind = classify(code);
  kinds[code] = kind;
  return kind;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\p{Nd}/u.test(character)) {
    let zero = code; // each script's ten digits are consecutive; the sets of mathematical digits are adjacent
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return (code - zero) % 10;
  }
  if (/[\p{Zs}\t]/u.test(character)) return SPACE;
  if (/[\p{Pd}−⁃ーｰ]/u.test(character)) return DASH;
  if (/[.·•‧∙⋅・･．]/u.test(character)) return DOT;
  if (character === '_') return UNDERSCORE;
  if (/[+＋]/.test(character)) return PLUS;
  if (character === ',') return COMMA;
  if (/\p{Sc}/u.test(character)) return CURRENCY_SIGN;
  if (/[čłks]/iu.test(character)) return CURRENCY_LETTER; // with /iu, also the Kelvin sign and the long s
  if (/[/⁄∕／＿]/u.test(character)) return STROKE;
  return /\p{Cf}/u.test(character) ? INVISIBLE : BREAK;
}

/** Reports whether names and tokens consist of this kind: a letter or an underscore. */
export const isWordPart = (kind: number): boolean => kind === LETTER || kind === UNDERSCORE;

/** Reports whether currency codes consist of this kind. */
export const isCurrencyPart = (kind: number): boolean => kind === LETTER || kind === CURRENCY_LETTER;

export const isDigit = (kind: number): boolean => kind < 10;

export const isAlphanumeric = (kind: number): boolean => kind < 10 || kind === LETTER;
