import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFileChunks } from '../../../src/lib/file-io.ts';
import { readTar, TarError, type TarFile, writeTar } from '../../../src/lib/tar.ts';
import { temporaryDir } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { noise } from '../visitor/files.ts';

const dir = temporaryDir();
afterAll(() => rmSync(dir, { recursive: true }));

const SIZES = [0, 1, 511, 512, 513, 70_000];
const CONTENTS = new Map(SIZES.map((size) => [`folder/file-${size}`, noise(size)]));

async function* chunksOf(bytes: Uint8Array, length = 1_000) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

async function* files(): AsyncGenerator<TarFile> {
  for (const [path, bytes] of CONTENTS) yield { path, size: bytes.length, bytes: chunksOf(bytes) };
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

test('reads its own archives, in chunks of any length', async () => {
  const archive = await written();
  for (const length of [1, 511, 512, 100_000]) expect(await read(chunksOf(archive, length))).toEqual(CONTENTS);
});

test('writes archives that tar unpacks', async () => {
  writeFileSync(join(dir, 'ours.tar'), await written());
  tar('xf', 'ours.tar');
  for (const [path, bytes] of CONTENTS) expect(new Uint8Array(readFileSync(join(dir, path)))).toEqual(bytes);
});

test.each(['ustar', 'gnu', 'pax'])('reads the files of %s archives that tar packed', async (format) => {
  mkdirSync(join(dir, 'folder'), { recursive: true });
  for (const [path, bytes] of CONTENTS) writeFileSync(join(dir, path), bytes);
  tar('cf', 'theirs.tar', `--format=${format}`, 'folder');
  const found = await read(readFileChunks(join(dir, 'theirs.tar')));
  expect([...found].sort()).toEqual([...CONTENTS].sort());
});

test('reads paths that are too long for a header, from gnu and pax archives', async () => {
  const folder = join('long', 'folder'.repeat(20), 'in'.repeat(60));
  mkdirSync(join(dir, folder), { recursive: true });
  const path = join(folder, 'file');
  writeFileSync(join(dir, path), 'x');
  for (const format of ['gnu', 'pax']) {
    tar('cf', 'long.tar', `--format=${format}`, path);
    expect([...(await read(readFileChunks(join(dir, 'long.tar')))).keys()]).toEqual([path]);
  }
});

test('writes and reads the size of a file over 8 GiB', async () => {
  const size = 9 * 2 ** 30;
  const endless = async function* () {
    for (;;) yield noise(1_000);
  };
  const large = async function* (): AsyncGenerator<TarFile> {
    yield { path: 'large', size, bytes: endless() };
  };
  const head: Uint8Array[] = [];
  for await (const chunk of writeTar(large())) {
    head.push(chunk);
    if (head.length === 10) break;
  }
  const archive = Buffer.concat(head);
  writeFileSync(join(dir, 'large.tar'), archive);
  expect(Bun.spawnSync(['tar', 'tvf', 'large.tar'], { cwd: dir }).stdout.toString()).toContain(` ${size} `);
  for await (const file of readTar(chunksOf(archive))) {
    expect(file.size).toBe(size);
    break;
  }
});

test('rejects truncated archives and other data', async () => {
  const archive = await written();
  for (const length of [0, 100, 512, 2_000, archive.length - 1_024]) {
    await expect(read(chunksOf(archive.subarray(0, length)))).rejects.toThrow(TarError);
  }
  await expect(read(chunksOf(noise(10_000)))).rejects.toThrow(TarError);
});

test.each(['-0000000001', '9', '1e3', 'x', '\x80\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff'])(
  'rejects the invalid size %j',
  async (size) => {
    const header = Buffer.from((await written()).subarray(0, 512));
    header.fill(0, 124, 136).write(size, 124, 'latin1');
    header.fill(' ', 148, 156);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    await expect(read(chunksOf(Buffer.concat([header, Buffer.alloc(2_048)])))).rejects.toThrow(TarError);
  },
);

test('fails if a file changes its size while it is packed', async () => {
  const grown = async function* (): AsyncGenerator<TarFile> {
    yield { path: 'grown', size: 10, bytes: chunksOf(noise(11)) };
  };
  await expect(Array.fromAsync(writeTar(grown()))).rejects.toThrow('exceeds given size');
});

test('closes the source if the reader stops or the source fails', async () => {
  const archive = await written();
  let open = 0;
  const source = async function* (shouldFail: boolean) {
    open++;
    try {
      for await (const chunk of chunksOf(archive)) {
        yield chunk;
        if (shouldFail) throw new Error('the disk is gone');
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
