import { expect, test } from 'bun:test';
import { contrast, readableOn, textOn } from '../../../src/lib/contrast.ts';

const CARDS = ['#ffffff', '#1d2127'];

test('contrast has the values of WCAG', () => {
  expect(contrast('#000000', '#ffffff')).toBe(21);
  expect(contrast('#ffffff', '#ffffff')).toBe(1);
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  expect(contrast('#ffffff', '#777777')).toBe(contrast('#777777', '#ffffff'));
});

test('text on any color and any color as text are readable', () => {
  const levels = ['00', '33', '66', '99', 'cc', 'ff'];
  const colors = levels.flatMap((red) => levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)));
  for (const color of colors) {
    expect([color, contrast(textOn(color), color) >= 4.5]).toEqual([color, true]);
    for (const card of CARDS) {
      const readable = readableOn(color, card);
      expect(readable).toMatch(/^#[0-9a-f]{6}$/);
      expect([color, contrast(readable, card) >= 4.5]).toEqual([color, true]);
    }
  }
});

test('a readable color is not changed', () => {
  expect(readableOn('#0b6655', '#ffffff')).toBe('#0b6655');
  expect(readableOn('#63cdb7', '#1d2127')).toBe('#63cdb7');
});
