import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { ENCODINGS, expectAccepted, expectNothingKept, expectRefused, kept, send } from './helpers.ts';

const KiB = 1024;

const instance = await startInstance();
afterAll(instance.stop);

const numbered = (count: number) => Array.from({ length: count }, (_, index) => [`field ${index}`, 'x'] as const);

describe.each(ENCODINGS)('as %s', (_encoding, encode) => {
  test('accepts 1,000 fields and refuses 1,001 with 400', async () => {
    const owner = await instance.makeOwner();
    await expectRefused(await send(instance, owner, encode(numbered(1_001))), 400, 'too_many_fields');
    await expectNothingKept(instance, owner);
    await expectAccepted(await send(instance, owner, encode(numbered(1_000))));
    expect(await kept(instance, owner)).toEqual([numbered(1_000)]);
  });

  test('counts repeated names each time', async () => {
    const owner = await instance.makeOwner();
    const repeated = Array.from({ length: 1_001 }, () => ['a', 'x'] as const);
    await expectRefused(await send(instance, owner, encode(repeated)), 400, 'too_many_fields');
    await expectNothingKept(instance, owner);
    await expectAccepted(await send(instance, owner, encode(repeated.slice(1))));
    expect(await kept(instance, owner)).toEqual([[['a', Array(1_000).fill('x')]]]);
  });

  test.each([
    ['letters', 'x'.repeat(256), 'x'.repeat(257)],
    ['characters of several bytes', 'ü'.repeat(128), `${'ü'.repeat(128)}x`],
    ['characters that must be escaped', '"'.repeat(256), '"'.repeat(257)],
  ])('accepts a name of 256 bytes and refuses 257 with 400: %s', async (_kind, longest, tooLong) => {
    const owner = await instance.makeOwner();
    await expectRefused(await send(instance, owner, encode([[tooLong, 'x']])), 400, 'name_too_long');
    await expectNothingKept(instance, owner);
    await expectAccepted(await send(instance, owner, encode([[longest, 'x']])));
    expect(await kept(instance, owner)).toEqual([[[longest, 'x']]]);
  });

  test.each([
    ['letters', 'x'.repeat(256 * KiB)],
    ['characters of several bytes', 'ü'.repeat(128 * KiB)],
    ['characters of two units', '😀'.repeat(64 * KiB)],
  ])('accepts a value of 256 KiB and refuses one more byte with 400 and the field name: %s', async (_kind, longest) => {
    const owner = await instance.makeOwner();
    const response = await send(instance, owner, encode([['note', `${longest}x`]]));
    const { errors } = await expectRefused(response, 400, 'value_too_long');
    expect(errors).toEqual([{ field: 'note', message: expect.stringMatching(/256 kB/) }]);
    await expectNothingKept(instance, owner);
    await expectAccepted(await send(instance, owner, encode([['note', longest]])));
    expect(await kept(instance, owner)).toEqual([[['note', longest]]]);
  });
});

describe('JSON', () => {
  const json = (body: string) => ({ type: 'application/json', body });

  test.each([
    ['arrays', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('accepts depth 32 and refuses depth 33 with 400: %s', async (_kind, open, close) => {
    const owner = await instance.makeOwner();
    const nested = (depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    await expectRefused(await send(instance, owner, json(`{"a":${nested(32)}}`)), 400, 'too_deep');
    await expectNothingKept(instance, owner);
    await expectAccepted(await send(instance, owner, json(`{"a":${nested(31)}}`)));
    expect(JSON.stringify(await kept(instance, owner))).toBe(`[[["a",${nested(31)}]]]`);
  });

  test('counts depth, not brackets: accepts them side by side or in a string', async () => {
    const owner = await instance.makeOwner();
    const list = Array(100).fill([{}]);
    await expectAccepted(await instance.post(owner.form.id, { a: list, b: '['.repeat(100) }));
    expect(await kept(instance, owner)).toEqual([Object.entries({ a: list, b: '['.repeat(100) })]);
  });

  test.each(['{"a":', '{"a":[', '{"a":[[{"b":'])('refuses a body full of %s with 400', async (open) => {
    const owner = await instance.makeOwner();
    const body = open.repeat(Math.floor((1024 * KiB) / open.length));
    await expectRefused(await send(instance, owner, json(body)), 400, 'too_deep');
    await expectNothingKept(instance, owner);
  });

  test('counts the texts of a nested value, names included, as one value', async () => {
    const owner = await instance.makeOwner();
    const half = 'x'.repeat(128 * KiB);
    await expectRefused(await instance.post(owner.form.id, { a: [half, half] }), 400, 'value_too_long');
    await expectRefused(await instance.post(owner.form.id, { a: { [half]: half } }), 400, 'value_too_long');
    await expectNothingKept(instance, owner);
  });
});

test('accepts two values of 256 KiB, since the limit is per value', async () => {
  const owner = await instance.makeOwner();
  const long = 'x'.repeat(256 * KiB);
  await expectAccepted(await instance.post(owner.form.id, { a: long, b: long }));
  expect(await kept(instance, owner)).toEqual([Object.entries({ a: long, b: long })]);
});

test('limits a body to 1 MiB by default', async () => {
  const owner = await instance.makeOwner();
  const type = 'application/x-www-form-urlencoded';
  const body = Array.from({ length: 8 }, (_, index) => `${index}=`.padEnd(128 * KiB - 1, 'x')).join('&');
  await expectRefused(await send(instance, owner, { type, body: `${body}&&` }), 413, 'body_too_large');
  await expectNothingKept(instance, owner);
  await expectAccepted(await send(instance, owner, { type, body: `${body}&` }));
  expect(await kept(instance, owner)).toHaveLength(1);
});
