import { describe, expect, test } from 'bun:test';
import { validateField } from '../../../src/domain/fields/field-rules.ts';
import type { FormField } from '../../../src/domain/fields/field-type.ts';
import { parseFields } from '../../../src/domain/fields/parse-fields.ts';
import { MatchBudget } from '../../../src/domain/fields/pattern.ts';

const choices = (count: number, from = 0) => Array.from({ length: count }, (_, n) => (from + n).toString(36));
const selects = (count: number, options: number): FormField[] =>
  Array.from({ length: count }, (_, n) => {
    return { name: `f${n}`, label: '', type: 'select', required: false, options: choices(options) };
  });
const texts = (count: number, more: Partial<FormField>): FormField[] =>
  Array.from({ length: count }, (_, n) => ({ name: `f${n}`, label: '', type: 'text', required: false, ...more }));

describe('the fields of a form together', () => {
  test.each([
    ['options', selects(10, 200), [...selects(10, 200), ...texts(1, { name: 'x' }), ...selects(11, 1).slice(10)]],
    ['KiB', texts(20, { label: 'x'.repeat(200) }), texts(300, { label: 'x'.repeat(200) })],
    ['instructions', texts(6, { pattern: '[a-z]{250}' }), texts(9, { pattern: '[a-z]{250}' })],
  ])('have a limit of %s', (unit, fields, tooMany) => {
    expect(parseFields(JSON.stringify(fields))).toHaveLength(fields.length);
    expect(() => parseFields(JSON.stringify(tooMany))).toThrow(new RegExp(`Invalid fields: th\\w+ .*${unit}.* Remove`));
  });

  test('match at most 16,384 characters of a post', () => {
    const budget = new MatchBudget();
    const outcomes = texts(5, { pattern: 'x*' }).map((field) => validateField(field, 'x'.repeat(4_000), false, budget));
    expect(outcomes.map((outcome) => outcome?.code ?? null)).toEqual([null, null, null, null, 'pattern']);
  });
});
