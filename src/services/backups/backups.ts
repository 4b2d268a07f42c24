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
} from '../../domain/backup.ts';
import { AppError, SetupError } from '../../domain/errors.ts';
import { type Clock, formatTime, HOUR, type Micros } from '../../lib/clock.ts';
import { digestChunks, readFileChunks, writeSynced, writeWithDigest } from '../../lib/file-io.ts';
import { createFolder, inheritOwner, syncFolder } from '../../lib/file-system.ts';
import { isInside } from '../../lib/is-inside.ts';
import { writeTar } from '../../lib/tar.ts';
import type { DatabaseFile, FileRow, StorageAtRest } from '../../storage/at-rest.ts';
import { type Blobs, BucketError } from '../../storage/blobs.ts';
import { requireInstance } from '../../storage/data-dir.ts';
import { encodeMasterKey, formatKeyId } from '../../vault/key-ring.ts';
import { readKeyFile } from '../../vault/master-key-file.ts';

/** Progress in files; 0 of 0 for a step without a count. */
export type BackupProgress = { step: 'database' | 'files' | 'hashes' | 'archive'; done: number; of: number };

export type BackupSource = Readonly<{
  dataDir: string;
  /** Bytes that must stay free on the target disk. */
  minFreeBytes: number;
  storage: StorageAtRest;
  /** Bucket with the files that are not in the data directory; null without S3_URL. */
  bucket: Pick<Blobs, 'read'> | null;
  clock: Clock;
  programVersion: string;
  withKey: boolean;
  progress: BackupProgress;
}>;

/** Name prefix of a backup that is being written or deleted. */
const PARTIAL_PREFIX = '.partial-';

/** Files that are copied from the bucket at once. */
const DOWNLOADS = 8;

/** Errors of `link` after which the file is copied instead. */
const LINK_ERRORS = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/**
 * Backs up a data directory, also while a server runs, into a new subfolder of `folder` that gets its final name once
 * it is complete and synced. Throws `SetupError` if there is no instance, `folder` is in it, the database is damaged,
 * or another backup is running.
 */
export async function makeBackup(
  source: BackupSource,
  folder: string,
): Promise<Readonly<{ path: string; manifest: Manifest }>> {
  if (isInside(source.dataDir, folder)) {
    throw new SetupError(
      `The folder ${folder} is inside DATA_DIR (${source.dataDir}). Back up to a folder outside of it, best on another disk.`,
    );
  }
  return withStagingFolder(source, folder, async (partial, at) => {
    const manifest = await writeBackup(source, partial, at);
    const path = join(folder, backupName(at));
    await rename(partial, path);
    syncFolder(folder);
    return { path, manifest };
  });
}

/** Backs up to a tar archive, passed to `send` in chunks. It is staged in the data directory, mostly as hard links. */
export async function streamBackup(
  source: BackupSource,
  send: (bytes: Uint8Array) => Promise<void> | void,
): Promise<Manifest> {
  return withStagingFolder(source, source.dataDir, async (partial, at) => {
    const manifest = await writeBackup(source, partial, at);
    for await (const bytes of writeTar(toEntries(source, partial, backupName(at), manifest))) await send(bytes);
    return manifest;
  });
}

async function* toEntries({ progress }: BackupSource, partial: string, name: string, { files }: Manifest) {
  Object.assign(progress, { step: 'archive', done: 0, of: files.length });
  const entry = (file: string, size: number) => ({
    path: `${name}/${file}`,
    size,
    bytes: readFileChunks(join(partial, file)),
  });
  yield entry(MANIFEST, (await stat(join(partial, MANIFEST))).size);
  for (const file of files) {
    yield entry(file.name, file.size);
    progress.done += 1;
  }
}

/** Runs `work` with a new staging folder under the backup lock. It deletes the folder and remains of earlier runs. */
async function withStagingFolder<T>(
  { dataDir, storage, clock }: BackupSource,
  folder: string,
  work: (partial: string, at: Micros) => Promise<T>,
): Promise<T> {
  requireInstance(dataDir);
  const lockPath = join(dataDir, 'backup.lock');
  const lock = storage.lock(lockPath);
  if (!lock) throw new SetupError('Another backup of this data directory is running. Try again when it is done.');
  const at = clock();
  const partial = join(folder, `${PARTIAL_PREFIX}${backupName(at)}`);
  try {
    createFolder(folder);
    for (const place of new Set([folder, dataDir])) await removePartials(place);
    for (const path of [partial, join(partial, FILES)]) await makeFolder(path);
    return await work(partial, at);
  } finally {
    await rm(partial, { recursive: true, force: true });
    // A lock file created by root would lock out the server's own user.
    await rm(lockPath, { force: true });
    lock.release();
  }
}

