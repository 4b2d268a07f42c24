import { ok, strictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Page } from '../../fast/api/support.ts';
import { URLENCODED } from '../../fast/submit/helpers.ts';
import { damaged } from '../accidents.ts';
import { type Answer, Connection } from '../connection.ts';
import type { Bytes, Choices, Dice } from '../dice.ts';
import { envelopeOf } from '../envelope.ts';
import { hostilePost } from '../hostile.ts';
import { requestBytes } from '../requests.ts';
import { type ServerGround, serverGround } from '../server-ground.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  ...([
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    ' ',
    '\t',
    ':',
    'HTTP/1.1',
    'HTTP/1.0',
    'HTTP/9.9',
    'GET ',
    'POST / ',
  ] as const),
  ...([
    '\r\nContent-Length: 5',
    '\r\nContent-Length: -1',
    '\r\nTransfer-Encoding: chunked',
    '\r\n folded',
    '\r\nHost: x',
  ] as const),
  ...([
    '%00',
    '%2e%2e/',
    '%zz',
    '//',
    '?',
    '#',
    '\xff',
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    'x'.repeat(20_000),
  ] as const),
];

/** What Bun says by itself of what it does not take for HTTP/1.1, before any of our code runs: no envelope, no body. */
const BY_BUN = new Set([400, 431, 505]);

export const http: Target = {
  name: 'http',
  about:
    'whatever comes over a connection is answered with 2xx, 3xx or 4xx in our envelope, or by Bun with a bare 400, 431 or 505',
  inputs: 35_000,
  atOnce: 16,
  open: async () => {
    const ground = await serverGround(false);
    const sent = new Map<string, Record<string, string>>();
    return {
      check: (dice) => (dice.once(4) ? pipelined(ground, sent, dice) : hostile(ground, dice)),
      close: async () => {
        await requireEqual(ground, sent);
        return [
          ...(await ground.close()),
          `${sent.size.toLocaleString('en')} well-formed posts were read back, equal.`,
        ];
      },
    };
  },
};

/**
 * Well-formed requests on one connection, cut anywhere: as many answers in the same order. A post comes last, because Bun
 * closes a connection on which a request comes in while another waits for its answer.
 */
async function pipelined(ground: ServerGround, sent: Map<string, Record<string, string>>, dice: Dice): Promise<string> {
  const count = 1 + dice.below(4);
  const kinds = Array.from({ length: count }, (_, index) =>
    index === count - 1 && dice.once(2) ? 'post' : dice.pick(['health', 'none', 'list', 'head'] as const),
  );
  const requests = kinds.map((kind, index) => {
    const last = index === count - 1 ? 'Connection: close\r\n' : '';
    const host = `Host: localhost\r\n${last}`;
    if (kind === 'health') return `GET /healthz HTTP/1.1\r\n${host}\r\n`;
    if (kind === 'none') return `GET /none${dice.word()} HTTP/1.1\r\n${host}\r\n`;
    if (kind === 'head') return `HEAD /healthz HTTP/1.1\r\n${host}\r\n`;
    if (kind === 'list') return `GET /v1/forms HTTP/1.1\r\n${host}Authorization: Bearer ${ground.key}\r\n\r\n`;
    const fields = { token: dice.word(), a: dice.pick(['', 'x', 'é😀', '%', '&=+', 'GET / HTTP/1.1\r\n\r\n', '\0']) };
    const body = new URLSearchParams(fields).toString();
    sent.set(fields.token, fields);
    const head = `POST /v1/forms/${ground.formId}/submissions HTTP/1.1\r\n${host}Content-Type: ${URLENCODED}\r\n`;
    if (dice.once(2)) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
    const at = dice.below(body.length);
    const chunk = (text: string, more = '') => (text === '' ? '' : `${text.length.toString(16)}${more}\r\n${text}\r\n`);
    return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(body.slice(0, at), dice.pick(['', ';a=b']))}${chunk(body.slice(at))}0\r\n\r\n`;
  });
  const connection = await Connection.open(ground.url);
  for (const piece of cut(Buffer.from(requests.join('')), dice)) await connection.write(piece);
  const answers = await connection.untilClosed(kinds.map((kind) => kind === 'head'));
  const statuses = kinds.map((kind) => (kind === 'none' ? 404 : 200));
  strictEqual(answers.map(({ status }) => status).join(), statuses.join(), requests.join(''));
  for (const answer of answers) if (answer.status === 404) await envelopeOf(toResponse(answer));
  ground.expect(kinds.filter((kind) => kind === 'post').length);
  return `${count} in a row`;
}

/** Anything, on a connection that may end at any moment: what does come is fit to be seen. */
async function hostile(ground: ServerGround, dice: Dice): Promise<string> {
  const post = hostilePost(dice, 40);
  const whole = requestBytes(ground, post, dice);
  const bytes = dice.once(2) ? whole : damaged(whole, dice, 1 + dice.below(2), WORDS);
  const connection = await Connection.open(ground.url);
  for (const piece of cut(bytes, dice)) await connection.write(piece);
  const end = dice.below(8);
  if (end === 0) connection.reset();
  if (end === 1) connection.halfClose();
  const answers = await connection.untilQuiet();
  if (dice.once(20)) strictEqual((await fetch(`${ground.url}/healthz`)).status, 200);
  const words = await Promise.all(answers.map(judge));
  return words[0] ?? 'no answer';
}

async function judge(answer: Answer): Promise<string> {
  const { status, body, headers } = answer;
  if (status === 100) return 'told to go on';
  const isBare = BY_BUN.has(status) && !headers.has('content-type');
  ok((status >= 200 && status < 500) || isBare, `answered with ${status}: ${body.toString('latin1', 0, 300)}`);
  if (status < 400) return `${status}`;
  if (!headers.has('content-type')) {
    ok(isBare || answer.isBodiless, `a bare ${status}`);
    strictEqual(answer.isBodiless ? 0 : body.length, 0, `a bare ${status} with ${body.toString('latin1', 0, 300)}`);
    return answer.isBodiless ? `${status}` : `${status} by Bun`;
  }
  if (answer.isBodiless) return `${status}`;
  await envelopeOf(toResponse(answer));
  return `${status}`;
}

function toResponse({ status, headers, body }: Answer): Response {
  const isPacked = headers.get('content-encoding') === 'gzip';
  return new Response(new Uint8Array(isPacked ? gunzipSync(body) : body), { status, headers });
}

function cut(bytes: Bytes, dice: Dice): Bytes[] {
  const cuts = dice.once(3) ? dice.list(4, () => dice.below(bytes.length + 1)).sort((a, b) => a - b) : [];
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

/** Reads all pages: every post that was answered with yes is there, once, as it was sent. */
async function requireEqual(
  { read, formId }: ServerGround,
  sent: ReadonlyMap<string, Record<string, string>>,
): Promise<void> {
  const found = new Map<string, unknown>();
  for (let before = ''; ; ) {
    const { data } = (await (await read(`/v1/forms/${formId}/submissions?limit=100${before}`)).json()) as {
      data: Page;
    };
    for (const { data: fields } of data.items) {
      const token = String(fields?.token);
      ok(!found.has(token) || !sent.has(token), `the post ${token} is there twice`);
      found.set(token, fields);
    }
    if (data.next_cursor === null) break;
    before = `&before=${data.next_cursor}`;
  }
  const missing = [...sent].filter(([token, fields]) => !isDeepStrictEqual(found.get(token), fields));
  strictEqual(
    missing.length,
    0,
    `${missing.length} posts are not there as they were sent: ${JSON.stringify(missing[0])}`,
  );
}
