import { describe, expect, test } from 'bun:test';
import { createCatalog, formatSize, localeFor } from '../../../src/lib/i18n.ts';

const catalog = createCatalog<'en' | 'de', string>('en', { en: 'hello', de: 'hallo' });

describe('a catalog', () => {
  test.each([
    [null, 'en'],
    ['', 'en'],
    ['sv', 'en'],
    ['de-AT, en;q=0.5', 'de'],
    ['de;q=0.2, en;q=0.9', 'en'],
    ['de;q=0', 'en'],
  ] as const)('negotiates %p to %s', (header, language) => {
    expect(catalog.negotiate(header)).toBe(language);
  });

  test('reads only the first 500 characters of a header', () => {
    expect(catalog.negotiate(`${'sv,'.repeat(160)}de`)).toBe('de');
    expect(catalog.negotiate(`${'sv,'.repeat(170)}de`)).toBe('en');
    expect(localeFor(`${'sv,'.repeat(170)}en-GB`, 'en')).toBe('en');
  });

  test('finds only supported languages', () => {
    expect(['de', 'sv', null, undefined].map(catalog.find)).toEqual(['de', null, null, null]);
    expect(catalog.textsIn('de')).toBe('hallo');
  });
});

test.each([
  ['en-GB, en;q=0.9', 'en', 'en-GB'],
  ['fr, de-CH', 'de', 'de-CH'],
  ['fr', 'de', 'de'],
  ['en-$$$', 'en', 'en'],
])('the locale of %p for %s is %s', (header, language, locale) => {
  expect(localeFor(header, language)).toBe(locale);
});

test.each([
  [0, 1000, '0 bytes'],
  [999, 1000, '999 bytes'],
  [1000, 1000, '1 kB'],
  [1_250_000, 1000, '1.3 MB'],
  [10 * 1024 * 1024, 1024, '10 MB'],
  [5e15, 1000, '5,000 TB'],
] as const)('%d bytes in steps of %d are %s', (bytes, base, text) => {
  expect(formatSize('en', bytes, base)).toBe(text);
});
