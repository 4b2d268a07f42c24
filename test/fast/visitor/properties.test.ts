import { afterAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Payload } from '../../../src/domain/submissions/submission.ts';
import { type Owner, startInstance } from '../../support/instance.ts';
import { type Field, parseUrlencoded, payloadOf } from './expected.ts';
import {
  BOUNDARY,
  ENCODINGS,
  expectAccepted,
  kept,
  multipart,
  type Sent,
  send,
  textPart,
  URLENCODED,
} from './helpers.ts';
import { exchange, head } from './wire.ts';

const instance = await startInstance();
afterAll(instance.stop);
const deps = await instance.makeOwner();

/** Characters with a meaning in some encoding or language. */
const TRICKY = [
  ...['\r\n', '\r', '\n', '\0', '\t', ' ', '\x1b', '\x7f', '\x85', '\ufeff', '\ufffd', '\u2028', 'é', '名', '😀'],
  ...['%', '%4', '%41', '%zz', '+', '&', '=', '?', '#', ';', '"', "'", '\\', '\\"', '\\u0041', ':', ',', '{', '}'],
  ...['[]', '[', ']', '[0]', '.', '__proto__', 'constructor', 'toJSON', 'filename="x"', 'name=', '--', BOUNDARY],
  `\r\n--${BOUNDARY.slice(0, -1)}`,
];

/** Excludes the boundary, as clients choose one that is not in a part. */
const text = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...TRICKY), maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...TRICKY, 'a', 'b', 'c', '0', '1'), maxLength: 200 }),
  )
  .filter((one) => !one.includes(`\r\n--${BOUNDARY}`));

/** Sequences left out of names: in a part's headers they stand for `"`, CR and LF. */
const AMBIGUOUS = /%(?:22|0D|0A)/;

const name = fc
  .oneof(text, fc.constantFrom('', 'a', 'a[]', '[]', '__proto__', '0', '_charset_'))
  .filter((one) => Buffer.byteLength(one) <= 256 && !AMBIGUOUS.test(one));

/** A small set of names for many fields, so that names repeat, and a last field that is never empty. */
const fields: fc.Arbitrary<Field[]> = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .chain((names) => fc.array(fc.tuple(fc.constantFrom(...names), text), { minLength: 1, maxLength: 8 }))
  .map((sent) => [...sent, ['last', 'x']]);

/** Posts to a new form and returns the stored payload. */
async function keptOf(post: (owner: Owner) => Promise<Response>): Promise<Payload | undefined> {
  const owner = { ...deps, form: await instance.makeForm(deps) };
  await expectAccepted(await post(owner));
  const [payload, ...others] = await kept(instance, owner);
  expect(others).toEqual([]);
  return payload;
}

const keptAs = (sent: Sent) => keptOf((owner) => send(instance, owner, sent));

test('any form is stored unchanged and equal in all three encodings', async () => {
  await fc.assert(
    fc.asyncProperty(fields, async (sent) => {
      const expected = payloadOf(sent);
      for (const [, encode] of ENCODINGS) expect(await keptAs(encode(sent))).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('a lone surrogate is kept in JSON and becomes U+FFFD in the other encodings', async () => {
  const broken = fc.string({
    unit: fc.constantFrom('\ud83d', '\ude00', '😀', 'a', '%', '+'),
    minLength: 1,
    maxLength: 10,
  });
  await fc.assert(
    fc.asyncProperty(broken, async (value) => {
      const form = new FormData();
      form.append('a', value);
      const bodies = [form, new URLSearchParams({ a: value })];
      for (const body of bodies) {
        expect(await keptOf(({ form: { id } }) => instance.post(id, body))).toEqual([['a', value.toWellFormed()]]);
      }
      expect(await keptOf(({ form: { id } }) => instance.post(id, { a: value }))).toEqual([['a', value]]);
    }),
    { numRuns: 25 },
  );
});

/** A value as JSON text and as its expected decoding: a number that a double can't hold becomes a string. */
type Written = Readonly<{ json: string; means: unknown }>;

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });

const number: fc.Arbitrary<Written> = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(
      fc.constant('0'),
      fc.tuple(fc.constantFrom(...'123456789'), digits(0, 20)).map((parts) => parts.join('')),
    ),
    fc.oneof(
      fc.constant(''),
      digits(1, 25).map((fraction) => `.${fraction}`),
    ),
    fc.oneof(
      fc.constant(''),
      fc
        .tuple(fc.constantFrom('e', 'E', 'e+', 'E-', 'e-'), fc.integer({ min: 0, max: 400 }))
        .map((parts) => parts.join('')),
    ),
  )
  .map((parts) => parts.join(''))
  .map((json) => ({ json, means: isExact(json) ? Number(json) + 0 : json }));

/** Returns whether the shortest form of the double is the same decimal number. */
function isExact(json: string): boolean {
  const value = Number(json);
  if (!Number.isFinite(value)) return false;
  const [a, b] = [decimalOf(json), decimalOf(String(value))];
  return a.digits * 10n ** (a.exponent + SHIFT) === b.digits * 10n ** (b.exponent + SHIFT);
}

/** Offset that makes every exponent in these tests positive. */
const SHIFT = 1_000n;

function decimalOf(number: string) {
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: BigInt(exponent) - BigInt(fraction.length) };
}

const blank = fc.string({ unit: fc.constantFrom(' ', '\n', '\r', '\t'), maxLength: 2 });

const { value: json } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc.oneof(
      number,
      text.map((means) => ({ json: JSON.stringify(means), means })),
      fc.constantFrom(true, false, null).map((means) => ({ json: String(means), means })),
    ),
    fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), blank)
      .map(([items, space]) => ({
        json: `[${space}${items.map((item) => item.json).join(`${space},${space}`)}${space}]`,
        means: items.map(({ means }) => means),
      })),
    fc
      .tuple(fc.uniqueArray(fc.tuple(text, tie('value')), { selector: ([own]) => own, maxLength: 4 }), blank)
      .map(([members, space]) => ({
        json: `{${space}${members.map(([own, { json: inner }]) => `${JSON.stringify(own)}${space}:${space}${inner}`).join(`${space},`)}${space}}`,
        means: Object.fromEntries(members.map(([own, { means }]) => [own, means])),
      })),
  ),
}));

