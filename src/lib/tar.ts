import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar';

/** A file in an archive. Read `bytes` to the end or not at all before requesting the next file. */
export type TarFile = Readonly<{ path: string; size: number; bytes: AsyncIterable<Uint8Array> }>;

/** An input that is not a tar archive, is truncated or cannot be read. The message has no final period. */
export class TarError extends Error {}

/** Writes a POSIX tar archive. The stream fails if a file's bytes do not match its size. */
export function writeTar(files: AsyncIterable<TarFile>): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  pack(files, controller).catch((error: unknown) => controller.error(error));
  return readable;
}

async function pack(files: AsyncIterable<TarFile>, controller: TarPackController): Promise<void> {
  for await (const { path, size, bytes } of files) {
    const writer = controller.add({ name: path, size, mode: 0o600 }).getWriter();
    for await (const chunk of bytes) await writer.write(chunk);
    await writer.close();
  }
  controller.finalize();
}

/** Reads the regular files of a POSIX, pax or GNU archive and skips other entries. Throws `TarError`. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const { readable, writable } = createTarDecoder({ strict: true });
  feed(requireUncompressed(stream), writable.getWriter());
  for await (const { header, body } of withTarErrors(readable)) {
    if (header.type === 'file') yield { path: header.name, size: header.size, bytes: withTarErrors(body) };
    if (!body.locked) await body.cancel();
  }
}

/** First bytes of compressed files, in hex. */
const COMPRESSIONS = { gzip: '1f8b', bzip2: '425a68', xz: 'fd377a58', zstd: '28b52ffd' };

/** Passes a stream through. Throws an error that names the compression of a compressed one. */
async function* requireUncompressed(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of stream) {
    const start = Buffer.from(chunk.subarray(0, 4)).toString('hex');
    const compression = Object.entries(COMPRESSIONS).find(([, magic]) => start.startsWith(magic))?.[0];
    if (isFirst && compression) throw new Error(`it is compressed with ${compression}; decompress it first`);
    isFirst = false;
    yield chunk;
  }
}

/** Pipes the stream into the decoder; errors surface on its readable side. */
async function feed(stream: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of stream) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
  }
}

async function* withTarErrors<T>(items: ReadableStream<T>): AsyncGenerator<T> {
  try {
    yield* items as AsyncIterable<T>;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new TarError(message.replace(/\.$/, ''), { cause: error });
  }
}
