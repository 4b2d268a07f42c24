import { BOUNDARY, type Sent, URLENCODED } from '../../test/fast/visitor/helpers.ts';

/**
 * A body just within the limit, built to be as expensive as possible. A dripped one is sent in chunks of a single
 * byte.
 */
export type Shape = Readonly<{ name: string; sent: Sent; isDripped: boolean }>;

const MAX_BYTES = 1024 * 1024;
const KiB = 1024;

/** Slightly below the limit of a value, so that four of them and their names fit in a body. */
const VALUE = 255 * KiB;

/** Repeats units up to this many bytes; a function creates a different unit each time. */
function fill(bytes: number, unit: string | ((index: number) => string)): string {
  if (typeof unit === 'string') return unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));
  const units: string[] = [];
  let length = 0;
  for (let index = 0; ; index++) {
    const next = unit(index);
    length += Buffer.byteLength(next);
    if (length > bytes) return units.join('');
    units.push(next);
  }
}

type Unit = Parameters<typeof fill>[1];

/** Returns a body with as many units as fit. */
function around(before: string, unit: Unit, after: string): string {
  return before + fill(MAX_BYTES - before.length - after.length, unit) + after;
}

/** Returns a body with four values of the maximum length, so that the steps after decoding have work to do. */
function four(before: string, unit: Unit, after: string): string {
  const value = before + fill(VALUE, unit) + after;
  return `{"a":${value},"b":${value},"c":${value},"d":${value}}`;
}

function fourFields(unit: Unit): string {
  const value = fill(VALUE, unit);
  return `a=${value}&b=${value}&c=${value}&d=${value}`;
}

const list = (unit: string) => around('{"a":[', `${unit},`, '0]}');
const fourLists = (unit: string) => four('[', `${unit},`, '0]');

const SIXTEEN_DIGITS = '9007199254740993';

