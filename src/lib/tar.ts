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
  feed(stream, writable.getWriter());
  for await (const { header, body } of withTarErrors(readable)) {
    if (header.type === 'file') yield { path: header.name, size: header.size, bytes: withTarErrors(body) };
    if (!body.locked) await body.cancel();
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
