/** The kinds of separators are bits, which a gap between two digits combines. */
export const SPACE = 16;
export const DASH = 32;
export const DOT = 64;
export const STROKE = 128;
/** What no number goes across. */
export const BREAK = 256;

/** A zero-width character or the like; has none of the bits above. */
const INVISIBLE = 15;

const UNKNOWN = 0xffff;
const kinds = new Uint16Array(0x20000).fill(UNKNOWN);

/** What a code point is: 0 to 9 is that digit in any script, anything else the bits above. */
export function kindOf(code: number): number {
  const known = kinds[code] ?? BREAK;
  if (known !== UNKNOWN) return known;
  const kind = classify(code);
  kinds[code] = kind;
  return kind;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (/\p{Nd}/u.test(character)) {
    let zero = code; // scripts have their ten digits in a row, and the mathematical ones follow each other
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    return (code - zero) % 10;
  }
  if (/[\p{Zs}\t]/u.test(character)) return SPACE;
  if (/[\p{Pd}−⁃ーｰ]/u.test(character)) return DASH;
  if (/[.·•‧∙⋅・･．]/u.test(character)) return DOT;
  if (/[/_⁄∕／＿]/u.test(character)) return STROKE;
  return /\p{Cf}/u.test(character) ? INVISIBLE : BREAK;
}

/** ASCII letters and the underscore, of which names and tokens are made; other scripts put no space before a number. */
export function isWordCharacter(text: string, at: number): boolean {
  return /[a-z_]/i.test(text.charAt(at));
}

/** A digit of any script or an ASCII letter. */
export function isAlphanumeric(text: string, at: number): boolean {
  return /[\p{Nd}a-zA-Z]/u.test(text.charAt(at));
}
