import { expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import { CARD_COLORS, linkColor, parseColor } from '../../../src/domain/forms/accent-color.ts';
import { contrast, TEXT_CONTRAST } from '../../../src/lib/contrast.ts';

test('a color has six digits, and is kept in lowercase', () => {
  expect(parseColor('#0B6655')).toBe('#0b6655');
  for (const text of ['', '0b6655', '#0b6', '#0b665g', '#0b66550', 'green', '#0b6655\n', ' #0b6655']) {
    expect(() => parseColor(text)).toThrow(AppError);
  }
});

test('links have enough contrast in every color, and a color that is readable stays', () => {
  for (let value = 0; value <= 0xffffff; value += 0x010f1f) {
    const color = `#${value.toString(16).padStart(6, '0')}`;
    for (const scheme of ['light', 'dark'] as const) {
      const link = linkColor(color, scheme);
      expect([color, contrast(link, CARD_COLORS[scheme]) >= TEXT_CONTRAST]).toEqual([color, true]);
      expect(link === color).toBe(contrast(color, CARD_COLORS[scheme]) >= TEXT_CONTRAST);
    }
  }
  expect(linkColor('#ffffff', 'dark')).toBe('#ffffff');
});