test('any JSON value is stored unchanged, and a number beyond a double as a string', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 5 }), blank, async (values, space) => {
      const members = values.map((value, index) => `"${index}x"${space}:${space}${value.json}${space}`);
      const payload = await keptAs({
        type: 'application/json',
        body: `${space}{${space}${['"n":1', ...members].join()}}${space}`,
      });
      const expected = [['n', 1], ...values.map(({ means }, index) => [`${index}x`, means])];
      expect(JSON.stringify(payload)).toBe(JSON.stringify(expected));
    }),
    { numRuns: 120 },
  );
});

test('invalid JSON is never accepted', async () => {
  const soup = fc.string({
    unit: fc.constantFrom(
      ...'{}[],:"\\ \n-+.e019',
      '"a"',
      '"a":',
      '{"a":',
      'true',
      'null',
      '1e400',
      '12345678901234567890',
      '\ufeff',
      '\u00a0',
    ),
    maxLength: 20,
  });
  const owner = await instance.makeOwner();
  await fc.assert(
    fc.asyncProperty(soup, fc.boolean(), async (inner, isWrapped) => {
      const body = isWrapped ? `{"a":${inner}}` : inner;
      const response = await send(instance, owner, { type: 'application/json', body });
      const { code } = (await response.json()) as { code?: string };
      // An object without any value is refused too, but not as unreadable.
      expect(code === 'unreadable_body').toBe(body !== '' && !isJsonObject(body));
    }),
    { numRuns: 400 },
  );
});

/** Returns whether the text is a JSON object, optionally after a byte order mark. */
function isJsonObject(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body.replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' && !Array.isArray(value);
  } catch {
    return false;
  }
}

test('any bytes are decoded as urlencoded by the WHATWG standard, except partly escaped characters', async () => {
  const marks = ['+', '&', '=', '?', 'é', '\ufeff', 'a'];
  const escapes = ['%', '%4', '%zz', '%41', '%C3', '%A9', '%ED%A0%80', '%ef%bb%bf', '%00', '%26', '%3d', '%2B', '%25'];
  const among = (bits: string[]) => fc.constantFrom(...bits).map((bit) => Buffer.from(bit));
  const raw = fc.uint8Array({ maxLength: 4 }).filter((bytes) => !bytes.includes(0x25));
  const body = fc
    .oneof(fc.array(among([...marks, ...escapes])), fc.array(fc.oneof(raw, among(marks))))
    .map((pieces) => Buffer.concat([Buffer.from('first=1&'), ...pieces]));
  await fc.assert(
    fc.asyncProperty(body, async (bytes) => {
      expect(await keptAs({ type: URLENCODED, body: bytes })).toEqual(payloadOf(parseUrlencoded(bytes)));
    }),
    { numRuns: 120 },
  );
});

test('a multipart body is decoded the same wherever it is split', async () => {
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fields, cuts, async (sent, places) => {
      const { type, body } = multipart(sent.map(([own, value]) => textPart(own, value)));
      const pieces = cut(Buffer.from(body), places);
      const post = (id: string, header: string, ...rest: Buffer[]) =>
        exchange(instance, head(id, `Content-Type: ${type}`, header), ...rest);
      const length = `Content-Length: ${Buffer.byteLength(body)}`;
      const expected = payloadOf(sent);
      expect(await keptOf(({ form: { id } }) => post(id, length, ...pieces))).toEqual(expected);
      const chunks = [...pieces.map(chunk), Buffer.from('0\r\n\r\n')];
      expect(await keptOf(({ form: { id } }) => post(id, 'Transfer-Encoding: chunked', ...chunks))).toEqual(expected);
      const together = Buffer.concat(chunks);
      expect(await keptOf(({ form: { id } }) => post(id, 'Transfer-Encoding: chunked', together))).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

function cut(body: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...places.map((place) => Math.floor(place * body.length)), body.length].sort((a, b) => a - b);
  return ends.map((end, index) => body.subarray(ends[index - 1] ?? 0, end)).filter(({ length }) => length > 0);
}

function chunk(piece: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);
}
