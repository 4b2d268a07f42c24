import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept, send } from './helpers.ts';

const type = 'application/json';

const instance = await startInstance();
afterAll(instance.stop);

/** Returns the stored payload as text, to distinguish `"__proto__"` from a prototype and 1 from "1". */
async function keptText(body: string): Promise<string> {
  const owner = await instance.makeOwner();
  await expectAccepted(await send(instance, owner, { type, body }));
  const payloads = await kept(instance, owner);
  expect(payloads).toHaveLength(1);
  return JSON.stringify(payloads[0]);
}

async function expectUnreadable(body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const owner = await instance.makeOwner();
  await expectRefused(await send(instance, owner, { type, body }), 400, 'unreadable_body');
  await expectNothingKept(instance, owner);
}

describe('a number', () => {
  test.each([
    ...['0', '1', '-1', '15', '0.1', '-0.5', '1.5', '3.141592653589793', '0.30000000000000004'],
    ...['9007199254740991', '-9007199254740992', '123456789012345', '1.7976931348623157e+308', '5e-324', '1e+21'],
  ])('%s stays a number', async (number) => {
    expect(await keptText(`{"n":${number}}`)).toBe(`[["n",${number}]]`);
  });

  test.each([
    ['1.50', '1.5'],
    ['1.0', '1'],
    ['1e2', '100'],
    ['15E-1', '1.5'],
    ['0.10000000000000000000', '0.1'],
    ['0.0000000000000000000', '0'],
    ['100000000000000000000', '100000000000000000000'],
    ['0e400', '0'],
  ])('%s stays a number, equal to %s', async (number, same) => {
    expect(await keptText(`{"n":${number}}`)).toBe(`[["n",${same}]]`);
  });

  test.each([
    ...['9007199254740993', '-9007199254740993', '12345678901234567890', '1e400', '-1E400', '1e-400'],
    ...['3.14159265358979323846', '0.1234567890123456789', '9007199254740993.0', '1.00000000000000000001'],
  ])('%s does not fit a double and is stored as a string, at any depth', async (number) => {
    expect(await keptText(`{"n":${number}}`)).toBe(`[["n","${number}"]]`);
    expect(await keptText(`{"n":{"a":[ ${number} ,1]}}`)).toBe(`[["n",{"a":["${number}",1]}]]`);
  });

  test('in a string stays a string', async () => {
    const text = '["12345678901234567890","1e400","1.50"]';
    expect(await keptText(`{"n":${text}}`)).toBe(`[["n",${text}]]`);
  });
});

test('a number of a million digits is stored or refused without delay', async () => {
  const zeros = '0'.repeat(250_000);
  for (const number of [`0.1${zeros}1`, `1${zeros}1`, `1${zeros}.1`]) {
    expect(await keptText(`{"n":${number}}`)).toBe(`[["n","${number}"]]`);
  }
  expect(await keptText(`{"n":1.${zeros}${zeros}${zeros}}`)).toBe('[["n",1]]');
});

describe('nested JSON', () => {
  test.each([
    '{"b":{"y":1,"x":[true,false,null,"",{}]},"a":[]}',
    '{"a":{"__proto__":{"x":1},"constructor":{"prototype":1},"toString":"s","hasOwnProperty":null}}',
    '{"a":{"__proto__":{"n":"12345678901234567890"},"k":"1e400"}}',
    '{"a":[["x"]],"b":[null],"c":[[]],"d":[[],[]],"e":null,"f":true}',
    '{"a":{"x[]":["1"],"a.b":{"c":1}}}',
    String.raw`{"a":"\"}],{[","b\"c":"\\","\\":"\\\"","d\\":1}`,
    String.raw`{"a":"\u0000\n\ud83d","\u0001":"x"}`,
  ])('is stored unchanged: %s', async (body) => {
    const members = Object.entries<unknown>(JSON.parse(body));
    expect(await keptText(body)).toBe(JSON.stringify(members));
  });

  test('may contain any white space', async () => {
    const body = '\r\n\t { "a" :\n[ 1 ,\t{ "b" : "c d" } ] ,"e":1 } \r\n';
    expect(await keptText(body)).toBe('[["a",[1,{"b":"c d"}]],["e",1]]');
  });
});

describe('a name', () => {
  test('that is repeated becomes an array, in order, in any escaping', async () => {
    expect(await keptText('{"a":1,"b":2,"a":3}')).toBe('[["a",[1,3]],["b",2]]');
    expect(await keptText(String.raw`{"a":1,"\u0061":2}`)).toBe('[["a",[1,2]]]');
    expect(await keptText('{"__proto__":1,"__proto__":2}')).toBe('[["__proto__",[1,2]]]');
    expect(await keptText('{"2":"x","1":"y","2":"z"}')).toBe('[["2",["x","z"]],["1","y"]]');
  });

  test('that ends in [] keeps an array and wraps any other value in one', async () => {
    expect(await keptText('{"a[]":["x","y"]}')).toBe('[["a",["x","y"]]]');
    expect(await keptText('{"a[]":[],"b":1}')).toBe('[["a",[]],["b",1]]');
    expect(await keptText('{"a[]":{"x":1}}')).toBe('[["a",[{"x":1}]]]');
    expect(await keptText('{"a[]":["x"],"a[]":["y"],"a":"z"}')).toBe('[["a",["x","y","z"]]]');
  });

  test('with an array keeps it, also if it is empty or has one item', async () => {
    expect(await keptText('{"a":[],"b":["x"],"c":[["x"]]}')).toBe('[["a",[]],["b",["x"]],["c",[["x"]]]]');
  });
});

describe('bytes', () => {
  test('of a leading byte order mark are dropped', async () => {
    expect(await keptText('\ufeff{"a":"\ufeffx"}')).toBe('[["a","\ufeffx"]]');
  });

  test.each(['{"a":"\xff"}', '{"a":"\xe2\x82"}', '{"a":"\xed\xa0\x80"}', '{"\xc3":"x"}', '{"a":"\xc0\x80"}'])(
    'that are not UTF-8 are 400: %j',
    async (body) => {
      await expectUnreadable(Buffer.from(body, 'latin1'));
    },
  );

  test('of UTF-16 get 400', async () => {
    await expectUnreadable(Buffer.from('\ufeff{"a":"b"}', 'utf16le'));
  });
});

test('invalid JSON is refused behind any brackets and quotes', async () => {
  for (const body of [
    '{"a":"',
    '{"a',
    '{"a":[}',
    '{]',
    '}',
    '{"a":1}}',
    '{"a":\\"}',
    '{"a" "b"}',
    '{"a":01}',
    '{a:1}',
    ...[
      '{"a":1,}',
      '{,}',
      '{,"a":1}',
      '{"a"}',
      '{"a":}',
      '{"a":1 "b":2}',
      '{"a":1:2}',
      '{"a":1};',
      '{"a":1]',
      '["a":1]',
    ],
    ...['{"a":1}{"b":2}', '{"a":[1},"b":{2]}', '{"a":1],"b":[2}', '{"a":"\n"}', '{"a\n":1}', '\u00a0{"a":1}'],
    ...[
      '{1e400:1}',
      '{"a":{1e400:1}}',
      '{"a":{1e400 :1}}',
      '{"a":01e400}',
      '{"a":1e400x}',
      '{"a":--1e400}',
      '{"a":.1e400}',
    ],
  ]) {
    await expectUnreadable(body);
  }
});