const JSON_BODIES: Record<string, string> = {
  '1,000 fields of 1 KiB': `{${Array.from({ length: 1_000 }, (_, index) => `"${index}":"${'x'.repeat(1_030)}"`).join()}}`,
  '1,000 fields, each an object': `{${Array.from({ length: 1_000 }, (_, index) => `"${index}":{${fill(1_000, (n) => `"k${index}_${n}":1,`)}"z":0}`).join()}}`,
  'a text of 1 MiB': around('{"a":"', 'x', '"}'),
  'four texts of 256 KiB': four('"', 'x', '"'),
  'four texts of digits': four('"', '12345678901234 ', '"'),
  'four texts of digits and dots': four('"', '1.', '"'),
  'four texts of é': four('"', 'é', '"'),
  'escaped backslashes': around('{"a":"', '\\\\', '"}'),
  'escaped quotes': around('{"a":"', '\\"', '"}'),
  'four texts of escaped quotes': four('"', '\\"', '"'),
  'unicode escapes': around('{"a":"', '\\u0041', '"}'),
  'four texts of escaped control characters': four('"', '\\u0001', '"'),
  'lone surrogates': four('"', '\\ud800', '"'),
  'a backslash before every quote, without an end': around('{"a":"', '\\"', ''),
  'backslashes outside of texts': around('{"a":', '\\', '"}'),
  'short texts': around('{"a":[', '"",', '""]}'),
  'four lists of short texts': fourLists('""'),
  numbers: list('1'),
  'four lists of numbers': fourLists('1'),
  'numbers with an exponent': list('1e1'),
  'four lists of numbers with an exponent': fourLists('1e1'),
  'four lists of numbers with a long exponent': fourLists('1e100'),
  'numbers that are infinite': list('1e999'),
  'four lists of numbers that are infinite': fourLists('1e999'),
  'numbers that are nearly zero': list('10e-321'),
  'four lists of numbers that are nearly zero': fourLists('10e-321'),
  'zeros with a long exponent': list('0e100'),
  'four lists of numbers of 16 digits': fourLists(SIXTEEN_DIGITS),
  'four lists of numbers of 17 digits that fit': fourLists('0.10000000000000001'),
  'numbers with zeros behind them': list('1.00000000000000000'),
  'four lists of numbers with zeros behind them': fourLists('1.00000000000000000'),
  'numbers with very many zeros behind them': list(`1.${'0'.repeat(1_000)}`),
  'a number of 1 MiB': around('{"a":', '1', '}'),
  'a fraction of 1 MiB': around('{"a":0.', '1', '}'),
  'a fraction with a digit at either end of 1 MiB of zeros': around('{"a":0.1', '0', '1}'),
  'one number that does not fit beside many that do': around(`{"a":[${SIXTEEN_DIGITS},`, '1,', '1]}'),
  'one number that does not fit beside many texts': around(`{"a":[${SIXTEEN_DIGITS},`, '"x",', '1]}'),
  'one number that does not fit beside many names': around(
    `{"a":{"n":${SIXTEEN_DIGITS}`,
    (index) => `,"${index}x":1`,
    '}}',
  ),
  'lists 31 deep': list(`${'['.repeat(30)}${']'.repeat(30)}`),
  'four lists of lists 31 deep': fourLists(`${'['.repeat(30)}${']'.repeat(30)}`),
  'four lists of empty lists': fourLists('[]'),
  'four lists of empty objects': fourLists('{}'),
  'four lists of objects 31 deep': fourLists(`${'{"":'.repeat(30)}1${'}'.repeat(30)}`),
  'four lists of objects with a name of their own': four('[', (index) => `{"${index.toString(36)}":1},`, '0]'),
  'four wide objects': four('{', (index) => `"k${index.toString(36)}":1,`, '"z":0}'),
  'four wide objects with numbers for names': four('{', (index) => `"${index * 7}":1,`, '"z":0}'),
  'four wide objects with far numbers for names': four('{', (index) => `"${4_294_967_294 - index * 9}":1,`, '"z":0}'),
  'four wide objects with the same name': four('{', '"k":1,', '"z":0}'),
  'four objects with __proto__': four('{', '"__proto__":{},', '"z":0}'),
  'four wide objects of wide objects': four(
    '{',
    (index) => `"a${index}":{"b${index}":1,"c${index}":1,"d${index}":1},`,
    '"z":0}',
  ),
  'a repeated name': around('{', '"a":1,', '"a":1}'),
  'a name of 1 MiB': around('{"', 'x', '":1}'),
  'a list under a name that ends in []': around('{"x[]":["a"],"x[]":[', '1,', '1]}'),
  'four lists under a name that ends in []': `{${Array(4)
    .fill(`"x[]":[${fill(VALUE, '1,')}1]`)
    .join()}}`,
  'lists of lists under a name that ends in []': `{${Array(4)
    .fill(`"x[]":[${fill(VALUE, '[1],')}1]`)
    .join()}}`,
  'brackets that never close': around('', '[', ''),
  'braces that never close': around('', '{"a":', ''),
  'white space': around('{"a":1', ' ', '}'),
  'white space between all': around('{"a":[', '1 \n,\t\r ', '1]}'),
  commas: around('{"a":1', ',', '}'),
  colons: around('{"a":1', ':', '}'),
};

const URLENCODED_BODIES: Record<string, string> = {
  '1,000 fields of 1 KiB': fill(MAX_BYTES, (index) => `${index}=${'x'.repeat(1_040)}&`),
  'four values of 256 KiB': fourFields('x'),
  'a value of 1 MiB': around('a=', 'x', ''),
  'a name of 1 MiB': around('', 'x', '=1'),
  'a name of 1 MiB of escapes': around('', '%41', '=1'),
  escapes: around('a=', '%41', ''),
  'four values of escapes': fourFields('%41'),
  'four values of escaped é': fourFields('%C3%A9'),
  'four values of escaped 😀': fourFields('%F0%9F%98%80'),
  'escaped bytes that are not UTF-8': around('a=', '%FF', ''),
  'four values of escaped bytes that are not UTF-8': fourFields('%FF'),
  'escapes, the last one broken': around('a=', '%41', '%'),
  'percent signs': around('a=', '%', ''),
  'four values of percent signs': fourFields('%'),
  'four values of broken escapes': fourFields('%4z'),
  'plus signs': around('a=', '+', ''),
  'four values of plus signs': fourFields('+'),
  'four values of plus signs and escapes': fourFields('+%41'),
  'four values of plus signs and broken escapes': fourFields('+%'),
  'four values of é': fourFields('é'),
  ampersands: around('', '&', 'a=1'),
  'equals signs': around('', '=', ''),
  'names without values': around('', 'a&', 'a'),
  '1,000 values under one name that ends in []': fill(MAX_BYTES, `a[]=${'x'.repeat(1_040)}&`),
  '1,000 values under one name': fill(MAX_BYTES, `a=${'x'.repeat(1_042)}&`),
  'names of brackets': around('', (index) => `${'[]'.repeat(127)}${index % 10}=${'x'.repeat(790)}&`, ''),
};

