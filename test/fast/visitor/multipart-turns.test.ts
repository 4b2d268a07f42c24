import { expect, test } from 'bun:test';
import { decodeMultipart } from '../../../src/intake/decode/multipart.ts';

const part = (disposition: string, value: string) =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}\r\n`;
const files = { start: async () => {}, write: async () => {}, finish: async () => {} };

/** Decodes a body of these parts and returns the number of turns it takes. */
async function turnsOf(parts: readonly string[]): Promise<number> {
  let turns = 0;
  const nextTurn = async () => void turns++;
  await decodeMultipart([Buffer.from(`${parts.join('')}--b--\r\n`)], 'b', 1024 ** 2, files, { nextTurn });
  return turns;
}

test('long text in many fields takes one turn of its own', async () => {
  expect(await turnsOf(Array.from({ length: 200 }, (_, n) => part(`name="f${n}"`, 'x'.repeat(1_000))))).toBe(1);
});

test('long headers take one turn of their own', async () => {
  expect(await turnsOf(Array.from({ length: 20 }, (_, n) => part(`name="f${n}"; ${'a=b; '.repeat(2_000)}`, 'x')))).toBe(
    1,
  );
});

test('a long file and short text take no turn of their own', async () => {
  expect(await turnsOf([part('name="n"', '1'), part('name="cv"; filename="cv.txt"', 'x'.repeat(900_000))])).toBe(0);
});
