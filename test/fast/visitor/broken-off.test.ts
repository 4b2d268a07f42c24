import { afterAll, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { ENCODINGS, expectAccepted, expectNothingKept, kept } from './helpers.ts';
import { breakOff, chunked, head } from './wire.ts';

const instance = await startInstance();
afterAll(instance.stop);

const FORM = Object.entries({ email: 'ada@example.com', message: 'Hello' });

describe.each(ENCODINGS)('as %s, a body whose client disconnects', (_encoding, encode) => {
  const { type, body } = encode(FORM);
  const text = String(body);

  test('one byte before its declared length stores nothing', async () => {
    const owner = await instance.makeOwner();
    const start = head(owner.form.id, `Content-Type: ${type}`, `Content-Length: ${text.length + 1}`);
    await breakOff(instance, start + text);
    await expectNothingKept(instance, owner);
  });

  test('in the middle of its declared length stores nothing', async () => {
    const owner = await instance.makeOwner();
    const start = head(owner.form.id, `Content-Type: ${type}`, `Content-Length: ${text.length}`);
    await breakOff(instance, start + text.slice(0, text.length / 2));
    await expectNothingKept(instance, owner);
  });

  test('after a complete chunk but before the last one stores nothing', async () => {
    const owner = await instance.makeOwner();
    const start = head(owner.form.id, `Content-Type: ${type}`, 'Transfer-Encoding: chunked');
    await breakOff(instance, start + chunked(text).replace(/0\r\n\r\n$/, ''));
    await expectNothingKept(instance, owner);
  });

  test('in the middle of a chunk stores nothing', async () => {
    const owner = await instance.makeOwner();
    const start = head(owner.form.id, `Content-Type: ${type}`, 'Transfer-Encoding: chunked');
    await breakOff(instance, `${start}${(text.length + 5).toString(16)}\r\n${text}`);
    await expectNothingKept(instance, owner);
  });
});

test('a client that disconnects does not block the next one', async () => {
  const owner = await instance.makeOwner();
  await breakOff(instance, `${head(owner.form.id, 'Content-Type: application/json', 'Content-Length: 9')}{"a":"1`);
  await expectAccepted(await instance.post(owner.form.id, { a: '2' }));
  expect(await kept(instance, owner)).toEqual([[['a', '2']]]);
});
