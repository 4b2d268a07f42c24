import { ok, strictEqual } from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import type { Page } from '../../../test/fast/api/support.ts';
import { URLENCODED } from '../../../test/fast/visitor/helpers.ts';
import { type Answer, Connection } from '../connection.ts';
import { envelopeOf } from '../envelope.ts';
import { hostilePost } from '../hostile.ts';
import { mutated } from '../mutations.ts';
import type { Bytes, Choices, Prng } from '../prng.ts';
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

/** Responses of Bun to invalid HTTP/1.1, without envelope and body, before our code runs. */
const BY_BUN = new Set([400, 431, 505]);

export const http: Target = {
  name: 'http',
  about: 'any bytes get a 2xx, 3xx or 4xx response in the documented format, or a bare 400, 431 or 505 from Bun',
  inputs: 35_000,
  concurrency: 16,
  open: async () => {
    const ground = await serverGround(false);
    const sent = new Map<string, Record<string, string>>();
    return {
      check: (prng) => (prng.oneIn(4) ? pipelined(ground, sent, prng) : hostile(ground, prng)),
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
 * Sends valid requests on one connection, split anywhere, and expects responses in order. A post is last, because Bun
 * closes a connection on which a request arrives while another one is pending.
 */
async function pipelined(ground: ServerGround, sent: Map<string, Record<string, string>>, prng: Prng): Promise<string> {
  const count = 1 + prng.below(4);
  const kinds = Array.from({ length: count }, (_, index) =>
    index === count - 1 && prng.oneIn(2) ? 'post' : prng.pick(['health', 'none', 'list', 'head'] as const),
  );
  const requests = kinds.map((kind, index) => {
    const last = index === count - 1 ? 'Connection: close\r\n' : '';
    const host = `Host: localhost\r\n${last}`;
    if (kind === 'health') return `GET /healthz HTTP/1.1\r\n${host}\r\n`;
    if (kind === 'none') return `GET /none${prng.word()} HTTP/1.1\r\n${host}\r\n`;
    if (kind === 'head') return `HEAD /healthz HTTP/1.1\r\n${host}\r\n`;
    if (kind === 'list') return `GET /v1/forms HTTP/1.1\r\n${host}Authorization: Bearer ${ground.key}\r\n\r\n`;
    const fields = { token: prng.word(), a: prng.pick(['', 'x', 'é😀', '%', '&=+', 'GET / HTTP/1.1\r\n\r\n', '\0']) };
    const body = new URLSearchParams(fields).toString();
    sent.set(fields.token, fields);
    const head = `POST /v1/forms/${ground.formId}/submissions HTTP/1.1\r\n${host}Content-Type: ${URLENCODED}\r\n`;
    if (prng.oneIn(2)) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
    const at = prng.below(body.length);
    const chunk = (text: string, more = '') => (text === '' ? '' : `${text.length.toString(16)}${more}\r\n${text}\r\n`);
    return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk(body.slice(0, at), prng.pick(['', ';a=b']))}${chunk(body.slice(at))}0\r\n\r\n`;
  });
  const connection = await Connection.open(ground.url);
  for (const piece of cut(Buffer.from(requests.join('')), prng)) await connection.write(piece);
  const answers = await connection.untilClosed(kinds.map((kind) => kind === 'head'));
  const statuses = kinds.map((kind) => (kind === 'none' ? 404 : 200));
  strictEqual(answers.map(({ status }) => status).join(), statuses.join(), requests.join(''));
  for (const answer of answers) if (answer.status === 404) await envelopeOf(toResponse(answer));
  ground.expect(kinds.filter((kind) => kind === 'post').length);
  return `${count} in a row`;
}

/** Sends mutated requests on a connection that may end at any time, and checks the format of all responses. */
async function hostile(ground: ServerGround, prng: Prng): Promise<string> {
  const post = hostilePost(prng, 40);
  const whole = requestBytes(ground, post, prng);
  const bytes = prng.oneIn(2) ? whole : mutated(whole, prng, 1 + prng.below(2), WORDS);
  const connection = await Connection.open(ground.url);
  for (const piece of cut(bytes, prng)) await connection.write(piece);
  const end = prng.below(8);
  if (end === 0) connection.reset();
  if (end === 1) connection.halfClose();
  const answers = await connection.untilQuiet();
  if (prng.oneIn(20)) strictEqual((await fetch(`${ground.url}/healthz`)).status, 200);
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

function cut(bytes: Bytes, prng: Prng): Bytes[] {
  const cuts = prng.oneIn(3) ? prng.list(4, () => prng.below(bytes.length + 1)).sort((a, b) => a - b) : [];
  return [...cuts, bytes.length].map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end));
}

/** Reads all pages and checks that every accepted post is stored once and unchanged. */
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
