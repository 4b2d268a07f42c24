/** The kinds of separators are bits, which a gap between two digits combines. */
export const SPACE = 16;
export const DASH = 32;
export const DOT = 64;
const STROKE = 128;
/** What no number goes across. */
export const BREAK = 256;

/** ASCII ones; other scripts put no space before a number. */
export const LETTER = BREAK | 1;
/** Stands in a name or token, and between groups like a stroke. */
const UNDERSCORE = STROKE | 1;
export const PLUS = BREAK | 2;
export const COMMA = BREAK | 3;
export const CURRENCY_SIGN = BREAK | 4;
/** A letter in the codes of some currencies that is not `LETTER`. */
const CURRENCY_LETTER = BREAK | 5;
/** A zero-width character or the like; has none of the bits above. */
const INVISIBLE = 15;

const UNKNOWN = 0xffff;
const kinds = new Uint16Array(0x20000).fill(UNKNOWN);

/** What a code point is: 0 to 9 is that digit in any script, anything else the bits above. */
export function kindOf(code: number): number {
  const kind = kinds[code] ?? BREAK;
  return kind === UNKNOWN ? learn(code) : kind;
}

function learn(code: number): number {
  const kind = classify(code);
  kinds[code] = kind;
  return kind;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/[a-z]/i.test(character)) return LETTER;
  if (/\p{Nd}/u.test(character)) {
    let zero = code; // scripts have their ten digits in a row, and the mathematical ones follow each other
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
  if (/[čłks]/iu.test(character)) return CURRENCY_LETTER; // of K and S other forms than the ASCII ones
  if (/[/⁄∕／＿]/u.test(character)) return STROKE;
  return /\p{Cf}/u.test(character) ? INVISIBLE : BREAK;
}

/** A letter or the underscore, of which names and tokens are made. */
export function isOfWords(kind: number): boolean {
  return kind === LETTER || kind === UNDERSCORE;
}

/** What the code of a currency is made of. */
export function isOfCurrencies(kind: number): boolean {
  return kind === LETTER || kind === CURRENCY_LETTER;
}

export function isDigit(kind: number): boolean {
  return kind < 10;
}

export function isAlphanumeric(kind: number): boolean {
  return kind < 10 || kind === LETTER;
}
