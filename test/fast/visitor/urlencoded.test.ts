import { afterAll, expect, test } from 'bun:test';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept, send, URLENCODED } from './helpers.ts';

const instance = await startInstance();
afterAll(instance.stop);

test.each([
  ['a=%', '%'],
  ['a=%%', '%%'],
  ['a=%z', '%z'],
  ['a=%zz', '%zz'],
  ['a=%gG%@0%/0%:0%`0', '%gG%@0%/0%:0%`0'],
  ['a=%4', '%4'],
  ['a=%4z%41', '%4zA'],
  ['a=%%41', '%A'],
  ['a=100%&b=1', '100%'],
  ['a=%E0%A4%A', '\ufffd%A'],
  ['a=%E0%A4%A4', 'त'],
  ['a=%C3%28', '\ufffd('],
  ['a=%ff%FF', '\ufffd\ufffd'],
  ['a=%ED%A0%80', '\ufffd\ufffd\ufffd'],
  ['a=%u0041', '%u0041'],
  ['a=%c3%a9%', 'é%'],
  ['a=é%zz', 'é%zz'],
  ['a=%00', '\0'],
])('a malformed escape is kept: %s', async (body, value) => {
  const owner = await instance.makeOwner();
  await expectAccepted(await send(instance, owner, { type: URLENCODED, body }));
  expect((await kept(instance, owner)).map(([field]) => field)).toEqual([['a', value]]);
});

test.each<[string, Payload]>([
  ['b=1&a', Object.entries({ b: '1', a: '' })],
  ['b=1&a=', Object.entries({ b: '1', a: '' })],
  ['=x', [['', 'x']]],
  ['b=1&=', Object.entries({ b: '1', '': '' })],
  ['a=b=c', [['a', 'b=c']]],
  ['&&a=1&&', [['a', '1']]],
  ['a+b=c+d', [['a b', 'c d']]],
  ['a%2Bb=c%2Bd', [['a+b', 'c+d']]],
  ['a;b=1', [['a;b', '1']]],
  ['?a=1', [['?a', '1']]],
  ['a%5B%5D=1', [['a', ['1']]]],
  ['\ufeffa=1', [['\ufeffa', '1']]],
  ['%EF%BB%BFa=%EF%BB%BF1', [['\ufeffa', '\ufeff1']]],
  ['a=1\r\n', [['a', '1\r\n']]],
  ['a%3Db=%26', [['a=b', '&']]],
])('is decoded by the WHATWG standard: %j', async (body, payload) => {
  const owner = await instance.makeOwner();
  await expectAccepted(await send(instance, owner, { type: URLENCODED, body }));
  expect(await kept(instance, owner)).toEqual([payload]);
});

test.each(['&', '&&&', 'a', 'a=', '=', 'a=&b=+%09%C2%A0', 'a[]=&a[]='])(
  '%j has no value and is refused as empty',
  async (body) => {
    const owner = await instance.makeOwner();
    await expectRefused(await send(instance, owner, { type: URLENCODED, body }), 400, 'empty_submission');
    await expectNothingKept(instance, owner);
  },
);
