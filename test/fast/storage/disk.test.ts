import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLogger } from '../../../src/lib/log.ts';
import { diskBlobs } from '../../../src/storage/disk/disk-blobs.ts';
import { DiskWatch } from '../../../src/storage/disk-watch.ts';
import { temporaryDir } from '../../support/instance.ts';
import { collectGarbage, describeBlobs } from './blobs-contract.ts';

const dir = temporaryDir();
const log = createLogger({ level: 'silent', isPretty: false, write: () => {} });
afterAll(() => rmSync(dir, { recursive: true }));

/** A disk without a minimum of free space. */
const disk = new DiskWatch({ readFreeBytes: () => 0, minFreeBytes: 0, monotonic: () => 0, log });

const newFolder = () => join(dir, crypto.randomUUID());

describeBlobs('a disk', () => {
  const folder = newFolder();
  return { blobs: diskBlobs(folder, disk), again: () => diskBlobs(folder, disk) };
});

test('other users cannot read the folder or a blob', async () => {
  const folder = newFolder();
  const blob = await diskBlobs(folder, disk).create();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, blob.name)).mode & 0o777).toBe(0o600);
  await blob.finish();
});

describe('a missing or replaced blob folder', () => {
  const unavailable = expect.objectContaining({
    code: 'storage_unavailable',
    status: 500,
    headers: { 'Retry-After': '60' },
  });

  test('refuses blobs and accepts them again when the folder is back', async () => {
    const folder = newFolder();
    const blobs = diskBlobs(folder, disk);
    rmdirSync(folder);
    expect(await blobs.create().catch((error: unknown) => error)).toEqual(unavailable);
    writeFileSync(folder, '');
    expect(await blobs.create().catch((error: unknown) => error)).toEqual(unavailable);
    unlinkSync(folder);
    mkdirSync(folder);
    const blob = await blobs.create();
    await blob.write([Buffer.from('x')]);
    await blob.finish();
    expect((await blobs.read(blob.name))?.size).toBe(1);
  });

  test('keeps a blob listed if its removal failed', async () => {
    const folder = newFolder();
    const blobs = diskBlobs(folder, disk);
    const [one, two] = [await blobs.create(), await blobs.create()];
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(await blobs.remove([one.name, two.name]).catch((error: unknown) => error)).toEqual(unavailable);
    unlinkSync(folder);
    mkdirSync(folder);
    for (const { name } of [one, two]) writeFileSync(join(folder, name), '');
    expect((await Array.fromAsync(blobs.list())).map(({ name }) => name).sort()).toEqual([one.name, two.name].sort());
    // No file was left open either: the garbage collector would throw for it.
    await collectGarbage();
  });
});
