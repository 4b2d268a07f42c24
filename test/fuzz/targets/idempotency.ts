import { ok, strictEqual } from 'node:assert/strict';
import { ENCODINGS } from '../../fast/submit/helpers.ts';
import { exchange } from '../../fast/submit/wire.ts';
import { damaged } from '../accidents.ts';
import type { Bytes, Choices, Dice } from '../dice.ts';
import { envelopeOf } from '../envelope.ts';
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
  about: 'a key is refused, or keeps one post however often it comes in whichever encoding, and no other content',
  inputs: 20_000,
  atOnce: 8,
  open: async () => {
    const ground = await serverGround();
    const path = `/v1/forms/${ground.formId}/submissions`;
    const post = async (key: Bytes, fields: ReadonlyArray<readonly [string, string]>, dice: Dice) => {
      const [, encode] = ENCODINGS[dice.below(ENCODINGS.length)] ?? [];
      const { type, body } = encode?.(fields) ?? { type: '', body: '' };
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
      return exchange(
        ground,
        Buffer.concat([Buffer.from(`${head}Idempotency-Key: `), key, Buffer.from('\r\n\r\n'), Buffer.from(body)]),
      );
    };
    return {
      check: async (dice) => {
        // Every input has a key of its own: what stands behind it is the same for no two of them.
        const key = Buffer.concat([
          damaged(Buffer.from(dice.pick(['k', 'a-b', '"q"', 'é'])), dice, dice.below(3), WORDS),
          Buffer.from(dice.word()),
        ]);
        const text = key.toString('latin1');
        if (/[\r\n\0]/.test(text)) return 'no header';
        const value = text.replace(/^[\t ]+|[\t ]+$/g, '');
        const fields = [
          ['a', dice.word()],
          ['b', dice.pick(['', 'x', '1'])],
        ] as const;
        const first = await post(key, fields, dice);
        if (first.status !== 200) {
          // Bun itself takes no head of more than 16 KiB.
          strictEqual(first.status, text.length > 16_000 ? 431 : 400);
          ok(!/^[\x20-\x7e]{1,255}$/.test(value), `${JSON.stringify(text)} was refused`);
          if (first.headers.has('content-type')) await envelopeOf(first);
          return 'refused';
        }
        ground.expect(1);
        ok(/^[\x20-\x7e]{1,255}$/.test(value), `${JSON.stringify(text)} was taken`);
        strictEqual((await post(key, fields, dice)).status, 200);
        const other = await post(key, [...fields, ['c', dice.word()]], dice);
        strictEqual(other.status, 422);
        await envelopeOf(other);
        return 'kept once';
      },
      close: ground.close,
    };
  },
};
