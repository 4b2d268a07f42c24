import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileChunks } from '../../../src/lib/file-io';
import { readTar, TarError, type TarFile, writeTar } from '../../../src/lib/tar.ts';
import { temporaryDir } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { noise } from '../submit/files.ts';

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
  const found = await read(readFileChunks(join(dir, 'theirs.tar')));
  expect([...found].sort()).toEqual([...CONTENTS].sort());
});

test('a path that is longer than a header takes is whole, by whoever it was packed', async () => {
  const folder = join('long', 'folder'.repeat(20), 'in'.repeat(60));
  mkdirSync(join(dir, folder), { recursive: true });
  const path = join(folder, 'file');
  writeFileSync(join(dir, path), 'x');
  for (const format of ['gnu', 'pax']) {
    tar('cf', 'long.tar', `--format=${format}`, path);
    expect([...(await read(readFileChunks(join(dir, 'long.tar')))).keys()]).toEqual([path]);
  }
});

test('a file of more than eight gigabytes has its size', async () => {
  const size = 9 * 2 ** 30;
  const endless = async function* () {
    for (;;) yield noise(1_000);
  };
  const large = async function* (): AsyncGenerator<TarFile> {
    yield { path: 'large', size, bytes: endless() };
  };
  const head: Uint8Array[] = [];
  for await (const piece of writeTar(large())) {
    head.push(piece);
    if (head.length === 10) break;
  }
  const archive = Buffer.concat(head);
  writeFileSync(join(dir, 'large.tar'), archive);
  expect(Bun.spawnSync(['tar', 'tvf', 'large.tar'], { cwd: dir }).stdout.toString()).toContain(` ${size} `);
  for await (const file of readTar(pieces(archive))) {
    expect(file.size).toBe(size);
    break;
  }
});

test('one that was cut, and what is none, are told', async () => {
  const archive = await written();
  for (const length of [0, 100, 512, 2_000, archive.length - 1_024]) {
    await expect(read(pieces(archive.subarray(0, length)))).rejects.toThrow(TarError);
  }
  await expect(read(pieces(noise(10_000)))).rejects.toThrow(TarError);
});

test.each(['-0000000001', '9', '1e3', 'x', '\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff'])(
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
  await expect(Array.fromAsync(writeTar(grown()))).rejects.toThrow('exceeds given size');
});

test('who stops reading, or is told of a source that breaks off, leaves no source open', async () => {
  const archive = await written();
  let open = 0;
  const source = async function* (breaksOff: boolean) {
    open++;
    try {
      for await (const piece of pieces(archive)) {
        yield piece;
        if (breaksOff) throw new Error('the disk is gone');
      }
    } finally {
      open--;
    }
  };
  for await (const { path } of readTar(source(false))) {
    expect(path).toBe('folder/file-0');
    break;
  }
  await expect(read(source(true))).rejects.toThrow(new TarError('the disk is gone'));
  await until(() => open === 0, 'the source to be closed');
});
