import { afterAll, describe, expect, test } from 'bun:test';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import { MultipartParser } from '../../../src/intake/decode/multipart.ts';
import { startInstance } from '../../support/instance.ts';
import {
  BOUNDARY,
  expectAccepted,
  expectNothingKept,
  expectRefused,
  kept,
  multipart,
  send,
  textPart,
} from './helpers.ts';
import { postChunked } from './wire.ts';

const instance = await startInstance();
afterAll(instance.stop);

const type = 'multipart/form-data; boundary=b';
const part = textPart;

async function expectKept(sent: Readonly<{ type: string; body: string }>, payload: Payload): Promise<void> {
  const owner = await instance.makeOwner();
  await expectAccepted(await send(instance, owner, sent));
  expect(await kept(instance, owner)).toEqual([payload]);
}

async function expectUnreadable(sent: Readonly<{ type: string; body: string }>): Promise<void> {
  const owner = await instance.makeOwner();
  await expectRefused(await send(instance, owner, sent), 400, 'unreadable_body');
  await expectNothingKept(instance, owner);
}

describe('the multipart parser', () => {
  const value = 'one\r\n--no\r\n-\r\n\r\n--\r';
  const body = `preamble\r\n--b \r\n${part('a', value)}\r\n--b\r\n${part('b"', '')}\r\n--b-- \r\nepilogue\r\n--b\r\n`;

  /** Parses pieces and returns names with their values, and `end` for each ended part. */
  function parse(pieces: readonly string[]): string[] {
    const parser = new MultipartParser('b');
    const out: string[] = [];
    for (const piece of pieces) {
      for (const event of parser.push(Buffer.from(piece))) {
        if (event.type === 'headers') out.push(`${event.headers.name}=`);
        if (event.type === 'data') out.push(`${out.pop()}${Buffer.from(event.bytes)}`);
        if (event.type === 'end') out.push('end');
      }
    }
    parser.finish();
    return out;
  }

  const whole = [`a=${value}`, 'end', 'b"=', 'end'];

  test('finds the same parts wherever the body is split in two', () => {
    for (let at = 0; at <= body.length; at++) expect(parse([body.slice(0, at), body.slice(at)])).toEqual(whole);
  });

  test('finds the same parts in pieces of any size', () => {
    for (let size = 1; size <= body.length; size++) {
      const count = Math.ceil(body.length / size);
      const pieces = Array.from({ length: count }, (_, index) => body.slice(index * size, (index + 1) * size));
      expect(parse(pieces)).toEqual(whole);
    }
  });

  test('refuses a body truncated anywhere before its closing boundary', () => {
    const end = body.indexOf('--b--') + '--b--'.length;
    for (let at = 0; at < end; at++) expect(() => parse([body.slice(0, at)])).toThrow();
    expect(parse([body.slice(0, end)])).toEqual(whole);
  });
});

describe('a boundary', () => {
  test('may be quoted and contain all allowed characters', async () => {
    const boundary = "aA0'()+_,-./:=? z";
    const { body } = multipart([part('a', '1')], boundary);
    await expectKept({ type: `multipart/form-data; boundary="${boundary}"`, body: String(body) }, [['a', '1']]);
    await expectKept({ type: `MULTIPART/Form-Data;charset=utf-8; Boundary="${boundary}"; x=y`, body: String(body) }, [
      ['a', '1'],
    ]);
  });

  test('may be split by the network', async () => {
    const owner = await instance.makeOwner();
    const { body } = multipart([part('a', '1'), part('b', '2')]);
    const pieces = String(body).match(/.{1,7}/gs) ?? [];
    await expectAccepted(await postChunked(instance, owner, `multipart/form-data; boundary=${BOUNDARY}`, ...pieces));
    expect(await kept(instance, owner)).toEqual([Object.entries({ a: '1', b: '2' })]);
  });

  test('is found after a preamble and with padding, and the epilogue is ignored', async () => {
    const padded = `preamble --b\r\n\r\n--b \t\r\n${part('a', '1')}\r\n--b--\r\nepilogue\r\n--b\r\n${part('c', '2')}`;
    await expectKept({ type, body: padded }, [['a', '1']]);
  });

  test.each([
    ...[
      '--b',
      '\n--b',
      '\r--b',
      '\n--b\n',
      '--b--',
      '\r\n-b',
      '\r\n- -b',
      '\r\n--',
      '\r\n--B',
      '\r\n\r\n',
      '\r\n -- b',
    ],
    ...['x--b--\r\n', '\r\r\n-', '\r\n--\r\n--', '\n\n--b'],
  ])('is not confused with similar text in a value: %j', async (value) => {
    const body = `--b\r\n${part('x', '1')}\r\n--b\r\n${part('a', value)}\r\n--b--`;
    await expectKept({ type, body }, Object.entries({ x: '1', a: value }));
  });

  test.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=""'])(
    'must be named: %s is 400',
    async (nameless) => {
      await expectUnreadable({ type: nameless, body: `--b\r\n${part('a', '1')}\r\n--b--\r\n` });
    },
  );
});

