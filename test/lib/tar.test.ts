import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { piecesOf } from '../../src/lib/pieces.ts';
import { readTar, TarError, type TarFile, writeTar } from '../../src/lib/tar.ts';
import { noise } from '../submit/files.ts';
import { temporaryDir } from '../support/instance.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

const SIZES = [0, 1, 511, 512, 513, 70_000];
const CONTENTS = new Map(SIZES.map((size) => [`folder/file-${size}`, noise(size)]));

async function* pieces(bytes: Uint8Array, length = 1_000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function* files(): AsyncGenerator<TarFile> {
  for (const [path, bytes] of CONTENTS) yield { path, size: bytes.length, bytes: pieces(bytes) };
}

async function read(stream: AsyncIterable<Uint8Array>): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  for await (const { path, bytes } of readTar(stream)) {
    found.set(path, new Uint8Array(Buffer.concat(await Array.fromAsync(bytes))));
  }
  return found;
}

async function written(): Promise<Uint8Array> {
  return Buffer.concat(await Array.fromAsync(writeTar(files())));
}

function tar(...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['tar', ...args], { cwd: dir });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString();
}

test('what is written can be read, in pieces of any length', async () => {
  const archive = await written();
  for (const length of [1, 511, 512, 100_000]) expect(await read(pieces(archive, length))).toEqual(CONTENTS);
});

test('tar unpacks what is written', async () => {
  writeFileSync(join(dir, 'ours.tar'), await written());
  tar('xf', 'ours.tar');
  for (const [path, bytes] of CONTENTS) expect(new Uint8Array(readFileSync(join(dir, path)))).toEqual(bytes);
});

test.each(['ustar', 'gnu', 'pax'])('what tar packs as %s can be read, folders left out', async (format) => {
  mkdirSync(join(dir, 'folder'), { recursive: true });
  for (const [path, bytes] of CONTENTS) writeFileSync(join(dir, path), bytes);
  tar('cf', 'theirs.tar', `--format=${format}`, 'folder');
  const found = await read(piecesOf(join(dir, 'theirs.tar')));
  expect([...found].sort()).toEqual([...CONTENTS].sort());
});

test('a file of more than eight gigabytes has its size', async () => {
  const size = 9 * 2 ** 30;
  const [header = new Uint8Array()] = await Array.fromAsync(firstOf({ path: 'large', size, bytes: pieces(noise(0)) }));
  writeFileSync(join(dir, 'large.tar'), header);
  expect(Bun.spawnSync(['tar', 'tvf', 'large.tar'], { cwd: dir }).stdout.toString()).toContain(` ${size} `);
  for await (const file of readTar(pieces(header))) {
    expect(file.size).toBe(size);
    break;
  }
});

/** The header alone. */
async function* firstOf(file: TarFile) {
  for await (const bytes of writeTar(
    (async function* () {
      yield file;
    })(),
  )) {
    yield bytes;
    return;
  }
}

test('one that was cut, and what is none, are told', async () => {
  const archive = await written();
  for (const length of [0, 100, 512, 2_000, archive.length - 1_024]) {
    await expect(read(pieces(archive.subarray(0, length)))).rejects.toThrow(TarError);
  }
  await expect(read(pieces(noise(10_000)))).rejects.toThrow('no tar archive');
});

test.each(['-0000000001', '12 34', '9', '1e3', 'x', '\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff'])(
  'a size that is none is told: %j',
  async (size) => {
    const header = Buffer.from((await written()).subarray(0, 512));
    header.fill(0, 124, 136).write(size, 124, 'latin1');
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await expect(read(pieces(Buffer.concat([header, Buffer.alloc(2_048)])))).rejects.toThrow(TarError);
  },
);

test('a file that changes its size while it is packed breaks it off', async () => {
  const grown = async function* (): AsyncGenerator<TarFile> {
    yield { path: 'grown', size: 10, bytes: pieces(noise(11)) };
  };
  await expect(Array.fromAsync(writeTar(grown()))).rejects.toThrow('changed its size');
});
