import { expect, test } from 'bun:test';
import { hueClass, initials } from '../../../src/dashboard/ui/avatar.tsx';

test.each([
  ['Ada Byron', 'AB'],
  ['Ada King Byron', 'AB'],
  ['Ada', 'Ad'],
  ['ada.byron@example.com', 'ab'],
  ['ada@example.com', 'ad'],
  ['山田 花子', '山花'],
  ['محمد', 'مح'],
  ['!', ''],
  ['Such a good smell of clay', ''],
])('%s has the letters %s', (name, letters) => {
  expect(initials(name)).toBe(letters);
});

test('a person keeps their hue, and people get several', () => {
  expect(hueClass('Ada@example.com')).toBe(hueClass(' ada@example.com'));
  const hues = new Set(Array.from({ length: 50 }, (_, index) => hueClass(`person${index}@example.com`)));
  expect(hues.size).toBe(8);
});
