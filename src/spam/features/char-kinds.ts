/** Kinds of UTF-16 units. */
export const OTHER = 0;
export const LOWER = 1;
export const UPPER = 2;
export const DIGIT = 3;
/** Cyrillic and Greek letters, which resemble Latin ones. */
export const TWIN_LOWER = 4;
export const TWIN_UPPER = 5;
export const LETTER = 6;
/** Currency signs and `%`, which belong to the adjacent number. */
export const UNIT = 7;
/** Thai, kana and Han: scripts without spaces between words. */
export const UNSPACED = 8;
/** Emojis, arrows and other pictures. */
export const SYMBOL = 9;
/** Combining accents and invisible characters, which are skipped. */
export const SKIPPED = 10;
/** Exclamation and question marks, and characters of code and markup. */
export const MARK = 11;

/** Units below this are looked up in a table, others are compared with ranges. */
export const TABLE_SIZE = 0x600;
export const KIND_BITS = 4;
export const KIND_MASK = (1 << KIND_BITS) - 1;

/** Each unit's kind, and above it the unit's lowercase letter, for Latin letters without its accent. */
export const charTable = Uint32Array.from({ length: TABLE_SIZE }, (_, code) => {
  const text = String.fromCharCode(code);
  const lower = text.toLowerCase();
  const isLatin = /\p{Script=Latin}/u.test(text);
  const base = isLatin ? (lower.normalize('NFD')[0] ?? lower) : lower;
  const kind = kindInTable(text, isLatin, lower === text);
  return ((base.length === 1 ? base.charCodeAt(0) : code) << KIND_BITS) | kind;
});

function kindInTable(text: string, isLatin: boolean, isLower: boolean): number {
  const code = text.charCodeAt(0);
  if (code === 0xad || (code >= 0x300 && code < 0x370)) return SKIPPED;
  if (/\p{Nd}/u.test(text)) return DIGIT;
  if (/[$%£€¥]/.test(text)) return UNIT;
  if (/[!?<["#(;=\\`{|}]/.test(text)) return MARK;
  if (isLatin) return isLower ? LOWER : UPPER;
  if (/[\p{Script=Cyrillic}\p{Script=Greek}]/u.test(text)) return isLower ? TWIN_LOWER : TWIN_UPPER;
  return /[\p{L}\p{M}]/u.test(text) ? LETTER : OTHER;
}

/** Returns the kind of a UTF-16 unit. */
export function getKind(code: number): number {
  return code < TABLE_SIZE ? (charTable[code] ?? OTHER) & KIND_MASK : kindBeyondTable(code);
}

/** Returns the lowercase letter of a UTF-16 unit, for Latin letters without its accent. */
export const getBase = (code: number): number => (code < TABLE_SIZE ? (charTable[code] ?? OTHER) >>> KIND_BITS : code);

/** Returns the kind of a UTF-16 unit that is not in the table. */
export function kindBeyondTable(code: number): number {
  if ((code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)) return UNSPACED;
  if (code >= 0xe00 && code <= 0xe7f) return UNSPACED;
  if (code < 0x2000) return LETTER;
  if (code === 0x20ac || code === 0x20b9 || code === 0x20bd || code === 0xff04) return UNIT;
  if ((code >= 0x200b && code <= 0x200f) || code === 0x2060 || code === 0xfeff || code === 0xfe0f) return SKIPPED;
  if ((code >= 0xac00 && code <= 0xd7af) || (code >= 0xff10 && code <= 0xff5a)) return LETTER;
  if ((code >= 0x2190 && code <= 0x2bff) || (code >= 0xd800 && code <= 0xdbff)) return SYMBOL;
  return code >= 0xdc00 && code <= 0xdfff ? SKIPPED : OTHER;
}

/** Characters with a special meaning. */
export const EXCLAMATION = 0x21;
export const APOSTROPHE = 0x27;
export const HYPHEN = 0x2d;
export const QUESTION = 0x3f;
export const POINT = 0x2e;
export const SLASH = 0x2f;
export const COLON = 0x3a;
export const AT = 0x40;
export const LESS = 0x3c;
export const BRACKET = 0x5b;
export const ZERO = 0x30;

/** Returns whether a UTF-16 unit is Thai, kana or Han: scripts without spaces between words. */
export const isUnspaced = (code: number): boolean => getKind(code) === UNSPACED;
