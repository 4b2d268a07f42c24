import { describe, expect, test } from 'bun:test';
import { validateField } from '../../../src/domain/field-rules.ts';
import type { FormField } from '../../../src/domain/form.ts';
import type { PayloadValue } from '../../../src/domain/submission.ts';

function field(settings: Partial<FormField> = {}): FormField {
  return { name: 'f', label: 'A field', type: 'text', required: false, ...settings };
}

function faultIn(settings: Partial<FormField>, value: PayloadValue | undefined, hasFile = false) {
  return validateField(field(settings), value, hasFile)?.fault ?? null;
}

const TYPES = [
  'text',
  'textarea',
  'tel',
  'select',
  'email',
  'number',
  'url',
  'date',
  'checkbox',
  'file',
  'constructor',
];

/** What counts as nothing filled in. */
const EMPTY: ReadonlyArray<PayloadValue | undefined> = [undefined, '', null, false, [], ['', null], [[], '']];

describe('a required field', () => {
  test.each(TYPES)('of type %s is at fault where nothing is filled in', (type) => {
    expect(EMPTY.map((value) => faultIn({ type, required: true }, value))).toEqual(EMPTY.map(() => 'required'));
  });

  test.each<[PayloadValue]>([['0'], [0], [' '], [true], [['', 'x']]])('is filled in with %j', (value) => {
    expect(faultIn({ required: true }, value)).toBeNull();
  });

  test('is filled in with a file', () => {
    expect(faultIn({ type: 'file', required: true }, undefined, true)).toBeNull();
    expect(faultIn({ type: 'file', required: true }, '', true)).toBeNull();
  });
});

test.each(TYPES)('an optional field of type %s may be empty, whatever its other rules', (type) => {
  const rules = { type, max_length: 1, pattern: '[a-z]{5}' };
  expect(EMPTY.map((value) => faultIn(rules, value))).toEqual(EMPTY.map(() => null));
});

const LABEL_63 = 'a'.repeat(63);

describe.each<[type: string, fits: PayloadValue[], unfit: PayloadValue[]]>([
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
  ['text', ['anything', 7, true], [{ a: 'b' }, {}, [['a']]]],
  ['select', ['one', ['one', 'two']], [{ a: 'b' }, ['one', { a: 'b' }]]],
])('a field of type %s', (type, fits, unfit) => {
  test.each(fits.map((value) => [value]))('takes %j', (value) => {
    expect(faultIn({ type }, value)).toBeNull();
  });

  test.each(unfit.map((value) => [value]))('does not take %j', (value) => {
    expect(String(faultIn({ type }, value))).toBe(type === 'select' ? 'text' : type);
  });
});

test('a URL with a host of many marks, which the platform would take a minute for, is none', () => {
  const fits = (url: string) => faultIn({ type: 'url' }, url) === null;
  const marks = `a${'\u0301\u0316'.repeat(100_000)}`;
  const begins = ['http://', 'HTTPS:\\\\', 'http:', ' \u0001ftp:/\t/', 'ht\ntps:/\n/', 'wss://a@'];
  expect(begins.filter((begin) => fits(begin + marks))).toEqual([]);
  expect(fits(`http://${'%CC%81'.repeat(30_000)}/`)).toBe(false);
  expect([`https://a.example/${'x'.repeat(10_000)}`, `mailto:${'a,'.repeat(1_000)}a`].filter(fits)).toHaveLength(2);
});

test('every one of several values has to fit', () => {
  expect(faultIn({ type: 'email' }, ['a@x', '', 'b@x'])).toBeNull();
  expect(faultIn({ type: 'email' }, ['a@x', 'b'])).toBe('email');
  expect(faultIn({ max_length: 2 }, ['ab', 'cd'])).toBeNull();
  expect(faultIn({ max_length: 2 }, ['ab', 'cde'])).toBe('max_length');
  expect(faultIn({ pattern: '[a-z]' }, ['a', 'b'])).toBeNull();
  expect(faultIn({ pattern: '[a-z]' }, ['a', '1'])).toBe('pattern');
});

describe('files and text', () => {
  test('a file field takes files alone', () => {
    expect(faultIn({ type: 'file' }, undefined, true)).toBeNull();
    expect(faultIn({ type: 'file' }, 'cv.pdf')).toBe('file');
    expect(faultIn({ type: 'file' }, ['', 'cv.pdf'], true)).toBe('file');
  });

  test.each(TYPES.filter((type) => type !== 'file'))('a field of type %s takes no file', (type) => {
    expect(faultIn({ type }, undefined, true)).toBe('text');
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
    expect(faultIn({ max_length: length }, value)).toBeNull();
    expect(faultIn({ max_length: length - 1 }, value)).toBe('max_length');
  });
});

test('a number or boolean is held against a pattern as its text', () => {
  expect(faultIn({ pattern: '[0-9]{5}' }, 10115)).toBeNull();
  expect(faultIn({ pattern: '[0-9]{5}' }, 1)).toBe('pattern');
  expect(faultIn({ pattern: 'true' }, true)).toBeNull();
});

test('the type is looked at before the length, the length before the pattern', () => {
  const rules = { type: 'email', max_length: 5, pattern: '.*@x' };
  expect(faultIn(rules, 'no address')).toBe('email');
  expect(faultIn(rules, 'ada@example.com')).toBe('max_length');
  expect(faultIn(rules, 'a@y')).toBe('pattern');
});

test('a fault names the field, its label where it has one, and the limit of a length', () => {
  const long = field({ name: 'note', label: 'Note', max_length: 3 });
  expect(validateField(long, 'abcd', false)).toEqual({ field: 'note', label: 'Note', fault: 'max_length', limit: 3 });
  const bare = field({ name: 'note', label: '', required: true, max_length: 3 });
  expect(validateField(bare, '', false)).toEqual({ field: 'note', fault: 'required' });
});
