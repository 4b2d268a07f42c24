import { mkdirSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { FILES, QUARANTINE } from '../domain/backup.ts';
import type { Micros } from '../lib/clock.ts';
import { writeWithDigest } from '../lib/file-io.ts';
import { inheritOwner, syncFolder } from '../lib/file-system.ts';
import type { Blobs } from './blobs.ts';

/** Keeps swept files of a data directory for a while, sealed as they are, so that a wrong sweep can be taken back. */
export class Quarantine {
  readonly #folder: string;

  constructor(private readonly dataDir: string) {
    this.#folder = join(dataDir, QUARANTINE);
  }

  /**
   * Moves a file here: from the data directory, or from a bucket, whose object is then deleted. Throws `AppError` without
   * space for it.
   */
  async take(blobs: Blobs, name: string, now: Micros, disk: Readonly<{ reserve: (bytes: number) => void }>) {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    inheritOwner(this.#folder);
    const path = join(this.#folder, name);
    if (!(await moved(join(this.dataDir, FILES, name), path))) {
      const stored = await blobs.read(name);
      if (!stored) return;
      disk.reserve(stored.size);
      const draft = `${path}.${crypto.randomUUID()}`;
      await writeWithDigest(stored.bytes, draft);
      await rename(draft, path);
      syncFolder(this.#folder);
      await blobs.remove([name]);
    }
    await utimes(path, now / 1e6, now / 1e6);
  }

  /** Deletes the files that were taken before a time. */
  async prune(before: Micros): Promise<void> {
    for (const name of await this.#names()) {
      const path = join(this.#folder, name);
      if ((await stat(path)).mtimeMs * 1000 < before) await rm(path, { force: true });
    }
  }

  /**
   * Moves all files back to the data directory, where they are found also if there is a bucket. Returns the count. The next
   * sweep leaves them alone for an hour.
   */
  async restore(now: Micros): Promise<number> {
    const files = join(this.dataDir, FILES);
    mkdirSync(files, { recursive: true, mode: 0o700 });
    const names = await this.#names();
    for (const name of names) {
      await utimes(join(this.#folder, name), now / 1e6, now / 1e6);
      await rename(join(this.#folder, name), join(files, name));
    }
    syncFolder(files);
    return names.length;
  }

  async #names(): Promise<string[]> {
    return readdir(this.#folder).catch(() => []);
  }
}

/** Renames a file. Returns false if it does not exist. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