const DISPOSITION = 'Content-Disposition: form-data; name=';
const OPEN = `--${BOUNDARY}\r\n`;
const CLOSE = `--${BOUNDARY}--\r\n`;

const part = (name: string, value: string, extra = '') => `${OPEN}${DISPOSITION}"${name}"${extra}\r\n\r\n${value}\r\n`;
const parts = (unit: Unit) => around('', unit, CLOSE);
const NAMES_OF_FOUR = ['a', 'b', 'c', 'd'];
const fourParts = (unit: Unit) => NAMES_OF_FOUR.map((name) => part(name, fill(VALUE, unit))).join('') + CLOSE;
const HEADER_NAMES = fill(15 * KiB, (index) => `\r\nx${index}: y`);
const headOf = (unit: string) => part('a', 'x', fill(15 * KiB, unit));

const MULTIPART_BODIES: Record<string, string> = {
  '1,000 parts of 1 KiB': parts((index) => part(String(index), 'x'.repeat(930))),
  'thousands of tiny parts': parts(part('', '')),
  'four parts of 256 KiB': fourParts('x'),
  'a part of 1 MiB': around(`${OPEN}${DISPOSITION}a\r\n\r\n`, 'x', `\r\n${CLOSE}`),
  'a file of 1 MiB': around(`${OPEN}${DISPOSITION}a; filename=a\r\n\r\n`, 'x', `\r\n${CLOSE}`),
  'four parts of line breaks': fourParts('\r\n'),
  "four parts of the boundary's first characters": fourParts('\r\n--'),
  'four parts of all but the end of the boundary': fourParts(`\r\n--${BOUNDARY.slice(0, -1)}`),
  'four parts of hyphens': fourParts('-'),
  'four parts of é': fourParts('é'),
  'four parts of bytes that are not UTF-8':
    NAMES_OF_FOUR.map((name) => part(name, '\xff'.repeat(VALUE))).join('') + CLOSE,
  'a preamble of near boundaries': around('', `\r\n--${BOUNDARY.slice(0, -1)}`, `\r\n${part('a', 'x')}${CLOSE}`),
  'an epilogue of boundaries': around(`${part('a', 'x')}${CLOSE}`, `--${BOUNDARY}\r\n`, ''),
  'heads of 16 KiB': parts(headOf('; x=y')),
  'heads of 16 KiB of semicolons': parts(headOf(';')),
  'heads of 16 KiB of white space': parts(headOf('; ')),
  'heads of 16 KiB of quotes': parts(headOf('"')),
  'heads of 16 KiB of one parameter without a value': parts(headOf('; xxxxxxxx')),
  'heads of 16 KiB of spaces behind a parameter': parts(`${OPEN}${DISPOSITION}a;${' '.repeat(15 * KiB)}\r\n\r\nx\r\n`),
  'heads of 16 KiB of headers': parts(headOf('\r\nx')),
  'heads of 16 KiB of header names': parts(part('a', 'x', HEADER_NAMES)),
  'names of 256 escaped quotes': parts(part('%22'.repeat(256), 'x'.repeat(100))),
  'padding behind a boundary': around(`--${BOUNDARY}`, ' ', `\r\n${DISPOSITION}a\r\n\r\nx\r\n${CLOSE}`),
  'nothing but line breaks': around('', '\r\n', ''),
};

const shapes = (kind: string, type: string, bodies: Record<string, string>): Shape[] =>
  Object.entries(bodies).map(([name, body]) => ({
    name: `${kind}: ${name}`,
    sent: { type, body: Buffer.from(body, body.includes('\xff') ? 'latin1' : 'utf8') },
    isDripped: false,
  }));

const whole: readonly Shape[] = [
  ...shapes('JSON', 'application/json', JSON_BODIES),
  ...shapes('urlencoded', URLENCODED, URLENCODED_BODIES),
  ...shapes('multipart', `multipart/form-data; boundary=${BOUNDARY}`, MULTIPART_BODIES),
];

const DRIPPED =
  /JSON: four texts of 256|urlencoded: four values of 256|multipart: (?:heads of 16 KiB$|four parts of 256|a file)/;

/** All shapes, most of them within 4 KiB of 1 MiB. */
export const SHAPES: readonly Shape[] = [
  ...whole,
  ...whole
    .filter(({ name }) => DRIPPED.test(name))
    .map(({ name, sent }) => ({ name: `${name}, in chunks of a byte`, sent, isDripped: true })),
];
