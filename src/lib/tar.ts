const BLOCK = 512;
const NAME_BYTES = 100;
/** What eleven octal digits hold; beyond it a size is written in binary, as GNU and BSD tar do. */
const OCTAL_MOST = 8 ** 11 - 1;

/** A file in an archive; its `bytes` are read to their end, or not at all, before the next file is asked for. */
export type TarFile = Readonly<{ path: string; size: number; bytes: AsyncIterable<Uint8Array> }>;

/** An archive in the POSIX format (ustar). Paths have at most 100 bytes; a file whose bytes are not as many as its size throws. */
export async function* writeTar(files: AsyncIterable<TarFile>): AsyncGenerator<Uint8Array> {
  for await (const { path, size, bytes } of files) {
    yield tarHeader(path, size);
    let left = size;
    for await (const piece of bytes) {
      left -= piece.length;
      yield piece;
    }
    if (left !== 0) throw new Error(`${path} has changed its size`);
    yield new Uint8Array(padding(size));
  }
  yield new Uint8Array(2 * BLOCK);
}

/** The files of an archive in the POSIX or GNU format; folders and what else is no file are left out. Throws `TarError`. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const source = new Source(stream);
  try {
    for (;;) {
      const header = await source.take(BLOCK);
      if (header.every((byte) => byte === 0)) return await source.drain();
      const { path, size, isFile } = readHeader(header);
      const bytes = source.pieces(size);
      if (isFile) yield { path, size, bytes };
      for await (const _ of bytes);
      await source.take(padding(size));
    }
  } finally {
    await source.close();
  }
}

/** What was read is no archive, or ends too early. */
export class TarError extends Error {}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function tarHeader(path: string, size: number): Uint8Array {
  const header = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(path) > NAME_BYTES) throw new Error(`${path} is too long for an archive`);
  header.write(path, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size <= OCTAL_MOST) {
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  } else {
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write(
    `${Math.floor(Date.now() / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  header.write(`${checksum(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

function readHeader(header: Buffer): Readonly<{ path: string; size: number; isFile: boolean }> {
  const text = (from: number, length: number) => header.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  const octal = (from: number, length: number) => {
    const digits = text(from, length).trim();
    return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : Number.NaN;
  };
  const size = (header[124] ?? 0) & 0x80 ? Number(header.readBigUInt64BE(128)) : octal(124, 12);
  if (octal(148, 8) !== checksum(header) || !Number.isSafeInteger(size)) {
    throw new TarError('it is no tar archive, or a damaged one');
  }
  const prefix = text(257, 6) === 'ustar' ? text(345, 155) : '';
  const type = text(156, 1);
  return { path: prefix ? `${prefix}/${text(0, 100)}` : text(0, 100), size, isFile: type === '0' || type === '' };
}

/** Of all bytes, its own field taken for spaces. */
function checksum(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

/** Gives out a stream in the sizes that are asked for. */
class Source {
  readonly #stream: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: AsyncIterable<Uint8Array>) {
    this.#stream = stream[Symbol.asyncIterator]();
  }

  async take(length: number): Promise<Buffer> {
    const pieces: Uint8Array[] = [];
    for await (const piece of this.pieces(length)) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  async *pieces(length: number): AsyncGenerator<Uint8Array> {
    for (let left = length; left > 0; ) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#stream.next();
        if (done) throw new TarError('it ends too early');
        this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  /** To its end, so that whoever writes it is not cut off. */
  async drain(): Promise<void> {
    while (!(await this.#stream.next()).done);
  }

  async close(): Promise<void> {
    await this.#stream.return?.();
  }
}
