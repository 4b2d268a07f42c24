import { describe, expect, test } from 'bun:test';
import { ssnCases } from '../../../masking/cards.ts';
import { SURROUNDINGS } from '../../../masking/surroundings.ts';
import { expectWhole, mask, randomFrom } from './support.ts';

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

  test('of areas, groups and serials never issued stay', () => {
    for (const text of ['000-45-6789', '666-45-6789', '900-45-6789', '999-45-6789', '123-00-6789', '123-45-0000']) {
      expectWhole(text);
      expectWhole(text.replaceAll('-', ''), 'ssn');
    }
    expect(mask('001-01-0001 899-99-9999')).toBe('***-**-0001 ***-**-9999');
  });

  test('stay when they are grouped otherwise or part of something longer', () => {
    for (const text of [
      '123-45 6789',
      '12-345-6789',
      '1123-45-6789',
      '123-45-67890',
      '123-45-6789-1',
      '1-123-45-6789',
    ]) {
      expectWhole(text);
    }
    expectWhole('+358 40 1234');
    expectWhole('a123-45-6789');
    expect(mask('123 45 6789 01/02/1990')).toBe('***-**-6789 01/02/1990');
  });

  test('whose last four begin a card leave nothing of both but the last four of the card', () => {
    expect(mask('123-45-6742 4242 4242 4242')).toBe('***-**-************4242');
  });

  test('of nine bare digits need a field named so', () => {
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
      expectWhole('123456789', name);
    }
    expectWhole('1234567890', 'ssn');
  });
});
