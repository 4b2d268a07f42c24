import { COLON, DOT, MINUS, NINE, PLUS, skipWhitespace, ZERO } from './json-scanner.ts';

/** Replacement for a number in a text. */
export type Rewrite = readonly [start: number, end: number, replacement: string];

/** Returns whether a number, valid or not, may begin with the character. */
export function isNumberStart(code: number): boolean {
  return code === MINUS || (code >= ZERO && code <= NINE);
}

/** Returns the end of the run of number characters that begins at `start`. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isNumberChar(text.charCodeAt(end))) end++;
  return end;
}

/**
 * Returns the replacement of a number that a double might change: a string for 2^53+1 or 1e400, the short form for
 * `1.0000000000000000`. Null if the number can stay, is not a JSON number, or is followed by a colon.
 */
export function rewriteNumber(text: string, start: number, end: number): string | null {
  if (end - start <= ALWAYS_EXACT_LENGTH) return null;
  const number = text.slice(start, end);
  const value = Number(number);
  const size = Math.abs(value);
  if (number.length <= DISTINCT_DIGITS && size >= MIN_NORMAL && size <= Number.MAX_VALUE) return null;
  if (size === 0 && IS_ZERO.test(number)) return null;
  if (!JSON_NUMBER.test(number) || text.charCodeAt(skipWhitespace(text, end)) === COLON) return null;
  const short = String(value);
  return canonical(number) === canonical(short) ? short : `"${number}"`;
}

/** Returns the text from `start` to `end` with the rewrites applied. */
export function applyRewrites(text: string, start: number, end: number, rewrites: readonly Rewrite[]): string {
  let result = '';
  let done = start;
  for (const [from, to, replacement] of rewrites) {
    result += text.slice(done, from) + replacement;
    done = to;
  }
  return result + text.slice(done, end);
}

const LOWER_CASE = 0x20;
const LETTER_E = 0x65;

/** Length up to which a double holds every number: `1e99` is the largest of four characters. */
const ALWAYS_EXACT_LENGTH = 4;

/** Significant digits that a double always preserves, except for subnormal numbers. */
const DISTINCT_DIGITS = 15;

/** Smallest normal double. */
const MIN_NORMAL = 2 ** -1022;

const IS_ZERO = /^-?[0.]+(?:e|$)/i;

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function isNumberChar(code: number): boolean {
  return (
    (code >= ZERO && code <= NINE) ||
    code === DOT ||
    code === MINUS ||
    code === PLUS ||
    (code | LOWER_CASE) === LETTER_E
  );
}

/** Returns a number in canonical form: sign, digits without outer zeros, and the power of ten of the last digit. */
function canonical(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = JSON_NUMBER.exec(number) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
