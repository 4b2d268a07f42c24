import { describe, expect, test } from 'bun:test';
import { ssnCases } from '../../../../.ci/masking/cards.ts';
import { SURROUNDINGS } from '../../../../.ci/masking/surroundings.ts';
import { expectUnmasked, mask, randomFrom } from './support.ts';

describe('social security numbers', () => {
  test('keep their last four digits', () => {
    expect(mask('My SSN is 123-45-6789.')).toBe('My SSN is ***-**-6789.');
    for (const separator of [' ', '\u00a0', '-', '\u2011', '–', '.', '/', ' - ']) {
      expect(mask(`123${separator}45${separator}6789`)).toBe('***-**-6789');
    }
    expect(mask('１２３-٤٥-6789')).toBe('***-**-6789');
    expect(mask('SSN123-45-0009')).toBe('SSN***-**-0009');
  });

  test('are masked in any script and in prose', () => {
    const random = randomFrom(1);
    const cases = [...ssnCases(random, () => SURROUNDINGS)];
    expect(cases.filter(({ text, masked }) => mask(text) !== masked)).toEqual([]);
  });

  test('with areas, groups and serials that were never issued are not masked', () => {
    for (const text of ['000-45-6789', '666-45-6789', '900-45-6789', '999-45-6789', '123-00-6789', '123-45-0000']) {
      expectUnmasked(text);
      expectUnmasked(text.replaceAll('-', ''), 'ssn');
    }
    expect(mask('001-01-0001 899-99-9999')).toBe('***-**-0001 ***-**-9999');
  });

  test('are not masked in other groupings or as part of longer numbers', () => {
    for (const text of [
      '123-45 6789',
      '12-345-6789',
      '1123-45-6789',
      '123-45-67890',
      '123-45-6789-1',
      '1-123-45-6789',
    ]) {
      expectUnmasked(text);
    }
    expectUnmasked('+358 40 1234');
    expectUnmasked('a123-45-6789');
    expect(mask('123 45 6789 01/02/1990')).toBe('***-**-6789 01/02/1990');
  });

  test('followed by a card that shares their last four digits show only the last four of the card', () => {
    expect(mask('123-45-6742 4242 4242 4242')).toBe('***-**-************4242');
  });

  test('without separators are masked only in a field named for social security numbers', () => {
    for (const name of [
      'ssn',
      'SSN',
      'user_ssn',
      'userSsn',
      'userSSN',
      'SSNumber',
      'Social Security',
      'socialSecurity',
    ]) {
      expect(mask('123456789', name)).toBe('***-**-6789');
    }
    for (const name of ['message', 'lessns', 'classname', 'assn', 'ssname', 'social_media', 'tax_id', 'phone']) {
      expectUnmasked('123456789', name);
    }
    expectUnmasked('1234567890', 'ssn');
  });
});
