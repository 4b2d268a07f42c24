import { describe, expect, test } from 'bun:test';
import { addressMatcher, containsAddress, parsePersonAddress } from '../../../src/domain/submissions/person.ts';

const find = (address: string, text: string) => addressMatcher(parsePersonAddress(address))(text);

describe('an address matcher', () => {
  test.each([
    'ada@example.com',
    'Ada@EXAMPLE.com',
    '  ada@example.com\n',
    'Ada Lovelace <ada@example.com>',
    '"ada@example.com"',
    'mailto:ada@example.com?subject=x',
    'write to ada@example.com.',
    'ada@example.com, bob@example.com',
    'bob@example.com;ada@example.com',
    '- ada@example.com',
    '-ada@example.com',
    'well...ada@example.com',
    'email=ada@example.com&x=1',
    'https://example.com/?email=ada%40example.com&x=1',
    'https://example.com/?email=%20ADA%40example%2Ecom',
    'ada@example.com-',
    '*ada@example.com*',
    'ａｄａ＠example.com',
  ])('matches %j', (text) => {
    expect(find('ada@example.com', text)).toBe(true);
  });

  test.each([
    'lada@example.com',
    'mary.ada@example.com',
    'mary-ada@example.com',
    'x+ada@example.com',
    'ada+shop@example.com',
    'ada@example.com.au',
    'ada@example.company',
    'ada@example.com-shop.example',
    'ada@sub.example.com',
    'ada example.com',
    'ada@exampleXcom',
    '',
  ])('does not match %j', (text) => {
    expect(find('ada@example.com', text)).toBe(false);
  });

  test('matches an internationalized domain in Unicode and Punycode', () => {
    for (const address of ['ada@bücher.example', 'ada@xn--bcher-kva.example']) {
      expect(find(address, 'ada@BÜCHER.example')).toBe(true);
      expect(find(address, 'ada@xn--bcher-kva.example')).toBe(true);
    }
    expect(find('jürgen@example.com', 'JÜRGEN@example.com')).toBe(true);
    expect(find('jürgen@example.com', 'ju\u0308rgen@example.com')).toBe(true);
  });

  test('escapes special characters of the address', () => {
    for (const address of [
      "o'neil+a.b@example.com",
      'a*b@example.com',
      'a|b@example.com',
      '{x}@example.com',
      'a$@x.y',
    ]) {
      expect([address, find(address, `x ${address} y`)]).toEqual([address, true]);
    }
    expect(find('a.b@example.com', 'axb@example.com')).toBe(false);
  });
});

test('finds an address at any depth, in values and names', () => {
  const contains = (value: Parameters<typeof containsAddress>[0]) =>
    containsAddress(value, addressMatcher('ada@example.com'));
  expect(contains([['a', { b: [1, null, { c: ['x', 'ada@example.com'] }] }]])).toBe(true);
  expect(contains([['a', { b: { 'ada@example.com': true } }]])).toBe(true);
  expect(contains([['ada@example.com', '']])).toBe(true);
  expect(contains([['a', { b: [1, null, true, 'ada'] }]])).toBe(false);
});

test.each(['', 'ada', '@example.com', 'ada@', 'a b@example.com', 'a@b@', 'ada@example.com,bob@example.com', '<a@b.c>'])(
  'rejects %j as an address',
  (text) => {
    expect(() => parsePersonAddress(text)).toThrow('not an email address');
  },
);

test('rejects a long address and searches a long text', () => {
  expect(() => parsePersonAddress(`${'a'.repeat(300)}@example.com`)).toThrow();
  expect(find('a@a.a', `a@a.ab ${'\u0301\u0316'.repeat(60_000)}`)).toBe(false);
  expect(find('a@a.a', `${'a@'.repeat(100_000)}a@a.ab ${'._+-'.repeat(50_000)}`)).toBe(false);
});
