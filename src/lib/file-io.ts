import { open } from 'node:fs/promises';
import { inheritOwner } from './file-system.ts';

const CHUNK_BYTES = 256 * 1024;

/** Size in bytes and SHA-256 in hex. */
export type FileDigest = Readonly<{ size: number; sha256: string }>;

/** Reads a file in chunks of 256 KiB. */
export async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  await using file = await open(path, 'r');
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Computes size and hash of a byte stream, reading it to its end. */
export async function digestChunks(chunks: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = new Bun.CryptoHasher('sha256');
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Creates a file with mode 0600 and syncs it before returning. Throws EEXIST if it exists. */
export async function writeSynced(text: string, path: string): Promise<void> {
  await using file = await open(path, 'wx', 0o600);
  inheritOwner(path);
  await file.writeFile(text);
  // Not the `flush` option of `writeFile`: it ignores a failed sync.
  await file.sync();
}

/** Like `writeSynced`, for a byte stream; returns the size and hash of the written data. */
export async function writeWithDigest(chunks: AsyncIterable<Uint8Array>, path: string): Promise<FileDigest> {
  const file = await open(path, 'wx', 0o600);
  const writeChunks = async function* () {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      yield chunk;
    }
  };
  try {
    inheritOwner(path);
    const digest = await digestChunks(writeChunks());
    await file.sync();
    return digest;
  } finally {
    await file.close();
  }
}