describe('a value', () => {
  test.each(['\r\n', 'x\r\n', '\r\n\r\n', '\r', '\n', '-', '\r\nx', ' ', '\r\n-'])(
    'keeps the line breaks at its ends: %j',
    async (value) => {
      const body = `--b\r\n${part('x', '1')}\r\n--b\r\n${part('a', value)}\r\n--b--\r\n`;
      await expectKept({ type, body }, Object.entries({ x: '1', a: value }));
    },
  );

  test('may be empty', async () => {
    const body = `--b\r\n${part('a', '')}\r\n--b\r\n${part('c', '1')}\r\n--b--\r\n`;
    await expectKept({ type, body }, Object.entries({ a: '', c: '1' }));
  });

  test("is text regardless of the part's Content-Type and other headers", async () => {
    const head = 'X-Other: 1\r\ncontent-disposition:form-data;NAME=a\r\nContent-Type: application/json; charset=latin1';
    await expectKept({ type, body: `--b\r\n${head}\r\n\r\n{"x":"é"}\r\n--b--\r\n` }, [['a', '{"x":"é"}']]);
  });
});

describe('a malformed multipart body gets 400:', () => {
  const good = `--b\r\n${part('a', '1')}\r\n`;
  const partWith = (header: string) => `${good}--b\r\n${header}\r\n\r\n2\r\n--b--\r\n`;

  test.each([
    ['with bare line feeds', `${good}--b--\r\n`.replaceAll('\r\n', '\n')],
    ['without its closing boundary', good],
    ['with an opening boundary at its end', `${good}--b\r\n`],
    ['truncated in a header', `${good}--b\r\nContent-Disposition: form-da`],
    ['truncated in its closing boundary', `${good}--b-`],
    ['with no boundary at all', 'a=1&b=2'],
    ['with another boundary', `${good}--b--\r\n`.replaceAll('--b', '--c')],
    ['with text after a boundary', `${good}--bX\r\n${part('c', '2')}\r\n--b--\r\n`],
    ['with a part without a name', partWith('Content-Disposition: form-data')],
    ['with a part with a filename only', partWith('Content-Disposition: form-data; filename="x"')],
    ['with a part that is an attachment', partWith('Content-Disposition: attachment; name="c"')],
    ['with a part without Content-Disposition', partWith('Content-Type: text/plain')],
    ['with a last part without headers', `${good}--b\r\n\r\n2\r\n--b--\r\n`],
    ['with a first part without headers', `--b\r\n\r\n2\r\n${good}--b--\r\n`],
    ['with a part with too long headers', partWith(`X: ${'x'.repeat(20_000)}`)],
  ])('%s', async (_what, body) => {
    await expectUnreadable({ type, body });
  });
});

describe('a file', () => {
  const file = (filename: string, content: string) =>
    `Content-Disposition: form-data; name="cv"; filename="${filename}"\r\nContent-Type: application/pdf\r\n\r\n${content}`;

  test('input left empty is neither a file nor a field', async () => {
    const owner = await instance.makeOwner();
    await expectAccepted(await send(instance, owner, multipart([part('a', '1'), file('', '')])));
    expect(await kept(instance, owner)).toEqual([[['a', '1']]]);
  });

  test('input left empty, alone in the form, is an empty submission', async () => {
    const owner = await instance.makeOwner();
    await expectRefused(await send(instance, owner, multipart([file('', '')])), 400, 'empty_submission');
    await expectRefused(await send(instance, owner, multipart([])), 400, 'empty_submission');
    await expectNothingKept(instance, owner);
  });
});

test('two parts without a blank line between them are refused instead of losing one', async () => {
  const head = 'Content-Disposition: form-data; name=';
  await expectUnreadable({ type, body: `--b\r\n${head}"a"\r\n${head}"b"\r\n\r\nvalue\r\n--b--\r\n` });
});
