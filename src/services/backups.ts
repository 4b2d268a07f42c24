import { constants } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type BackupFile,
  backupName,
  backupTime,
  DATABASE,
  FILES,
  KEY_FILE,
  MANIFEST,
  type Manifest,
  newManifest,
} from '../domain/backup.ts';
import { SetupError } from '../domain/errors.ts';
import { type Clock, formatTime, type Micros } from '../lib/clock.ts';
import { measure, piecesOf, writeSynced } from '../lib/file-io.ts';
import { makeFolder, syncFolder } from '../lib/sync-folder.ts';
import { type TarFile, writeTar } from '../lib/tar.ts';
import type { DatabaseFile, FileRow, StorageAtRest } from '../storage/at-rest.ts';
import { keysInFile } from '../vault/key-file.ts';
import { masterKeyText } from '../vault/key-ring.ts';
import { keyNames, keysLacking } from './backup-keys.ts';

/** How many files of how many are done; of a step that knows no number, 0 of 0. */
export type BackupProgress = { step: 'database' | 'files' | 'hashes' | 'archive'; done: number; of: number };

/** What a backup is made of. */
export type BackupSource = Readonly<{
  dataDir: string;
  /** What has to stay free on the disk that the copy is made on. */
  minFreeBytes: number;
  storage: StorageAtRest;
  clock: Clock;
  programVersion: string;
  withKey: boolean;
  progress: BackupProgress;
}>;

/** A backup that is whole; `at` in milliseconds since 1970. */
export type BackupFacts = Readonly<{ path: string; at: number }>;

/** What is not whole yet, or not any more. */
const PARTIAL = '.partial-';

/** Where a hard link cannot be, a copy is made. */
const NO_LINK = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Makes a backup of a data directory, whether a server runs or not, as a new folder inside `folder`, under its name only
 * once it is whole and synced. Throws `SetupError` if there is nothing to back up, the database is damaged, or another
 * backup is under way.
 */
export async function makeBackup(
  source: BackupSource,
  folder: string,
): Promise<Readonly<{ path: string; manifest: Manifest }>> {
  return staged(source, folder, async (partial, at) => {
    const manifest = await fill(source, partial, at);
    const path = join(folder, backupName(at));
    await rename(partial, path);
    syncFolder(folder);
    return { path, manifest };
  });
}

/** The same as a tar archive that `send` gets in pieces. It is gathered in the data directory first, mostly as links. */
export async function streamBackup(
  source: BackupSource,
  send: (bytes: Uint8Array) => Promise<void> | void,
): Promise<Manifest> {
  return staged(source, source.dataDir, async (partial, at) => {
    const manifest = await fill(source, partial, at);
    for await (const bytes of writeTar(entriesOf(source, partial, backupName(at), manifest))) await send(bytes);
    return manifest;
  });
}

async function* entriesOf(
  { progress }: BackupSource,
  partial: string,
  name: string,
  { files }: Manifest,
): AsyncGenerator<TarFile> {
  Object.assign(progress, { step: 'archive', done: 0, of: files.length });
  const entry = (file: string, size: number) => ({
    path: `${name}/${file}`,
    size,
    bytes: piecesOf(join(partial, file)),
  });
  yield entry(MANIFEST, (await stat(join(partial, MANIFEST))).size);
  for (const file of files) {
    yield entry(file.name, file.size);
    progress.done += 1;
  }
}

/** Removes what a broken off backup left there, gives the work a new folder, and removes that if it is still there. */
async function staged<T>(
  { dataDir, storage, clock }: BackupSource,
  folder: string,
  work: (partial: string, at: Micros) => Promise<T>,
): Promise<T> {
  await requireDatabase(dataDir);
  const lockPath = join(dataDir, 'backup.lock');
  const lock = storage.lock(lockPath);
  if (!lock)
    throw new SetupError('another backup of this data directory is under way; run this again when it is done.');
  const at = clock();
  const partial = join(folder, `${PARTIAL}${backupName(at)}`);
  try {
    makeFolder(folder);
    for (const left of new Set([folder, dataDir])) await removePartials(left);
    await mkdir(join(partial, FILES), { recursive: true, mode: 0o700 });
    return await work(partial, at);
  } finally {
    await rm(partial, { recursive: true, force: true });
    // One that was made by root would keep the server's own user out.
    await rm(lockPath, { force: true });
    lock.release();
  }
}

async function requireDatabase(dataDir: string): Promise<void> {
  await stat(join(dataDir, DATABASE)).catch(() => {
    throw new SetupError(`there is nothing to back up: DATA_DIR is ${dataDir}, and has no ${DATABASE}.`);
  });
}

