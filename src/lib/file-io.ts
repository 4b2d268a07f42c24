import { open } from 'node:fs/promises';

const PIECE = 256 * 1024;

/** How many bytes there were, and their hash in hex. */
export type FileDigest = Readonly<{ size: number; sha256: string }>;

/** The bytes of a file. */
export async function* readFileChunks(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(PIECE), 0, PIECE);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

export async function digestChunks(bytes: AsyncIterable<Uint8Array>): Promise<FileDigest> {
  const hash = new Bun.CryptoHasher('sha256');
  let size = 0;
  for await (const piece of bytes) {
    hash.update(piece);
    size += piece.length;
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
export async function writeWithDigest(bytes: AsyncIterable<Uint8Array>, path: string): Promise<FileDigest> {
  const file = await open(path, 'wx', 0o600);
  const writing = async function* () {
    for await (const piece of bytes) {
      await file.writeFile(piece);
      yield piece;
    }
  };
  try {
    const measured = await digestChunks(writing());
    await file.sync();
    return measured;
  } finally {
    await file.close();
  }
}