/** Creates a private folder with the owner of its parent. */
export async function makeFolder(path: string): Promise<void> {
  await mkdir(path, { mode: 0o700 });
  inheritOwner(path);
}

async function removePartials(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(`${PARTIAL_PREFIX}formstead-`)) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/**
 * Copies the database first, since every file it refers to is on disk by then. Submissions deleted afterwards, before
 * their files were copied, are removed from the copy, so that every row has its file.
 */
async function writeBackup(source: BackupSource, partial: string, at: Micros): Promise<Manifest> {
  const { dataDir, storage, progress, programVersion } = source;
  Object.assign(progress, { step: 'database', done: 0, of: 0 });
  using live = storage.openDatabase(join(dataDir, DATABASE));
  await live.copyTo(join(partial, DATABASE), source.minFreeBytes);
  using copy = storage.openDatabase(join(partial, DATABASE));
  const damage = copy.checkIntegrity();
  if (damage.length > 0) throw new SetupError(`The database is damaged and was not backed up: ${damage.join('; ')}`);
  const { blobs, deleted, missing } = await copyFiles(source, partial, live, copy);
  const keys = copy.vaultKeys();
  if (source.withKey) await copyKeys(dataDir, partial, keys);
  const names = [...(source.withKey ? [KEY_FILE] : []), DATABASE, ...blobs.map((blob) => `${FILES}/${blob}`)];
  const files = await hashAll(partial, names, progress);
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
}

async function copyFiles(source: BackupSource, partial: string, live: DatabaseFile, copy: DatabaseFile) {
  const { dataDir, bucket, progress } = source;
  const rows = copy.fileRows();
  Object.assign(progress, { step: 'files', done: 0, of: rows.length });
  const absent: FileRow[] = [];
  const copyOne = async (row: FileRow) => {
    const target = join(partial, FILES, row.blob);
    const isCopied =
      (await linkOrCopy(join(dataDir, FILES, row.blob), target)) || (await download(bucket, row.blob, target));
    if (!isCopied) absent.push(row);
    progress.done += 1;
  };
  const width = bucket ? DOWNLOADS : 1;
  for (let at = 0; at < rows.length; at += width) await Promise.all(rows.slice(at, at + width).map(copyOne));
  // Rows are deleted before their files, so an absent file whose row still exists was lost earlier.
  const deleted = new Set(absent.filter(({ blob }) => !live.hasBlob(blob)).map(({ submissionId }) => submissionId));
  copy.deleteSubmissions([...deleted]);
  const missing = new Set(absent.filter(({ submissionId }) => !deleted.has(submissionId)).map(({ blob }) => blob));
  for (const { blob, submissionId } of rows) {
    if (deleted.has(submissionId)) await rm(join(partial, FILES, blob), { force: true });
  }
  const present = rows.filter(({ blob, submissionId }) => !deleted.has(submissionId) && !missing.has(blob));
  return { blobs: present.map(({ blob }) => blob).sort(), deleted: [...deleted], missing: [...missing] };
}

/** Copies a blob from the bucket. Returns false if there is no bucket or no such blob in it. */
async function download(bucket: BackupSource['bucket'], blob: string, to: string): Promise<boolean> {
  try {
    const stored = await bucket?.read(blob);
    if (!stored) return false;
    const { size } = await writeWithDigest(stored.bytes, to);
    if (size === stored.size) return true;
    throw new BucketError('GET', 'a short answer', true);
  } catch (error) {
    const cause = error instanceof AppError ? error.cause : error;
    if (!(cause instanceof BucketError)) throw error;
    throw new SetupError(
      `Could not copy the files in the bucket: ${cause.message}. Run "formstead doctor" for the reason, then back up again.`,
    );
  }
}

