import { describe, expect, test } from 'bun:test';
import { validateField } from '../../../src/domain/fields/field-rules.ts';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { FIELD_TYPES, getFieldType } from '../../../src/domain/fields/field-types.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';

function field(settings: Partial<FormField> = {}): FormField {
  return { name: 'f', label: 'A field', type: 'text', required: false, ...settings };
}

function errorIn(settings: Partial<FormField>, value: PayloadValue | undefined, hasFile = false) {
  return validateField(field(settings), value, hasFile)?.code ?? null;
}

const TYPES = [...FIELD_TYPES.map(({ name }) => name).filter((name) => name !== 'consent'), 'tel', 'constructor'];

/** Values that count as empty. */
const EMPTY: ReadonlyArray<PayloadValue | undefined> = [undefined, '', null, false, [], ['', null], [[], '']];

describe('a required field', () => {
  test.each(TYPES)('of type %s is invalid if empty', (type) => {
    expect(EMPTY.map((value) => errorIn({ type, required: true }, value))).toEqual(EMPTY.map(() => 'required'));
  });

  test.each<[PayloadValue]>([['0'], [0], [' '], [true], [['', 'x']]])('accepts %j', (value) => {
    expect(errorIn({ required: true }, value)).toBeNull();
  });

  test('accepts a file', () => {
    expect(errorIn({ type: 'file', required: true }, undefined, true)).toBeNull();
    expect(errorIn({ type: 'file', required: true }, '', true)).toBeNull();
  });
});

test.each(TYPES)('an optional field of type %s may be empty, regardless of its other rules', (type) => {
  const rules = { type, max_length: 1, pattern: '[a-z]{5}' };
  expect(EMPTY.map((value) => errorIn(rules, value))).toEqual(EMPTY.map(() => null));
});

const LABEL_63 = 'a'.repeat(63);

