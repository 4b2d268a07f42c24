import { COLON, DOT, endOfBlank, MINUS, NINE, PLUS, ZERO } from './json-scanner.ts';

/** What is to stand in the place of a number. */
export type Rewrite = readonly [start: number, end: number, instead: string];

/** Whether a number, or what is none, may begin with this character. */
export function beginsNumber(code: number): boolean {
  return code === MINUS || (code >= ZERO && code <= NINE);
}

/** The end of everything that begins there and that numbers are made of. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (isOfNumber(text.charCodeAt(end))) end++;
  return end;
}

/**
 * How the number that stands there is to be written if a double could change it: as a string where it would, such as
 * 2^53+1 and 1e400, and in short where it would not, such as `1.0000000000000000`. Null where it may stay as it is, and
 * where there is no JSON number or a name is due.
 */
export function rewriteNumber(text: string, start: number, end: number): string | null {
  if (end - start <= ALWAYS_HELD) return null;
  const number = text.slice(start, end);
  const value = Number(number);
  const size = Math.abs(value);
  if (number.length <= DISTINCT_DIGITS && size >= LEAST_NORMAL && size <= Number.MAX_VALUE) return null;
  if (size === 0 && IS_ZERO.test(number)) return null;
  if (!JSON_NUMBER.test(number) || text.charCodeAt(endOfBlank(text, end)) === COLON) return null;
  const short = String(value);
  return digitsOf(number) === digitsOf(short) ? short : `"${number}"`;
}

/** The text from `start` to `end` with these in it. */
export function applyRewrites(text: string, start: number, end: number, rewrites: readonly Rewrite[]): string {
  let result = '';
  let done = start;
  for (const [from, to, instead] of rewrites) {
    result += text.slice(done, from) + instead;
    done = to;
  }
  return result + text.slice(done, end);
}

const LOWER_CASE = 0x20;
const LETTER_E = 0x65;

/** Characters: `1e99` is the largest number as short as that. */
const ALWAYS_HELD = 4;

/** No two numbers of so many digits are the same double, unless they are nearly zero. */
const DISTINCT_DIGITS = 15;

/** The least double that has as many digits as the larger ones. */
const LEAST_NORMAL = 2 ** -1022;

const IS_ZERO = /^-?[0.]+(?:e|$)/i;

const JSON_NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function isOfNumber(code: number): boolean {
  return (
    (code >= ZERO && code <= NINE) ||
    code === DOT ||
    code === MINUS ||
    code === PLUS ||
    (code | LOWER_CASE) === LETTER_E
  );
}

/**
 * A number in one form: sign, digits without zeros at either end, power of ten of the last digit. What is no number has
 * none.
 */
function digitsOf(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] = JSON_NUMBER.exec(number) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  if (start === end) return '0';
  return `${sign}${digits.slice(start, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
