import { describe, expect, test } from 'bun:test';
import { maskPayload, maskValue } from '../../../src/domain/masking.ts';
import { MASKED_VISA, VISA, withCheckDigit } from './support.ts';

describe('values', () => {
  test('are masked at any depth, under the name of the nearest key', () => {
    expect(maskValue({ a: [{ ssn: ['123456789', VISA] }], id: '123456789' }, 'ssn')).toEqual({
      a: [{ ssn: ['***-**-6789', MASKED_VISA] }],
      id: '123456789',
    });
    expect(maskValue(['123456789', [123456789]], 'ssn')).toEqual(['***-**-6789', ['***-**-6789']]);
  });

  test('that are numbers become strings only if something was masked', () => {
    expect(maskValue(4242424242424242, 'n')).toBe(MASKED_VISA);
    expect(maskValue(-4242424242424242, 'n')).toBe(`-${MASKED_VISA}`);
    for (const number of [0, 42, 4242424242424243, 4.242424242424242, 1e300, Date.UTC(2026, 0)]) {
      expect(maskValue(number, 'n')).toBe(number);
    }
  });

  test('that are numbers too large to be exact are judged by brand and length', () => {
    const card = withCheckDigit('621234567890123456');
    expect(maskValue(JSON.parse(card), 'n')).toStartWith('***************');
    expect(maskValue(JSON.parse(withCheckDigit('979212345678901')), 'n')).toStartWith('************');
    expect(maskValue(2 ** 60, 'n')).toBe(2 ** 60);
  });

  test('without anything to mask come back as they are', () => {
    for (const value of [{ a: ['x', { b: null }], c: true }, ['1', 2], null, false, 'text', '']) {
      expect(maskValue(value, 'name')).toBe(value);
    }
  });

  test('keep their keys, however they are called', () => {
    const text = `{"__proto__":"${VISA}","constructor":{"__proto__":1},"${VISA}":"x"}`;
    const masked = JSON.stringify(maskValue(JSON.parse(text), 'n'));
    expect(masked).toBe(text.replace(VISA, MASKED_VISA));
  });

  test('of a payload keep their names and order', () => {
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
