import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { AppError } from '../../../src/domain/errors.ts';
import { type Payload, type PayloadValue, SUBMISSION_LIMITS } from '../../../src/domain/submissions/submission.ts';
import { decodeBody } from '../../../src/intake/decode/body.ts';
import type { FileSink } from '../../../src/intake/decode/multipart.ts';
import { lossyUtf8 } from '../../../src/intake/decode/utf8.ts';
import { type Field, parseUrlencoded, payloadOf } from '../../../test/fast/visitor/expected.ts';
import { BOUNDARY, ENCODINGS, type Sent, URLENCODED } from '../../../test/fast/visitor/helpers.ts';
import { hostilePost, NAMES, VALUES } from '../hostile.ts';
import type { Bytes, Prng } from '../prng.ts';
import type { Target } from '../target.ts';

const POST_LIMITS = { textBytes: 1024 * 1024, uploadBytes: 4 * 1024 * 1024, seconds: 30, reserve: () => {} };

/** Result of decoding: a payload with its files, or the code of a refusal. */
type Decoded = Readonly<{ payload: Payload; files: readonly string[] }> | Readonly<{ refused: string }>;

export const decoder: Target = {
  name: 'decoder',
  about: 'a body is refused with a reason or decoded by its standard, however it is split',
  inputs: 60_000,
  open: () => ({ check: (prng) => (prng.oneIn(3) ? checkWellFormed(prng) : checkHostile(prng)) }),
};

async function checkWellFormed(prng: Prng): Promise<string> {
  const fields = prng.list(8, (): Field => [prng.pick(NAMES), prng.list(3, () => prng.pick(VALUES)).join('')]);
  const [encoding, encode] = ENCODINGS[prng.below(ENCODINGS.length)] ?? [];
  if (!encode || fields.length === 0) return 'nothing';
  // Clients choose a boundary that is not in a part, and `%22` stands for a quote in its name.
  const isMultipart = encoding === 'multipart';
  if (
    isMultipart &&
    fields.some(([name, value]) => name.includes('%22') || `\r\n${value}`.includes(`\r\n--${BOUNDARY}`))
  )
    return 'ambiguous';
  const sent = encode(fields);
  const decoded = await decode(sent, [Buffer.from(sent.body)], prng.oneIn(2));
  const kept = encoding === 'JSON' ? fields : fields.map(([name, value]): Field => [name, value.toWellFormed()]);
  deepStrictEqual(decoded, { payload: payloadOf(kept), files: [] });
  return `${encoding}: read as it was sent`;
}

async function checkHostile(prng: Prng): Promise<string> {
  const { headers, body } = hostilePost(prng, 40);
  const type = headers['Content-Type'] ?? '';
  if ('Content-Encoding' in headers) return 'encoded';
  const decoded = await decode({ type, body }, [body], true);
  const cuts = prng.list(6, () => prng.below(body.length + 1)).sort((a, b) => a - b);
  const pieces = [...cuts, body.length].map((end, index) => body.subarray(cuts[index - 1] ?? 0, end));
  deepStrictEqual(await decode({ type, body }, pieces, false), decoded, 'in pieces it gives something else');
  if (type === URLENCODED && body.length > 0) checkUrlencoded(body, decoded);
  if (type === 'application/json' && body.length > 0) checkJson(body, decoded);
  if ('refused' in decoded) return decoded.refused;
  for (const [name, value] of decoded.payload) {
    ok(Buffer.byteLength(name) <= SUBMISSION_LIMITS.nameBytes, 'a name is too long');
    ok(depthOf(value) < SUBMISSION_LIMITS.jsonDepth, 'a value is too deep');
  }
  strictEqual(new Set(decoded.payload.map(([name]) => name)).size, decoded.payload.length, 'a name is there twice');
  return 'read';
}

async function decode({ type }: Sent, pieces: readonly Bytes[], isDeclared: boolean): Promise<Decoded> {
  const sink = new Files();
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const headers = { 'Content-Type': type, ...(isDeclared && { 'Content-Length': String(length) }) };
  const body = pieces.length === 1 ? pieces[0] : streamOf(pieces);
  const request = new Request('http://localhost/', { method: 'POST', headers, body: body ?? null });
  try {
    return { payload: await decodeBody(request, POST_LIMITS, sink), files: sink.files };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    ok(error.status >= 400 && error.status < 500, `refused with ${error.status}`);
    return { refused: error.code };
  }
}

function streamOf(pieces: readonly Bytes[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start: (controller) => {
      for (const piece of pieces) if (piece.length > 0) controller.enqueue(new Uint8Array(piece));
      controller.close();
    },
  });
}

/** Sink that records each file as a line with its metadata. */
class Files implements FileSink {
  readonly files: string[] = [];
  #head = '';
  #hash = new Bun.CryptoHasher('sha256');

  async start(part: Parameters<FileSink['start']>[0]): Promise<void> {
    this.#head = JSON.stringify(part);
    this.#hash = new Bun.CryptoHasher('sha256');
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#hash.update(bytes);
  }

  async finish(): Promise<void> {
    this.files.push(`${this.#head} ${this.#hash.digest('hex')}`);
  }
}

function checkUrlencoded(body: Bytes, decoded: Decoded): void {
  // Known difference: a partly escaped character is decoded as two damaged ones.
  if (body.includes('%') && lossyUtf8(body).includes('\ufffd')) return;
  if ('payload' in decoded) deepStrictEqual(decoded.payload, payloadOf(parseUrlencoded(body)));
  else ok(/^(?:too_many_fields|name_too_long|value_too_long|body_too_large)$/.test(decoded.refused), decoded.refused);
}

/** Checks that the payload equals the result of `JSON.parse`, except numbers that a double can't hold. */
function checkJson(body: Bytes, decoded: Decoded): void {
  const value = parsed(body);
  const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
  if ('refused' in decoded) {
    if (decoded.refused === 'unreadable_body') ok(!isObject, 'a JSON object is called unreadable');
    return;
  }
  ok(isObject, 'what is no JSON object was read');
  const members = new Map(Object.entries(value));
  for (const [name, kept] of decoded.payload) {
    if (members.has(`${name}[]`) || isRepeated(body, name)) continue;
    ok(members.has(name), `there is no member ${JSON.stringify(name)}`);
    ok(isSame(kept, members.get(name)), `the member ${JSON.stringify(name)} was changed`);
  }
}

function parsed(body: Bytes): PayloadValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return null;
  }
}

/** Removes repeated names, of which `JSON.parse` keeps the last member only. */
function isRepeated(body: Bytes, name: string): boolean {
  return body.toString().split(JSON.stringify(name)).length > 2;
}

function isSame(kept: PayloadValue, value: unknown): boolean {
  if (typeof value === 'number') return kept === value || (typeof kept === 'string' && Number(kept) === value);
  if (typeof value !== 'object' || value === null) return kept === value;
  if (typeof kept !== 'object' || kept === null) return false;
  const [ours, theirs] = [Object.entries(kept), Object.entries(value)];
  return (
    ours.length === theirs.length &&
    ours.every(([name, one], at) => name === theirs[at]?.[0] && isSame(one, theirs[at]?.[1]))
  );
}

function depthOf(value: PayloadValue): number {
  if (value === null || typeof value !== 'object') return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
