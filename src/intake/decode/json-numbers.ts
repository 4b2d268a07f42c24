import type { PayloadValue } from '../../domain/submissions/submission.ts';

/** Parses JSON; a number that a double would change, such as 2^53+1 or 1e400, becomes its text. */
export function parseExactly(text: string): PayloadValue {
  return parse(text, MAY_BE_INEXACT.test(text) ? keepInexact : undefined);
}

/** More digits than a double always preserves, or an exponent. */
const MAY_BE_INEXACT = /[\d.]{16}|\d[eE]/;

/** Type of `JSON.parse` with the source text of each value, which TypeScript does not know yet. */
type Parse = (text: string, reviver: typeof keepInexact | undefined) => PayloadValue;
const parse = JSON.parse as Parse;

function keepInexact(_name: string, value: PayloadValue, { source }: Readonly<{ source: string }>): PayloadValue {
  if (typeof value !== 'number') return value;
  const shortest = String(value);
  return source === shortest || canonical(source) === canonical(shortest) ? value : source;
}

const JSON_NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

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
