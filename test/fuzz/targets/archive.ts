import { deepStrictEqual, ok } from 'node:assert/strict';
import { entryName } from '../../../src/domain/backup.ts';
import { readTar, TarError, writeTar } from '../../../src/lib/tar.ts';
import { damaged } from '../accidents.ts';
import type { Bytes, Choices, Dice } from '../dice.ts';
import type { Target } from '../target.ts';

const BLOCK = 512;
const PATHS: Choices<string> = [
  'manifest.json',
  'b/formstead.db',
  `b/files/${'a'.repeat(32)}`,
  '../x',
  '/etc/passwd',
  'é',
  'x'.repeat(100),
];
const WORDS: Choices<string> = [
  'ustar\0',
  '\0'.repeat(BLOCK),
  '0000777\0',
  '77777777777\0',
  '5',
  'L',
  'x',
  '-1',
  '\x80',
];
const SIZES: Choices<string> = [
  '-0000000001\0',
  '77777777777\0',
  '9\0',
  'x\0',
  '\xff'.repeat(12),
  '\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff',
  '  12 \0',
  '1e3\0',
  '0x10\0',
  '12 34\0',
  '',
];

type Found = ReadonlyArray<readonly [path: string, content: string]>;

export const archive: Target = {
  name: 'tar',
  about: 'an archive is read as it was written, however it is cut, or refused; what is read is in it',
  inputs: 250_000,
  open: () => ({ check }),
};

async function check(dice: Dice): Promise<string> {
  const files: Found = dice.list(3, () => [
    dice.pick(PATHS),
    dice.bytes(dice.pick([0, 1, 511, 512, 513, dice.below(2_000)])).toString('latin1'),
  ]);
  const whole = await written(files);
  const kind = dice.below(4);
  if (kind === 0) {
    deepStrictEqual(await read(whole, dice), files);
    return 'as it was written';
  }
  const bytes = kind === 1 ? damaged(whole, dice, 1 + dice.below(2), WORDS) : withOddHeader(whole, dice);
  const found = await read(bytes, dice);
  if (found === null) return 'refused';
  let length = 0;
  for (const [path, content] of found) {
    length += BLOCK + content.length;
    const name = entryName(path);
    ok(name === null || !/\.\.|^\/|\0/.test(name), `it would be written to ${name}`);
  }
  ok(length <= bytes.length, 'more was read than there is');
  deepStrictEqual(await read(bytes, dice), found, 'in other pieces it gives something else');
  return 'something else';
}

async function written(files: Found): Promise<Bytes> {
  const list = async function* () {
    for (const [path, content] of files) {
      const bytes = Buffer.from(content, 'latin1');
      yield { path, size: bytes.length, bytes: once(bytes) };
    }
  };
  return Buffer.concat(await Array.fromAsync(writeTar(list())));
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** One field of the first header is something else, and the checksum is right again: nothing but its meaning tells. */
function withOddHeader(whole: Bytes, dice: Dice): Bytes {
  const bytes = Buffer.from(whole);
  const header = bytes.subarray(0, BLOCK);
  if (dice.once(2)) header.write(dice.pick(SIZES), 124, 'latin1');
  else dice.bytes(1 + dice.below(12)).copy(header, dice.pick([0, 100, 124, 156, 257, 345]) + dice.below(8));
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** Null for what is refused. */
async function read(bytes: Bytes, dice: Dice): Promise<Found | null> {
  const found: Array<readonly [string, string]> = [];
  const length = dice.pick([1 + dice.below(600), 512, 100_000]);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  };
  try {
    for await (const { path, size, bytes: content } of readTar(pieces())) {
      const read = Buffer.concat(await Array.fromAsync(content));
      ok(read.length === size, `of ${size} bytes ${read.length} came`);
      found.push([path, read.toString('latin1')]);
    }
    return found;
  } catch (error) {
    if (error instanceof TarError) return null;
    throw error;
  }
}
