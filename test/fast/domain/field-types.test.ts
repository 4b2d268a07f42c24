import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { validateField } from '../../../src/domain/fields/field-rules.ts';
import { FIELD_TYPES, getFieldType, getSample, namesWith } from '../../../src/domain/fields/field-types.ts';

const OPTIONS = ['One', 'Two'];

describe.each(FIELD_TYPES.map((type) => [type.name, type] as const))(
  'the type %s',
  (name, { setting, html, choices }) => {
    const field = {
      name: 'f',
      label: '',
      type: name,
      required: true,
      ...(setting === 'options' && { options: OPTIONS }),
    };

    test('has a sample value that is valid', () => {
      if (html.type !== 'file') expect(validateField(field, getSample(field), false)).toBeNull();
    });

    test('has the choices that its control offers', () => {
      expect(choices !== undefined).toBe(['select', 'group', 'scale'].includes(html.control));
      for (const choice of choices?.(field) ?? []) expect(validateField(field, choice, false)).toBeNull();
    });
  },
);

test.each(['en', 'de'] as const)('types have different labels in %s', (language) => {
  const labels = FIELD_TYPES.map(({ label }) => label[language]);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.filter((label) => label.trim() === '')).toEqual([]);
});

test('earlier names stand for their type, and unknown ones for a text', () => {
  const names = ['tel', '', 'constructor', '__proto__', 'hologram'].map((type) => getFieldType({ type }).name);
  expect(names).toEqual(['phone', ...Array(4).fill('text')]);
});

test('the style of the editor shows a setting for each type that has it', async () => {
  const style = await Bun.file(join(import.meta.dir, '../../../src/dashboard/forms/settings/style.css')).text();
  const typesOf = (block: string) => {
    const [, rule = ''] = new RegExp(`^ *\\.rows li:not\\((.*)\\) \\.${block}\\b`, 'm').exec(style) ?? [];
    return Array.from(rule.matchAll(/value="(\w+)"/g), ([, type]) => type);
  };
  expect([typesOf('of-choice'), typesOf('of-rating')]).toEqual([namesWith('options'), namesWith('max')]);
});
