import { createTarDecoder, createTarPacker, type TarPackController } from 'modern-tar';

/** A file in an archive; its `bytes` are read to their end, or not at all, before the next file is asked for. */
export type TarFile = Readonly<{ path: string; size: number; bytes: AsyncIterable<Uint8Array> }>;

/** What was read is no archive, ends too early, or cannot be read further; without a full stop. */
export class TarError extends Error {}

/** An archive in the POSIX format; a file whose bytes are not as many as its size throws. */
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

/** The files of an archive in the POSIX, pax or GNU format; folders and what else is no file are left out. Throws `TarError`. */
export async function* readTar(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarFile> {
  const { readable, writable } = createTarDecoder({ strict: true });
  feed(stream, writable.getWriter());
  for await (const { header, body } of withTarErrors(readable)) {
    if (header.type === 'file') yield { path: header.name, size: header.size, bytes: withTarErrors(body) };
    if (!body.locked) await body.cancel();
  }
}

/** What goes wrong is told to who reads on the other side. */
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
