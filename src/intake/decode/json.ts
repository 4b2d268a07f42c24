import { AppError } from '../../domain/errors.ts';
import { LIMITS, type Payload, type PayloadValue } from '../../domain/submission.ts';
import { isLongerThan, refuseLongName, refuseTooManyFields, valueTooLong } from './entries.ts';

type Entry = Payload[number];

/**
 * Reads a JSON object (RFC 8259) into entries, in the order they stand: repeated names are kept, and a number that a
 * double cannot hold becomes its text. Throws `AppError` for anything else and beyond the limits.
 */
export function decodeJson(body: Uint8Array): Entry[] {
  const text = strictUtf8(body);
  refuseDepth(text);
  requireObject(text);
  return memberRanges(text).map(([nameStart, nameEnd, valueStart, valueEnd]) => {
    const name: string = JSON.parse(text.slice(nameStart, nameEnd));
    refuseLongName(name);
    const value = parseKeepingNumbers(text.slice(valueStart, valueEnd));
    refuseLongText(name, value);
    return [name, value];
  });
}

function strictUtf8(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new AppError('unreadable_body', 'The JSON is not valid UTF-8.');
  }
}

/** Before anything recursive walks the text: brackets outside strings, deepest first counted as 1. */
function refuseDepth(text: string): void {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
    if (depth > LIMITS.jsonDepth) {
      throw new AppError('too_deep', `The JSON is nested deeper than ${LIMITS.jsonDepth} levels.`);
    }
  }
}

function requireObject(text: string): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('unreadable_body', 'The body is not valid JSON.');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new AppError('unreadable_body', 'The JSON is not an object; send {"name": "value"}.');
  }
}

type Range = readonly [nameStart: number, nameEnd: number, valueStart: number, valueEnd: number];

/** Where the members of the outermost object stand. The text is known to be valid by now, which keeps this short. */
function memberRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let depth = 0;
  let nameStart = -1;
  let nameEnd = -1;
  let valueStart = -1;
  const finish = (end: number) => {
    if (valueStart === -1) return;
    refuseTooManyFields(ranges.length + 1);
    ranges.push([nameStart, nameEnd, valueStart, end]);
    nameStart = valueStart = -1;
  };
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (depth === 1 && nameStart === -1) {
        nameStart = at;
        nameEnd = end + 1;
      }
      at = end;
    } else if (code === COLON && depth === 1) valueStart = at + 1;
    else if (code === COMMA && depth === 1) finish(at);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) finish(at);
    }
  }
  return ranges;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** The index of the quote that ends the string beginning at `start`, or the text's length if none does. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return quote;
  }
  return text.length;
}

/** Sixteen digits or an exponent: only then can a double differ from what stands there. */
const MAY_NOT_FIT = /\d[\d.]{15}|\d[eE]/;

function parseKeepingNumbers(text: string): PayloadValue {
  if (!MAY_NOT_FIT.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_name, value: PayloadValue, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && !isSameNumber(source, value) ? source : value;
  });
}

/** Whether the double means exactly the number that was written: `1.50` and `15e-1` are 1.5, 2^53+1 is lost. */
function isSameNumber(source: string, value: number): boolean {
  return Number.isFinite(value) && digitsOf(source) === digitsOf(String(value));
}

/** A decimal number in one form: sign, digits without zeros at either end, power of ten of the last digit. */
function digitsOf(number: string): string {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** The texts of a value, its nested names included, may together be as long as one value. */
function refuseLongText(name: string, value: PayloadValue): void {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (isLongerThan(LIMITS.valueBytes, text)) throw valueTooLong(name);
}
