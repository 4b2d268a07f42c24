import { ok, strictEqual } from 'node:assert/strict';
import { ENCODINGS } from '../../../test/fast/visitor/helpers.ts';
import { exchange } from '../../../test/fast/visitor/wire.ts';
import { envelopeOf } from '../envelope.ts';
import { mutated } from '../mutations.ts';
import type { Bytes, Choices, Prng } from '../prng.ts';
import { serverGround } from '../server-ground.ts';
import type { Target } from '../target.ts';

const WORDS: Choices<string> = [
  '\0',
  '\t',
  ' ',
  '"',
  '\\',
  ',',
  'é',
  '\x7f',
  'x'.repeat(250),
  'x'.repeat(9_000),
  '%00',
  "' OR 1=1",
];

export const idempotency: Target = {
  name: 'idempotency',
  about: 'a key is refused, or stores one post for any number of repeats in any encoding, and no other content',
  inputs: 20_000,
  concurrency: 8,
  open: async () => {
    const ground = await serverGround();
    const path = `/v1/forms/${ground.formId}/submissions`;
    const post = async (key: Bytes, fields: ReadonlyArray<readonly [string, string]>, prng: Prng) => {
      const [, encode] = ENCODINGS[prng.below(ENCODINGS.length)] ?? [];
      const { type, body } = encode?.(fields) ?? { type: '', body: '' };
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
      return exchange(
        ground,
        Buffer.concat([Buffer.from(`${head}Idempotency-Key: `), key, Buffer.from('\r\n\r\n'), Buffer.from(body)]),
      );
    };
    return {
      check: async (prng) => {
        // Each input has its own key, with a unique suffix.
        const key = Buffer.concat([
          mutated(Buffer.from(prng.pick(['k', 'a-b', '"q"', 'é'])), prng, prng.below(3), WORDS),
          Buffer.from(prng.word()),
        ]);
        const text = key.toString('latin1');
        if (/[\r\n\0]/.test(text)) return 'no header';
        const value = text.replace(/^[\t ]+|[\t ]+$/g, '');
        const fields = [
          ['a', prng.word()],
          ['b', prng.pick(['', 'x', '1'])],
        ] as const;
        const first = await post(key, fields, prng);
        if (first.status !== 200) {
          // Bun refuses headers over 16 KiB.
          strictEqual(first.status, text.length > 16_000 ? 431 : 400);
          ok(!/^[\x20-\x7e]{1,255}$/.test(value), `${JSON.stringify(text)} was refused`);
          if (first.headers.has('content-type')) await envelopeOf(first);
          return 'refused';
        }
        ground.expect(1);
        ok(/^[\x20-\x7e]{1,255}$/.test(value), `${JSON.stringify(text)} was taken`);
        strictEqual((await post(key, fields, prng)).status, 200);
        const other = await post(key, [...fields, ['c', prng.word()]], prng);
        strictEqual(other.status, 422);
        await envelopeOf(other);
        return 'kept once';
      },
      close: ground.close,
    };
  },
};