/** Values of each type. */
const EXAMPLES: ReadonlyArray<[type: string, valid: PayloadValue[], invalid: PayloadValue[]]> = [
  [
    'email',
    ['ada@example.com', "a.b+c!#$%&'*/=?^_`{|}~-@x", '.@a-b.c', '1@2', `x@${LABEL_63}.${LABEL_63}`],
    ['ada', 'ada@', '@x', 'a b@x', 'a@b@c', 'a@-x', 'a@x-', 'a@x..y', 'a@x.', ' a@x', 'a@x\n', 'jürgen@x', 'a@bücher'],
  ],
  ['email', [], [`x@${LABEL_63}a`, 'Ada <ada@example.com>', 7, true, { a: 'a@x' }]],
  ['number', ['0', '-1', '1.5', '.5', '-.5', '007', '1e5', '1E-5', '1.5e+3', 7, -0.25], []],
  ['number', [], ['+1', '1.', '.', '-', '1,5', '1 000', '0x10', 'NaN', 'Infinity', '1e', ' 1', '1\n', '١', true, {}]],
  ['url', ['https://example.com', 'http://a/b?c#d', 'mailto:a@x', 'ftp://x/', 'https://bücher.example/'], []],
  ['url', [], ['example.com', '/path', '//example.com', 'https://', 'http://a b/', 7, true, {}]],
  ['date', ['2026-11-30', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'], []],
  ['date', [], ['2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00', '0000-01-01']],
  ['date', [], ['2026-1-1', '30.11.2026', '12026-01-01', '2026-11-30T00:00', ' 2026-11-30', '2026-11-30\n', 20261130]],
  ['checkbox', ['on', 'yes', true], [1, { on: true }]],
  ['consent', ['on', 'yes', true], [1, { on: true }]],
  ['file', [], ['cv.pdf', 7, true]],
  ...['text', 'textarea', 'hidden'].map((type): [string, PayloadValue[], PayloadValue[]] => [
    type,
    ['anything', 7, true],
    [{ a: 'b' }, {}, [['a']]],
  ]),
  ...['select', 'radio', 'checkboxes'].map((type): [string, PayloadValue[], PayloadValue[]] => [
    type,
    ['one', ['one', 'two']],
    [{ a: 'b' }, ['one', { a: 'b' }]],
  ]),
  [
    'rating',
    ['1', '5', 3, ['1', '2']],
    ['0', '6', '10', '-1', '1.5', '01', ' 1', '1\n', '١', 'five', 0, 6, 1.5, true, {}],
  ],
  ...['phone', 'tel'].map((type): [string, PayloadValue[], PayloadValue[]] => [
    type,
    ['12345', '+46 70 123 45 67', '(020) 7946-0018', '+49 (0)30/12.34.56', '030–1234567', '(+44) 20 7946 0018'],
    ['1234', '1'.repeat(21), 'call me', '12345 x', '0800 FLOWERS', '+', '12345\n', "+1+cmd|'/C calc'!A0"],
  ]),
  [
    'phone',
    ['０３－１２３４－５６７８', '٠٣٠١٢٣٤٥٦', '\u202a+46\u00a070 123 45 67\u202c', 4912345678],
    [true, {}, -1.5e300],
  ],
  ['phone', [], [`${' '.repeat(100_000)}x`, `${'1 '.repeat(100_000)}`, '('.repeat(200_000)]],
];

test('all types have examples of valid and invalid values', () => {
  const types = FIELD_TYPES.map(({ name }) => name);
  expect(types.filter((name) => !EXAMPLES.some(([type, , invalid]) => type === name && invalid.length > 0))).toEqual(
    [],
  );
});

describe.each(EXAMPLES.map((row) => [...row] as const))('a field of type %s', (type, valid, invalid) => {
  test.each(valid.map((value) => [value]))('accepts %j', (value) => {
    expect(errorIn({ type }, value)).toBeNull();
  });

  test.each(invalid.map((value) => [value]))('rejects %j', (value) => {
    expect(String(errorIn({ type }, value))).toBe(getFieldType({ type }).error);
  });
});

describe('choices', () => {
  const options = ['Red', 'red ', 'on', '0', '<b>', 'a, b; c', 'ぁ', '__proto__'];

  test.each(['select', 'radio', 'checkboxes'])('of type %s are exactly the options', (type) => {
    const fits = (value: PayloadValue) => errorIn({ type, options }, value) === null;
    expect(options.filter((option) => !fits(option))).toEqual([]);
    expect(fits(options) && fits(0)).toBe(true);
    const others = ['RED', 'red', ' Red', 'Red,on', '00', 'constructor', 'b', true, 1, { Red: 'Red' }, [['Red']]];
    expect(others.filter(fits)).toEqual([]);
    expect(errorIn({ type, options }, ['Red', 'Blue'])).toBe('option');
  });
});

describe('a rating', () => {
  test.each([2, 7, 10])('is a whole number from 1 to %i', (max) => {
    const all = Array.from({ length: 14 }, (_, n) => n - 1);
    const valid = all.filter((value) => errorIn({ type: 'rating', max }, String(value)) === null);
    expect(valid).toEqual(all.filter((value) => value >= 1 && value <= max));
  });

  test('names its maximum in the error', () => {
    expect(validateField(field({ type: 'rating' }), '9', false)).toMatchObject({ code: 'rating', limit: 5 });
    expect(validateField(field({ type: 'rating', max: 10 }), '11', false)).toMatchObject({ code: 'rating', limit: 10 });
  });
});

describe('a consent', () => {
  const refusals = [...EMPTY, 'no', 'false', 'OFF', '0', ' no ', ['no', '']];

  test('must be given if required', () => {
    const code = (value: PayloadValue | undefined) => errorIn({ type: 'consent', required: true }, value);
    expect(refusals.map(code)).toEqual(refusals.map(() => 'consent'));
    expect(['on', 'yes', 'true', true, '1', 'I agree', ['no', 'yes']].map(code)).toEqual(Array(7).fill(null));
    expect([1, { on: true }].map(code)).toEqual(['checkbox', 'checkbox']);
  });

  test('may be refused otherwise', () => {
    expect(refusals.map((value) => errorIn({ type: 'consent' }, value))).toEqual(refusals.map(() => null));
  });
});

test('rejects a URL with a host of many combining marks, which would take a minute to parse', () => {
  const fits = (url: string) => errorIn({ type: 'url' }, url) === null;
  const marks = `a${'\u0301\u0316'.repeat(100_000)}`;
  const begins = ['http://', 'HTTPS:\\\\', 'http:', ' \u0001ftp:/\t/', 'ht\ntps:/\n/', 'wss://a@'];
  expect(begins.filter((begin) => fits(begin + marks))).toEqual([]);
  expect(fits(`http://${'%CC%81'.repeat(30_000)}/`)).toBe(false);
  expect([`https://a.example/${'x'.repeat(10_000)}`, `mailto:${'a,'.repeat(1_000)}a`].filter(fits)).toHaveLength(2);
});

test('validates every one of several values', () => {
  expect(errorIn({ type: 'email' }, ['a@x', '', 'b@x'])).toBeNull();
  expect(errorIn({ type: 'email' }, ['a@x', 'b'])).toBe('email');
  expect(errorIn({ max_length: 2 }, ['ab', 'cd'])).toBeNull();
  expect(errorIn({ max_length: 2 }, ['ab', 'cde'])).toBe('max_length');
  expect(errorIn({ pattern: '[a-z]' }, ['a', 'b'])).toBeNull();
  expect(errorIn({ pattern: '[a-z]' }, ['a', '1'])).toBe('pattern');
});

describe('files and text', () => {
  test('a file field accepts only files', () => {
    expect(errorIn({ type: 'file' }, undefined, true)).toBeNull();
    expect(errorIn({ type: 'file' }, 'cv.pdf')).toBe('file');
    expect(errorIn({ type: 'file' }, ['', 'cv.pdf'], true)).toBe('file');
  });
});

describe('max_length', () => {
  test.each<[PayloadValue, number]>([
    ['abc', 3],
    ['äöü', 3],
    ['😀', 2],
    ['a\nb', 3],
    ['a\r\nb', 3],
    ['\r\n\r\n', 2],
    [1234, 4],
  ])('counts %j as %i', (value, length) => {
    expect(errorIn({ max_length: length }, value)).toBeNull();
    expect(errorIn({ max_length: length - 1 }, value)).toBe('max_length');
  });
});

test('matches numbers and booleans against a pattern as text', () => {
  expect(errorIn({ pattern: '[0-9]{5}' }, 10115)).toBeNull();
  expect(errorIn({ pattern: '[0-9]{5}' }, 1)).toBe('pattern');
  expect(errorIn({ pattern: 'true' }, true)).toBeNull();
});

test('checks the type before the length, and the length before the pattern', () => {
  const rules = { type: 'email', max_length: 5, pattern: '.*@x' };
  expect(errorIn(rules, 'no address')).toBe('email');
  expect(errorIn(rules, 'ada@example.com')).toBe('max_length');
  expect(errorIn(rules, 'a@y')).toBe('pattern');
});

test('an error contains the field, its label if set, and the limit of a length', () => {
  const long = field({ name: 'note', label: 'Note', max_length: 3 });
  expect(validateField(long, 'abcd', false)).toEqual({ field: 'note', label: 'Note', code: 'max_length', limit: 3 });
  const bare = field({ name: 'note', label: '', required: true, max_length: 3 });
  expect(validateField(bare, '', false)).toEqual({ field: 'note', code: 'required' });
});
