import { SetupError } from '../../domain/errors.ts';
import { digestChunks } from '../../lib/file-io.ts';
import type { Blobs, StoredBlob } from '../../storage/blobs.ts';

/** A file to move; `bytes` is its sealed size. */
export type MovedFile = Readonly<{ blob: string; bytes: number }>;

/** Stores sealed files under given names. */
export interface FileCopies extends Pick<Blobs, 'read'> {
  put(name: string, content: StoredBlob): Promise<void>;
}

/** The files of the source, and the place of the target's files; `isInPlace` if they are the same. */
export type FileTarget = Readonly<{ source: Pick<Blobs, 'read'>; target: FileCopies; isInPlace: boolean }>;

/** Copies a sealed file as it is, unless the target has it, and compares both. Throws `SetupError` if they differ. */
export async function copyFile({ source, target, isInPlace }: FileTarget, { blob, bytes }: MovedFile): Promise<void> {
  const read = async (from: Pick<Blobs, 'read'>) => {
    const stored = await from.read(blob);
    if (stored) return stored;
    throw new SetupError(`The file ${blob} is missing. Run the same command again, or "formstead vault check".`);
  };
  const existing = await target.read(blob);
  if (existing && isInPlace) return;
  if (existing?.size !== bytes) await target.put(blob, await read(source));
  const [expected, actual] = await Promise.all(
    [source, target].map(async (from) => (await digestChunks((await read(from)).bytes)).sha256),
  );
  if (expected === actual) return;
  await target.put(blob, await read(source));
  const copied = await digestChunks((await read(target)).bytes);
  if (copied.sha256 === expected) return;
  throw new SetupError(`The copy of the file ${blob} differs from the original. Check the target of the files.`);
}
