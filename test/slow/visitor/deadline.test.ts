import { afterAll, describe, expect, test } from 'bun:test';
import { drip } from '../../fast/visitor/drip.ts';
import { blobNames, fileHead } from '../../fast/visitor/files.ts';
import {
  BOUNDARY,
  expectAccepted,
  expectNothingKept,
  expectRefused,
  kept,
  URLENCODED,
} from '../../fast/visitor/helpers.ts';
import { breakOff, chunked, exchange, head } from '../../fast/visitor/wire.ts';
import { startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';

const KiB = 1024;
const FORM_TYPE = `Content-Type: ${URLENCODED}`;
const MULTIPART_TYPE = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const FILE_START = `--${BOUNDARY}\r\n${fileHead('cv', 'cv.bin')}${'x'.repeat(2 * KiB)}`;
const END = `\r\n--${BOUNDARY}--\r\n`;
const CHUNKED = 'Transfer-Encoding: chunked';
const ofLength = (bytes: number) => `Content-Length: ${bytes}`;
const chunk = (text: string) => chunked(text).replace(/0\r\n\r\n$/, '');

const instance = await startInstance({ config: { bodySeconds: 0.2 } });
afterAll(instance.stop);

async function answerTo(start: string, piece: string): Promise<Response> {
  const answer = await drip(instance, start, piece, 20).closed;
  if (!answer) throw new Error('the connection was closed without an answer');
  return answer;
}

describe('a slow body is cut off with a response, and nothing is stored:', () => {
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
  ])('%s', async (_what, headers, start, piece) => {
    const owner = await instance.makeOwner();
    const whole = head(owner.form.id, ...headers).replace('Connection: close\r\n', '') + start;
    const answer = await answerTo(whole, piece);
    expect(answer.headers.get('connection')).toBe('close');
    await expectRefused(answer, 408, 'body_too_slow');
    await expectNothingKept(instance, owner);
  });

  test('and no file remains', () => {
    expect(blobNames(instance)).toEqual([]);
  });

  test('as a page, the refusal is in the language of the visitor', async () => {
    const { form } = await instance.makeOwner();
    const headers = [FORM_TYPE, ofLength(1_000), 'Accept: text/html', 'Accept-Language: de'];
    const answer = await answerTo(head(form.id, ...headers), 'x');
    expect(answer.status).toBe(408);
    expect(await answer.text()).toContain('Das Senden Ihrer Nachricht hat zu lange gedauert.');
  });
});

/** Waits until a slow body that starts now has passed its deadline. */
async function passDeadline(): Promise<void> {
  const { form } = await instance.makeOwner();
  const answer = await answerTo(`${head(form.id, FORM_TYPE, ofLength(1_000))}a=`, 'x');
  expect(answer.status).toBe(408);
}

describe('a body that takes longer than BODY_SECONDS is accepted, because each 32 KiB extend the deadline by a second:', () => {
  const value = 'x'.repeat(250 * KiB);
  const form = `a=${value}&b=${value}&c=${value}`;
  const file = FILE_START + 'x'.repeat(2_000 * KiB);
  const lengthOf = (...pieces: string[]) => ofLength(pieces.join('').length);

  test.concurrent.each<[string, string[], string, string]>([
    ['of declared length', [FORM_TYPE, lengthOf(form, '&d=1')], form, '&d=1'],
    ['of no declared length', [FORM_TYPE, CHUNKED], chunk(form), chunked('&d=1')],
    ['a file of declared length', [MULTIPART_TYPE, lengthOf(file, END)], file, END],
    ['a file of no declared length', [MULTIPART_TYPE, CHUNKED], chunk(file), chunked(END)],
  ])('%s', async (_what, headers, most, rest) => {
    const owner = await instance.makeOwner();
    const later = () => passDeadline().then(() => rest);
    await expectAccepted(await exchange(instance, head(owner.form.id, ...headers), most, later));
    expect(await kept(instance, owner)).toHaveLength(1);
  });
});

test.each([
  ['of declared length', ofLength(5_000 * KiB), FILE_START],
  ['of no declared length', CHUNKED, chunk(FILE_START)],
])('a disconnect during a file upload %s is noticed, and nothing remains', async (_what, header, body) => {
  const owner = await instance.makeOwner();
  const files = blobNames(instance);
  await breakOff(instance, head(owner.form.id, MULTIPART_TYPE, header) + body);
  await expectNothingKept(instance, owner);
  expect(blobNames(instance)).toEqual(files);
});

test('a connection accepts another long body after a long one, and then a short one', async () => {
  const owner = await instance.makeOwner();
  const keepAlive = (...headers: string[]) =>
    head(owner.form.id, FORM_TYPE, ...headers).replace('Connection: close', 'X: y');
  const body = `a=${'x'.repeat(100 * KiB)}`;
  const after = (count: number, request: string) => async (answered: () => string) => {
    await until(() => answered().split('"success":true').length > count, 'the answer to the body before');
    return request;
  };
  const long = keepAlive(ofLength(body.length)) + body;
  const last = `${head(owner.form.id, FORM_TYPE, ofLength(3))}a=1`;
  const answers = await (await exchange(instance, long, after(1, long), after(2, last))).text();
  expect(answers.match(/"success":true/g)).toHaveLength(3);
  expect(await kept(instance, owner)).toHaveLength(3);
});
