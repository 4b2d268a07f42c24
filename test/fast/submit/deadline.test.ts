import { afterAll, describe, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { household, post } from '../../cli/command-line.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { spawnServer } from '../../support/process.ts';
import { drip } from './drip.ts';
import { blobNames, fileHead } from './files.ts';
import { BOUNDARY, expectAccepted, expectNothingKept, expectRefused, kept, URLENCODED } from './helpers.ts';
import { breakOff, chunked, exchange, head } from './wire.ts';

const KiB = 1024;
const FORM_TYPE = `Content-Type: ${URLENCODED}`;
const MULTIPART_TYPE = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const FILE_START = `--${BOUNDARY}\r\n${fileHead('cv', 'cv.bin')}${'x'.repeat(2 * KiB)}`;
const END = `\r\n--${BOUNDARY}--\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';
const ofLength = (bytes: number) => `Content-Length: ${bytes}`;
const chunk = (text: string) => chunked(text).replace(/0\r\n\r\n$/, '');

const instance = await startInstance({ env: { BODY_SECONDS: '1' } });
afterAll(instance.stop);

async function answerTo(start: string, piece: string): Promise<Response> {
  const answer = await drip(instance, start, piece, 100).closed;
  if (!answer) throw new Error('the connection was closed without an answer');
  return answer;
}

describe('a body that drips is cut off with an answer, and nothing of it is kept:', () => {
  test.concurrent.each<[string, string[], string, string]>([
    ['short', [FORM_TYPE, ofLength(1_000)], 'a=', 'x'],
    ['not begun', [FORM_TYPE, ofLength(1_000)], '', ''],
    ['long', [FORM_TYPE, ofLength(70 * KiB)], 'a=', 'x'],
    ['of no declared length', [FORM_TYPE, CHUNKED], chunk('a='), chunk('x')],
    ['in the middle of a chunk', [FORM_TYPE, CHUNKED], '3e8\r\na=', 'x'],
    ['in the length of a chunk', [FORM_TYPE, CHUNKED], chunk('a='), '0'],
    ['of a type that is not taken', ['Content-Type: text/xml', CHUNKED], '', ''],
    ['short, in a file', [MULTIPART_TYPE, ofLength(10_000)], FILE_START, 'x'],
    ['long, in a file', [MULTIPART_TYPE, ofLength(5_000 * KiB)], FILE_START, 'x'],
    ['of no declared length, in a file', [MULTIPART_TYPE, CHUNKED], chunk(FILE_START), chunk('x')],
    ['in the head of a part', [MULTIPART_TYPE, CHUNKED], chunk(`--${BOUNDARY}\r\n`), chunk('x')],
  ])(
    '%s',
    async (_what, headers, start, piece) => {
      const owner = await instance.makeOwner();
      const whole = head(owner.form.id, ...headers).replace('Connection: close\r\n', '') + start;
      const answer = await answerTo(whole, piece);
      expect(answer.headers.get('connection')).toBe('close');
      await expectRefused(answer, 408, 'body_too_slow');
      await expectNothingKept(instance, owner);
    },
    30_000,
  );

  test('and none of their files is left', () => {
    expect(blobNames(instance)).toEqual([]);
  });

  test('on a page, it says so in the language of the visitor', async () => {
    const { form } = await instance.makeOwner();
    const headers = [FORM_TYPE, ofLength(1_000), 'Accept: text/html', 'Accept-Language: de'];
    const answer = await answerTo(head(form.id, ...headers), 'x');
    expect(answer.status).toBe(408);
    expect(await answer.text()).toContain('Die Übertragung Ihrer Nachricht hat zu lange gedauert.');
  });
});

/** A piece of 10 KiB every 100 ms, which is slower than `BODY_SECONDS` alone would allow. */
const slowly = (count: number, frame = (text: string) => text) =>
  Array.from({ length: count }, async (_, n) => {
    await Bun.sleep(100 * (n + 1));
    return frame('x'.repeat(10 * KiB));
  });

describe('a body that is slow and comes on all the same is taken:', () => {
  test.concurrent('of declared length', async () => {
    const owner = await instance.makeOwner();
    const start = `${head(owner.form.id, FORM_TYPE, ofLength(2 + 200 * KiB))}a=`;
    await expectAccepted(await exchange(instance, start, ...slowly(20)));
    expect(await kept(instance, owner)).toEqual([[['a', 'x'.repeat(200 * KiB)]]]);
  }, 30_000);

  test.concurrent.each<[string, string[], (text: string) => string, string]>([
    [
      'a file of declared length',
      [ofLength(FILE_START.length + 2_000 * KiB + END.length)],
      (text) => text.repeat(5),
      END,
    ],
    ['a file of no declared length', [CHUNKED], (text) => chunk(text), chunk(END)],
  ])(
    '%s',
    async (_what, headers, frame, end) => {
      const owner = await instance.makeOwner();
      const isChunked = headers.includes(CHUNKED);
      const start = head(owner.form.id, MULTIPART_TYPE, ...headers) + (isChunked ? chunk(FILE_START) : FILE_START);
      const last = `${end}${isChunked ? '0\r\n\r\n' : ''}`;
      await expectAccepted(await exchange(instance, start, ...slowly(40, frame), last));
      expect(await kept(instance, owner)).toHaveLength(1);
    },
    30_000,
  );
});

test.each([
  ['of declared length', ofLength(5_000 * KiB), FILE_START],
  ['of no declared length', CHUNKED, chunk(FILE_START)],
])('a client that goes away in a file %s is noticed, and nothing of it is left', async (_what, header, body) => {
  const owner = await instance.makeOwner();
  const files = blobNames(instance);
  await breakOff(instance, head(owner.form.id, MULTIPART_TYPE, header) + body);
  await expectNothingKept(instance, owner);
  expect(blobNames(instance)).toEqual(files);
});

test('after a long body the connection takes another, and then a short one', async () => {
  const owner = await instance.makeOwner();
  const keepAlive = (...headers: string[]) =>
    head(owner.form.id, FORM_TYPE, ...headers).replace('Connection: close', 'X: y');
  const body = `a=${'x'.repeat(100 * KiB)}`;
  const after = (count: number, request: string) => async (answered: () => string) => {
    while (answered().split('"success":true').length <= count) await Bun.sleep(5);
    return request;
  };
  const long = keepAlive(ofLength(body.length)) + body;
  const last = `${head(owner.form.id, FORM_TYPE, ofLength(3))}a=1`;
  const answers = await (await exchange(instance, long, after(1, long), after(2, last))).text();
  expect(answers.match(/"success":true/g)).toHaveLength(3);
  expect(await kept(instance, owner)).toHaveLength(3);
});

describe('500 connections that drip a byte a second do not keep others out, and are closed:', () => {
  test.concurrent.each<[string, (id: string) => string, number | undefined]>([
    ['in their bodies', (id) => `${head(id, FORM_TYPE, ofLength(1_000))}a=`, 408],
    ['in their heads', (id) => `POST /v1/forms/${id}/submissions HTTP/1.1\r\nHost: localhost\r\nX-Long: `, undefined],
  ])(
    '%s',
    async (_where, start, status) => {
      const dir = temporaryDir();
      const { form } = await household(dir);
      const server = await spawnServer(dir, { BODY_SECONDS: '3' });
      const drips = Array.from({ length: 500 }, () => drip(server, start(form.id), 'x', 1_000));
      await Promise.all(drips.map(({ opened }) => opened));
      const posts = await Promise.all(Array.from({ length: 100 }, () => post(server.url, form.id)));
      expect(posts.filter((answer) => answer.status !== 200)).toEqual([]);
      const answers = await Promise.all(drips.map(({ closed }) => closed));
      expect(new Set(answers.map((answer) => answer?.status))).toEqual(new Set([status]));
      expect((await post(server.url, form.id)).status).toBe(200);
      await server.end();
      rmSync(dir, { recursive: true });
    },
    60_000,
  );
});
