import { expect, test } from 'bun:test';
import { fieldDescriber } from '../../../src/domain/fields/field-display.ts';
import type { FormField, ValueWords } from '../../../src/domain/fields/field-type.ts';
import type { PayloadValue } from '../../../src/domain/submissions/submission.ts';

const WORDS: ValueWords = {
  yes: 'Ja',
  no: 'Nein',
  date: (date: string) => date.split('-').reverse().join('.'),
  rating: (value, max) => `${value} von ${max}`,
};

const field = (name: string, type: string, more: Partial<FormField> = {}): FormField => {
  return { name, label: `Label of ${name}`, type, required: false, ...more };
};

const FIELDS = [
  field('news', 'checkbox'),
  field('terms', 'consent'),
  field('stars', 'rating'),
  field('score', 'rating', { max: 10 }),
  field('colors', 'checkboxes', { options: ['red', 'on'] }),
  field('note', 'text'),
  field('bare', 'text', { label: '' }),
];

const CASES: ReadonlyArray<readonly [name: string, value: PayloadValue, texts: readonly string[]]> = [
  ...['on', 'true', 'yes', 'YES', ' on ', '1', 1, true].map((value) => ['news', value, ['Ja']] as const),
  ...['off', 'false', 'no', '0', 0, false].map((value) => ['terms', value, ['Nein']] as const),
  ['terms', 'I agree', ['I agree']],
  ['news', '', []],
  ['news', null, []],
  ['news', ['', 'yes'], ['Ja']],
  ['stars', '4', ['4 von 5']],
  ['stars', 5, ['5 von 5']],
  ['score', '10', ['10 von 10']],
  ...['6', '0', '-1', '4.5', '04', 'four', '10', ' 4'].map((value) => ['stars', value, [value]] as const),
  ['colors', ['red', 'on'], ['red', 'on']],
  ['note', 'on', ['on']],
  ['note', 'true', ['true']],
  ['note', 7, ['7']],
  ['note', true, ['Ja']],
  ['unknown', 'on', ['Ja']],
  ['unknown', 'yes', ['yes']],
  ['unknown', false, ['Nein']],
  ['unknown', ['a', ['b', 'c']], ['a', 'b\nc']],
  ['unknown', { a: 1, b: { c: true }, d: null }, ['a: 1\nb: c: Ja\nd: ']],
  ['stars', { a: 1 }, ['a: 1']],
];

test.each(CASES)('%s with %j reads %j', (name, value, texts) => {
  expect(fieldDescriber(FIELDS, WORDS)(name, value).texts).toEqual([...texts]);
});

test('the label is the configured one, or else the name', () => {
  const describe = fieldDescriber(FIELDS, WORDS);
  expect(['note', 'bare', 'unknown', '__proto__'].map((name) => describe(name, 'x').label)).toEqual([
    'Label of note',
    'bare',
    'unknown',
    '__proto__',
  ]);
});
