import { deepStrictEqual, ok } from 'node:assert/strict';
import { entryName } from '../../../src/domain/backup.ts';
import { readTar, TarError, writeTar } from '../../../src/lib/tar.ts';
import { mutated } from '../mutations.ts';
import type { Bytes, Choices, Prng } from '../prng.ts';
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
  about: 'an archive is read unchanged however it is split, or refused',
  inputs: 250_000,
  open: () => ({ check }),
};

async function check(prng: Prng): Promise<string> {
  const files: Found = prng.list(3, () => [
    prng.pick(PATHS),
    prng.bytes(prng.pick([0, 1, 511, 512, 513, prng.below(2_000)])).toString('latin1'),
  ]);
  const whole = await written(files);
  const kind = prng.below(4);
  if (kind === 0) {
    deepStrictEqual(await read(whole, prng), files);
    return 'as it was written';
  }
  const bytes = kind === 1 ? mutated(whole, prng, 1 + prng.below(2), WORDS) : withOddHeader(whole, prng);
  const found = await read(bytes, prng);
  if (found === null) return 'refused';
  let length = 0;
  for (const [path, content] of found) {
    length += BLOCK + content.length;
    const name = entryName(path);
    ok(name === null || !/\.\.|^\/|\0/.test(name), `it would be written to ${name}`);
  }
  ok(length <= bytes.length, 'more was read than there is');
  deepStrictEqual(await read(bytes, prng), found, 'in other pieces it gives something else');
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

/** Changes one field of the first header and corrects the checksum, so that only its meaning is wrong. */
function withOddHeader(whole: Bytes, prng: Prng): Bytes {
  const bytes = Buffer.from(whole);
  const header = bytes.subarray(0, BLOCK);
  if (prng.oneIn(2)) header.write(prng.pick(SIZES), 124, 'latin1');
  else prng.bytes(1 + prng.below(12)).copy(header, prng.pick([0, 100, 124, 156, 257, 345]) + prng.below(8));
  header.fill(' ', 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** Returns the entries; null if the archive is refused. */
async function read(bytes: Bytes, prng: Prng): Promise<Found | null> {
  const found: Array<readonly [string, string]> = [];
  const length = prng.pick([1 + prng.below(600), 512, 100_000]);
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