async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${PARTIAL}formstead-`)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * The database first: every file that its copy refers to was on the disk before. What is deleted from then on may be gone
 * before its file is taken; such a submission is taken out of the copy, so that every row has its file.
 */
async function fill(source: BackupSource, partial: string, at: Micros): Promise<Manifest> {
  const { dataDir, storage, progress, programVersion } = source;
  Object.assign(progress, { step: 'database', done: 0, of: 0 });
  const live = storage.openDatabase(join(dataDir, DATABASE));
  try {
    await live.copyTo(join(partial, DATABASE), source.minFreeBytes);
    const copy = storage.openDatabase(join(partial, DATABASE));
    try {
      const damage = copy.findDamage();
      if (damage.length > 0) {
        throw new SetupError(`the database is damaged, and no backup was made of it. It says: ${damage.join('; ')}`);
      }
      const { blobs, deleted, missing } = await takeFiles(source, partial, live, copy);
      const keys = copy.vaultKeys();
      if (source.withKey) await takeKeys(dataDir, partial, keys);
      const names = [...(source.withKey ? [KEY_FILE] : []), DATABASE, ...blobs.map((blob) => `${FILES}/${blob}`)];
      const files = await measureAll(partial, names, progress);
      const manifest = newManifest({
        created_at: formatTime(at),
        program_version: programVersion,
        schema: copy.schema(),
        keys,
        files,
        deleted_meanwhile: deleted,
        missing,
      });
      await writeSynced(`${JSON.stringify(manifest, null, 1)}\n`, join(partial, MANIFEST));
      syncFolder(join(partial, FILES));
      syncFolder(partial);
      return manifest;
    } finally {
      copy.close();
    }
  } finally {
    live.close();
  }
}

async function takeFiles({ dataDir, progress }: BackupSource, partial: string, live: DatabaseFile, copy: DatabaseFile) {
  const rows = copy.fileRows();
  Object.assign(progress, { step: 'files', done: 0, of: rows.length });
  const lost: FileRow[] = [];
  for (const row of rows) {
    const isTaken = await takeFile(join(dataDir, FILES, row.blob), join(partial, FILES, row.blob));
    if (!isTaken) lost.push(row);
    progress.done += 1;
  }
  // The row is deleted before its file: a file that is gone under a row that stays was lost before.
  const deleted = new Set(lost.filter(({ blob }) => !live.hasBlob(blob)).map(({ submissionId }) => submissionId));
  copy.deleteSubmissions([...deleted]);
  const missing = new Set(lost.filter(({ submissionId }) => !deleted.has(submissionId)).map(({ blob }) => blob));
  for (const { blob, submissionId } of rows) {
    if (deleted.has(submissionId)) await rm(join(partial, FILES, blob), { force: true });
  }
  const kept = rows.filter(({ blob, submissionId }) => !deleted.has(submissionId) && !missing.has(blob));
  return { blobs: kept.map(({ blob }) => blob).sort(), deleted: [...deleted], missing: [...missing] };
}

/** False if there is no such file. A blob is never changed once a row refers to it, so that a link is as good as a copy. */
async function takeFile(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return false;
    if (!NO_LINK.includes(code)) throw error;
  }
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
  const file = await open(to, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
  return true;
}

/** After the copy of the database: a key that is new in it was in the file before. */
async function takeKeys(
  dataDir: string,
  partial: string,
  needed: ReturnType<DatabaseFile['vaultKeys']>,
): Promise<void> {
  const path = join(dataDir, KEY_FILE);
  const keys = keysInFile(path);
  if (!keys) {
    throw new SetupError(
      `there is no ${path} to take along: keep the key ${keyNames(needed)} yourself, and run this without --with-key.`,
    );
  }
  const lacking = keysLacking(needed, keys);
  if (lacking.length > 0) {
    throw new SetupError(`${path} does not hold the key ${keyNames(lacking)}, which the database was sealed with.`);
  }
  const text = keys.map((key) => `${masterKeyText(key)}\n`).join('');
  await writeSynced(text, join(partial, KEY_FILE));
}

async function measureAll(folder: string, names: readonly string[], progress: BackupProgress): Promise<BackupFile[]> {
  Object.assign(progress, { step: 'hashes', done: 0, of: names.length });
  const files: BackupFile[] = [];
  for (const name of names) {
    files.push({ name, ...(await measure(piecesOf(join(folder, name)))) });
    progress.done += 1;
  }
  return files;
}

/** The newest whole backup in a folder; null if there is none, or no such folder. */
export async function newestBackup(folder: string): Promise<BackupFacts | null> {
  const [newest] = await listBackups(folder);
  return newest ?? null;
}

/** Newest first. */
async function listBackups(folder: string): Promise<BackupFacts[]> {
  const names = await readdir(folder).catch((error) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const found: BackupFacts[] = [];
  for (const name of names.sort().reverse()) {
    const at = backupTime(name);
    const path = join(folder, name);
    const isWhole = at !== null && (await stat(join(path, MANIFEST)).catch(() => null)) !== null;
    if (isWhole) found.push({ path, at: at / 1000 });
  }
  return found;
}

/**
 * Removes all but the newest so many, and returns what it removed. The one at `made` counts as the newest, also where the clock
 * was set back since others were made. Nothing else in the folder is touched.
 */
export async function pruneBackups(folder: string, keep: number, made: string): Promise<string[]> {
  const others = (await listBackups(folder)).filter(({ path }) => path !== made);
  const old = others.slice(keep - 1);
  for (const { path } of old) {
    // It must not look whole while it is removed.
    const partial = join(folder, `${PARTIAL}${basename(path)}`);
    await rename(path, partial);
    await rm(partial, { recursive: true, force: true });
  }
  return old.map(({ path }) => path);
}
