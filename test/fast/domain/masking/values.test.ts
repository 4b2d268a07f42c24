import { describe, expect, test } from 'bun:test';
import { maskPayload } from '../../../../src/domain/masking/masking.ts';
import { MASKED_VISA, mask, VISA, withCheckDigit } from './support.ts';

describe('values', () => {
  test('are masked at any depth, under the name of the nearest key', () => {
    expect(mask({ a: [{ ssn: ['123456789', VISA] }], id: '123456789' }, 'ssn')).toEqual({
      a: [{ ssn: ['***-**-6789', MASKED_VISA] }],
      id: '123456789',
    });
    expect(mask(['123456789', [123456789]], 'ssn')).toEqual(['***-**-6789', ['***-**-6789']]);
  });

  test('that are numbers become strings only if masked', () => {
    expect(mask(4242424242424242, 'n')).toBe(MASKED_VISA);
    expect(mask(-4242424242424242, 'n')).toBe(`-${MASKED_VISA}`);
    for (const number of [0, 42, 4242424242424243, 4.242424242424242, 1e300, Date.UTC(2026, 0)]) {
      expect(mask(number, 'n')).toBe(number);
    }
  });

  test('that are numbers too large to be exact are judged by brand and length', () => {
    const card = withCheckDigit('621234567890123456');
    expect(mask(JSON.parse(card), 'n')).toStartWith('***************');
    expect(mask(JSON.parse(withCheckDigit('979212345678901')), 'n')).toStartWith('************');
    expect(mask(-JSON.parse(card), 'n')).toStartWith('-***************');
    expect(mask(2 ** 60, 'n')).toBe(2 ** 60);
    expect(mask(4e19, 'n')).toBe(4e19);
  });

  test('that are nine-digit numbers are masked only in a field named for social security numbers', () => {
    expect(mask(123456789, 'ssn')).toBe('***-**-6789');
    expect(mask(-123456789, 'ssn')).toBe('-***-**-6789');
    expect(mask(123456789, 'n')).toBe(123456789);
    expect(mask(1234567890, 'ssn')).toBe(1234567890);
  });

  test('without anything to mask are returned unchanged', () => {
    for (const value of [{ a: ['x', { b: null }], c: true }, ['1', 2], null, false, 'text', '']) {
      expect(mask(value, 'name')).toBe(value);
    }
  });

  test('keep their keys, including special property names', () => {
    const text = `{"__proto__":"${VISA}","constructor":{"__proto__":1},"${VISA}":"x"}`;
    const masked = JSON.stringify(mask(JSON.parse(text), 'n'));
    expect(masked).toBe(text.replace(VISA, MASKED_VISA));
  });

  test('in a payload keep their names and order', () => {
    const payload = [
      ['b', VISA],
      ['ssn', '123456789'],
      [VISA, 'x'],
      ['a', ['y']],
    ] as const;
    expect(maskPayload(payload)).toEqual([
      ['b', MASKED_VISA],
      ['ssn', '***-**-6789'],
      [VISA, 'x'],
      ['a', ['y']],
    ]);
    const harmless = [['a', 'b']] as const;
    expect(maskPayload(harmless)).toBe(harmless);
  });
});