/** Links or copies a blob. Returns false if it does not exist. Blobs are immutable, so a hard link is safe. */
async function linkOrCopy(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to).catch(async (error) => {
      if (!LINK_ERRORS.includes(codeOf(error))) throw error;
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      inheritOwner(to);
      await using file = await open(to, 'r+');
      await file.chmod(0o600);
      await file.sync();
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Copies the key file. It must run after the database copy: new keys are in the key file first. */
async function copyKeys(dataDir: string, partial: string, required: ReturnType<DatabaseFile['vaultKeys']>) {
  const path = join(dataDir, KEY_FILE);
  const keys = readKeyFile(path);
  if (!keys) {
    throw new SetupError(
      `There is no ${path} to back up. Keep a copy of the key ${keyNames(required)} elsewhere and back up without the key.`,
    );
  }
  const missing = missingKeys(required, keys);
  if (missing.length > 0) {
    throw new SetupError(`${path} does not hold the key ${keyNames(missing)}, with which the database is sealed.`);
  }
  const text = keys.map((key) => `${encodeMasterKey(key)}\n`).join('');
  await writeSynced(text, join(partial, KEY_FILE));
}

async function hashAll(folder: string, names: readonly string[], progress: BackupProgress): Promise<BackupFile[]> {
  Object.assign(progress, { step: 'hashes', done: 0, of: names.length });
  const files: BackupFile[] = [];
  for (const name of names) {
    files.push({ name, ...(await digestChunks(readFileChunks(join(folder, name)))) });
    progress.done += 1;
  }
  return files;
}

/** Returns the newest complete backup in a folder; null if the folder has none or does not exist. */
export const newestBackup = async (folder: string) => (await listBackups(folder))[0] ?? null;

/** Returns the complete backups in a folder, newest first; `at` is their time in milliseconds since 1970. */
async function listBackups(folder: string) {
  const names = await readdir(folder).catch((error) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  const backups: Array<Readonly<{ path: string; at: number }>> = [];
  for (const name of names.sort().reverse()) {
    const at = backupTime(name);
    const path = join(folder, name);
    const isComplete = at !== null && (await stat(join(path, MANIFEST)).catch(() => null)) !== null;
    if (isComplete) backups.push({ path, at: at / 1000 });
  }
  return backups;
}

/**
 * Deletes all but the newest `keep` backups and returns the paths of the deleted ones. `newest` is the path of the
 * latest backup, which stays even if the clock was set back since the others.
 */
export async function pruneBackups(folder: string, keep: number, newest: string): Promise<string[]> {
  const older = (await listBackups(folder)).filter(({ path }) => path !== newest);
  const old = older.slice(keep - 1);
  for (const { path } of old) {
    // Rename first, so that a half-deleted backup does not look complete.
    const partial = join(folder, `${PARTIAL_PREFIX}${basename(path)}`);
    await rename(path, partial);
    await rm(partial, { recursive: true, force: true });
  }
  return old.map(({ path }) => path);
}

type KeyCheck = Readonly<{ id: number; check: string }>;

/** Returns the required keys that are not available. */
export function missingKeys(required: readonly KeyCheck[], available: readonly KeyCheck[]): KeyCheck[] {
  return required.filter(({ id, check }) => !available.some((key) => key.id === id && key.check === check));
}

/** Returns the key names for a message: `1f2e3d4c, 5a6b7c8d`. */
export function keyNames(keys: ReadonlyArray<Readonly<{ id: number }>>): string {
  return keys.map(({ id }) => formatKeyId(id)).join(', ');
}

/** Maximum age of the newest backup, as a multiple of BACKUP_HOURS. */
const MAX_INTERVALS = 2;

/**
 * State of the scheduled backups: those of PostgreSQL are made elsewhere; others are off, in a folder inside the data
 * directory, without a first backup, or with a newest one made at `at`. It is late if at least two are due.
 */
export type BackupState =
  | Readonly<{ state: 'elsewhere' | 'off' }>
  | Readonly<{ state: 'none' | 'inside'; folder: string }>
  | Readonly<{ state: 'recent' | 'late'; path: string; at: Micros; ageHours: number }>;

/** Reads the state of the scheduled backups from their folder. `instanceName` is null with SQLite. */
export async function backupState({
  config: { dataDir, backupDir: folder, backupHours },
  clock,
  instanceName,
}: Readonly<{
  clock: Clock;
  instanceName: string | null;
  config: Readonly<{ dataDir: string; backupDir: string | null; backupHours: number }>;
}>): Promise<BackupState> {
  if (instanceName !== null) return { state: 'elsewhere' };
  if (folder === null) return { state: 'off' };
  if (isInside(dataDir, folder)) return { state: 'inside', folder };
  const newest = await newestBackup(folder);
  if (!newest) return { state: 'none', folder };
  const at = newest.at * 1_000;
  const ageHours = Math.floor((clock() - at) / HOUR);
  return { state: ageHours < MAX_INTERVALS * backupHours ? 'recent' : 'late', path: newest.path, at, ageHours };
}
