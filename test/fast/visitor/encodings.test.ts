import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { ENCODINGS, expectAccepted, kept, multipart, send, textPart, URLENCODED } from './helpers.ts';

type Pairs = ReadonlyArray<readonly [name: string, value: string]>;

const instance = await startInstance();
afterAll(instance.stop);

/** Field names that are special in JavaScript or in the parsers of other frameworks. */
const ORDINARY = [
  ...['a.b', 'a.b.c', 'x[0]', 'x[y]', 'x[0][y]', '[0]', 'x[', ']', '.', '$where', 'a b', 'A', 'ä', '名前', '😀', ''],
  ...['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__', 'then'],
  ...['length', 'toJSON', 'name', 'filename', 'id', 'created_at', 'data', '_charset_', 'isindex', '0', '10', '-1'],
  ...['?a', '&a', 'a=b', 'a+b', '%41', 'a%', '\u00a0', '\u200b', "it's", 'a,b', 'a:b', 'a/b', '<b>', 'null'],
];

/** Values that a parser might convert to another type. */
const VERBATIM = [
  ...[
    '',
    ' ',
    '  two  ',
    '0',
    '007',
    '1.50',
    '-1',
    '1e3',
    '12345678901234567890',
    'true',
    'false',
    'null',
    'undefined',
  ],
  ...['[1]', '[]', '{}', '{"a":1}', '"quoted"', 'a&b=c', 'a+b c', '100%', '%41', '%00', 'NaN', '2026-11-21', '\0'],
  ...[
    'line\r\nline',
    '\r\n',
    'tab\t',
    '😀',
    'e\u0301',
    '\ufeff',
    '\ufffd',
    '‮',
    '--',
    '?',
    '#',
    '\\',
    '\\u0041',
    '<script>',
  ],
];

describe.each(ENCODINGS)('as %s', (_encoding, encode) => {
  async function keptOf(fields: Pairs) {
    const owner = await instance.makeOwner();
    await expectAccepted(await send(instance, owner, encode(fields)));
    const [payload, ...others] = await kept(instance, owner);
    expect(others).toEqual([]);
    return payload;
  }

  test('names and values are stored in order', async () => {
    const fields = [...'zyxabc9810'].map((name) => [name, `value of ${name}`] as const);
    expect(await keptOf(fields)).toEqual(fields);
  });

  test('a repeated name becomes an array at its first position', async () => {
    const fields = [...'tatbt'].map((name, index) => [name, String(index)] as const);
    expect(await keptOf(fields)).toEqual(Object.entries({ t: ['0', '2', '4'], a: '1', b: '3' }));
  });

  test('a name ending in [] loses the suffix and is always an array', async () => {
    expect(await keptOf([['t[]', 'x']])).toEqual([['t', ['x']]]);
    expect(await keptOf(['x', 'y'].map((value) => ['t[]', value]))).toEqual([['t', ['x', 'y']]]);
    expect(await keptOf(Object.entries({ t: 'x', 't[]': 'y' }))).toEqual([['t', ['x', 'y']]]);
    expect(await keptOf([['t[][]', 'x']])).toEqual([['t[]', ['x']]]);
    expect(await keptOf([['[]', 'x']])).toEqual([['', ['x']]]);
  });

  test('empty values are stored, also of repeated names', async () => {
    const fields = Object.entries({ a: '', b: 'x', c: '' });
    expect(await keptOf(fields)).toEqual(fields);
    expect(await keptOf(['', 'x', ''].map((value) => ['a', value]))).toEqual([['a', ['', 'x', '']]]);
  });

  test.each(ORDINARY)('%j is an ordinary field name', async (name) => {
    expect(await keptOf([[name, 'x']])).toEqual([[name, 'x']]);
    expect(await keptOf(['x', 'y'].map((value) => [name, value]))).toEqual([[name, ['x', 'y']]]);
  });

  test.each(VERBATIM)('the value %j is stored unchanged', async (value) => {
    const fields = Object.entries({ a: value, b: 'x' });
    expect(await keptOf(fields)).toEqual(fields);
  });

  test.each(['a"b', '"', 'a\r\nb', '\n', 'a\\b', 'a\\', '\\"', 'a;b', 'a; filename="x"', "a'b", 'a="b"', ' a ', '\t'])(
    'the name %j is kept as it is',
    async (name) => {
      const fields = Object.entries({ [name]: 'x', b: 'y' });
      expect(await keptOf(fields)).toEqual(fields);
    },
  );

  test('the API shows every name, including those with a meaning in JavaScript', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await send(instance, owner, encode(ORDINARY.map((name) => [name, `value of ${name}`]))));
    const [submission] = await instance.stored(owner);
    const shown = new Map(Object.entries(submission?.data ?? {}));
    expect(shown).toEqual(new Map(ORDINARY.map((name) => [name, `value of ${name}`])));
  });

  test('the content type may be uppercase and have parameters', async () => {
    const owner = await instance.makeOwner();
    const { type, body } = encode([['a', 'é']]);
    const [media = '', ...parameters] = type.split(';');
    const capitals = [media.toUpperCase(), ...parameters].join(';');
    for (const variant of [capitals, `${type}; charset=utf-8`, `${type};charset="UTF-8"; x=y`, ` ${type} ;`]) {
      await expectAccepted(await send(instance, owner, { type: variant, body }));
    }
    expect(await kept(instance, owner)).toEqual(Array(4).fill([['a', 'é']]));
  });
});

test("bodies from the platform's own FormData, URLSearchParams and JSON are stored alike", async () => {
  const owner = await instance.makeOwner();
  const fields = { email: 'ada@example.com', 't[]': ['x', 'ÿ'], 'a.b': '', m: 'a\r\nb' };
  const [form, parameters] = [new FormData(), new URLSearchParams()];
  for (const [name, value] of Object.entries(fields)) {
    for (const one of [value].flat()) {
      form.append(name, one);
      parameters.append(name, one);
    }
  }
  for (const body of [form, parameters, fields]) await expectAccepted(await instance.post(owner.form.id, body));
  const expected = Object.entries({ email: 'ada@example.com', t: ['x', 'ÿ'], 'a.b': '', m: 'a\r\nb' });
  expect(await kept(instance, owner)).toEqual([expected, expected, expected]);
});

test('a JSON body sent as text/plain, as navigator.sendBeacon does, is parsed as JSON', async () => {
  const owner = await instance.makeOwner();
  for (const type of ['text/plain;charset=UTF-8', 'text/plain', 'Text/Plain']) {
    await expectAccepted(await send(instance, owner, { type, body: '{"a":[1,"x"]}' }));
  }
  expect(await kept(instance, owner)).toEqual(Array(3).fill([['a', [1, 'x']]]));
});

test('invalid UTF-8 is replaced by U+FFFD as in browsers', async () => {
  const owner = await instance.makeOwner();
  const bytes = (text: string) => Buffer.from(text, 'latin1');
  const { type, body } = multipart([textPart('n\xff', 'a\xffb\xe2\x82')]);
  await expectAccepted(await send(instance, owner, { type, body: bytes(String(body)) }));
  await expectAccepted(await send(instance, owner, { type: URLENCODED, body: bytes('n\xff=a\xffb\xe2\x82') }));
  await expectAccepted(await send(instance, owner, { type: URLENCODED, body: 'n%FF=a%FFb%E2%82' }));
  expect(await kept(instance, owner)).toEqual(Array(3).fill([['n\ufffd', 'a\ufffdb\ufffd']]));
});
