import { open } from 'node:fs/promises';

const CHUNK_BYTES = 256 * 1024;

/** How many bytes there were, and their hash in hex. */
export type FileDigest = Readonly<{ size: number; sha256: string }>;

/** The bytes of a file. */
export async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

export async function digestChunks(chunks: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = new Bun.CryptoHasher('sha256');
  let size = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** Writes a new file, mode 0600, which is synced when this returns. */
export async function writeSynced(text: string, path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    // Not by `flush` of `writeFile`, which does not tell of a sync that fails.
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Writes a new file, which is synced when this returns, and measures it. */
export async function writeWithDigest(chunks: AsyncIterable<Uint8Array>, path: string): Promise<FileDigest> {
  const file = await open(path, 'wx', 0o600);
  const writtenChunks = async function* () {
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      yield chunk;
    }
  };
  try {
    const digest = await digestChunks(writtenChunks());
    await file.sync();
    return digest;
  } finally {
    await file.close();
  }
}
