import { mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import {
  type BackupFile,
  DATABASE,
  entryName,
  FILES,
  KEY_FILE,
  MANIFEST,
  type Manifest,
  parseManifest,
  UNFINISHED_RESTORE,
} from '../../domain/backup.ts';
import { SetupError } from '../../domain/errors.ts';
import { digestChunks, type FileDigest, readFileChunks, writeWithDigest } from '../../lib/file-io.ts';
import { createFolder, syncFolder } from '../../lib/file-system.ts';
import { readTar, TarError } from '../../lib/tar.ts';
import type { StorageAtRest } from '../../storage/at-rest.ts';
import { type MasterKeys, parseMasterKeys } from '../../vault/key-ring.ts';
import { keyNames, makeFolder, missingKeys } from './backups.ts';

/** Faults listed in a message. */
const MAX_LISTED_FAULTS = 5;

export type RestoreProgress = { files: number };

/** Dependencies of a restore; `configuredKeys` are the keys from the environment. */
export type RestoreDeps = Readonly<{
  storage: StorageAtRest;
  configuredKeys: MasterKeys | null;
  progress: RestoreProgress;
}>;

/** A backup to read: a folder, or the bytes of a tar archive. */
export type Backup = Readonly<{ folder: string }> | Readonly<{ archive: AsyncIterable<Uint8Array> }>;

/** Result of the check of a complete backup; `keys` is the source of its encryption keys. */
export type CheckedBackup = Readonly<{
  manifest: Manifest;
  bytes: number;
  keys: 'in the backup' | 'given' | 'not given';
}>;

type Entry = Readonly<{ name: string; bytes: AsyncIterable<Uint8Array> }>;

/** Opens a backup folder or archive. Throws `SetupError` if the path does not exist. */
export async function openBackup(path: string): Promise<Backup> {
  const stats = await stat(path).catch(() => null);
  if (!stats) throw new SetupError(`There is no backup at ${path}.`);
  return stats.isDirectory() ? { folder: path } : { archive: readFileChunks(path) };
}

/**
 * Reads and verifies a whole backup without restoring it. For an archive, the database is unpacked to a temporary
 * folder. Throws `SetupError` with the faults if the backup is incomplete or was changed.
 */
export async function checkBackup(deps: RestoreDeps, backup: Backup): Promise<CheckedBackup> {
  if ('folder' in backup) return check(deps, backup, () => null, join(backup.folder, DATABASE));
  const temporary = await mkdtemp(join(tmpdir(), 'formstead-verify-'));
  const database = join(temporary, DATABASE);
  try {
    return await check(deps, backup, (name) => (name === DATABASE ? database : null), database);
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/**
 * Restores a backup into an empty or new data directory. The files are verified in a staging folder and then moved; a
 * server refuses to start after an interrupted move. Throws `SetupError` and leaves the disk unchanged on failure.
 */
export async function restoreBackup(deps: RestoreDeps, backup: Backup, dataDir: string): Promise<CheckedBackup> {
  const created = createFolder(dataDir);
  try {
    return await restoreInto(dataDir, deps, backup);
  } catch (error) {
    if (created !== undefined) await removeEmptyFolders(resolve(dataDir), resolve(created));
    throw error;
  }
}

async function restoreInto(dataDir: string, deps: RestoreDeps, backup: Backup): Promise<CheckedBackup> {
  const listOthers = async () => (await readdir(dataDir)).filter((name) => name !== UNFINISHED_RESTORE);
  const staging = join(dataDir, UNFINISHED_RESTORE);
  const isEmpty = (await readdir(dataDir)).length === 0;
  if (isEmpty) await makeFolder(staging);
  // Check again: another process may have started here meanwhile.
  if (!isEmpty || (await listOthers()).length > 0) {
    if (isEmpty) await rmdir(staging);
    throw new SetupError(`DATA_DIR (${dataDir}) is not empty. Restore into a new directory.`);
  }
  try {
    syncFolder(dataDir);
    await makeFolder(join(staging, FILES));
    const checked = await check(deps, backup, (name) => join(staging, name), join(staging, DATABASE));
    if (checked.keys === 'not given') {
      const names = keyNames(checked.manifest.keys);
      throw new SetupError(
        `This backup does not include its key ${names}. Set ENCRYPTION_KEY or ENCRYPTION_KEY_FILE to your copy and restore again.`,
      );
    }
    syncFolder(join(staging, FILES));
    syncFolder(staging);
    for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
    syncFolder(dataDir);
    await rmdir(staging);
    syncFolder(dataDir);
    return checked;
  } catch (error) {
    for (const name of [FILES, DATABASE, KEY_FILE]) await rm(join(dataDir, name), { recursive: true, force: true });
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** Removes `folder` and its parents up to `topmost`, as far as they are empty. */
async function removeEmptyFolders(folder: string, topmost: string): Promise<void> {
  try {
    await rmdir(folder);
    if (folder !== topmost) await removeEmptyFolders(dirname(folder), topmost);
  } catch {
    // Another process has put something there meanwhile.
  }
}

/**
 * Verifies a backup. `targetOf` returns the path to write a file to, null to only read it; `database` is the path of
 * the database after that.
 */
async function check(deps: RestoreDeps, backup: Backup, targetOf: (name: string) => string | null, database: string) {
  const { storage, configuredKeys, progress } = deps;
  const { manifest, files, keyText } = await readAll(backup, targetOf, progress);
  requireUnchanged(manifest, files);
  requireComplete(storage, database, manifest, files);
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  return { manifest, bytes, keys: keySource(manifest, keyText, configuredKeys) };
}

async function readAll(backup: Backup, targetOf: (name: string) => string | null, progress: RestoreProgress) {
  const files = new Map<string, BackupFile>();
  let manifest: Manifest | null = null;
  let keyText = '';
  try {
    for await (const { name, bytes } of 'folder' in backup ? inFolder(backup.folder) : inArchive(backup.archive)) {
      if (files.has(name) || (name === MANIFEST && manifest)) {
        throw new SetupError(`The archive contains ${name} twice.`);
      }
      if (name === MANIFEST) {
        manifest = parseManifest(await toText(bytes));
        if (!manifest) throw new SetupError(`Its ${MANIFEST} is damaged or was made by a newer Formstead.`);
        continue;
      }
      if (name === KEY_FILE) keyText = await toText(bytes);
      const path = targetOf(name);
      const source = name === KEY_FILE ? once(keyText) : bytes;
      const measured: FileDigest = path === null ? await digestChunks(source) : await writeWithDigest(source, path);
      files.set(name, { name, ...measured });
      progress.files += 1;
    }
  } catch (error) {
    throw error instanceof TarError ? new SetupError(`It cannot be read as a tar archive (${error.message}).`) : error;
  }
  if (!manifest) throw new SetupError(`The backup is incomplete: ${MANIFEST} is missing.`);
  return { manifest, files, keyText };
}

/** Yields the files of a backup folder, the manifest first as in an archive. */
async function* inFolder(folder: string): AsyncGenerator<Entry> {
  const names = [...(await readdir(folder)), ...(await readdir(join(folder, FILES)).catch(() => [])).map(blobPath)];
  const entries = new Set(names.filter((name) => entryName(name) === name));
  for (const name of new Set([MANIFEST, KEY_FILE, DATABASE, ...entries])) {
    if (entries.has(name)) yield { name, bytes: readFileChunks(join(folder, name)) };
  }
}

const blobPath = (blob: string): string => `${FILES}/${blob}`;

async function* inArchive(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  for await (const { path, bytes } of readTar(archive)) {
    const name = entryName(path);
    if (name === null) throw new SetupError(`It is not a Formstead backup: it contains ${JSON.stringify(path)}.`);
    yield { name, bytes };
  }
}

/** Throws `SetupError` unless the files match the manifest. */
function requireUnchanged(manifest: Manifest, files: ReadonlyMap<string, BackupFile>): void {
  const faults = manifest.files.flatMap(({ name, size, sha256 }) => {
    const file = files.get(name);
    if (!file) return `${name} is missing`;
    return file.size === size && file.sha256 === sha256 ? [] : `${name} was changed`;
  });
  const listed = new Set(manifest.files.map(({ name }) => name));
  const extra = [...files.keys()].filter((name) => !listed.has(name)).map((name) => `${name} is not in the manifest`);
  refuseIfDamaged([...faults, ...extra]);
}

/** Throws `SetupError` unless the database is intact and the backup has all its keys and files. */
function requireComplete(
  storage: StorageAtRest,
  path: string,
  manifest: Manifest,
  files: ReadonlyMap<string, BackupFile>,
): void {
  if (!files.has(DATABASE)) refuseIfDamaged([`${DATABASE} is missing`]);
  using database = storage.openDatabase(path);
  refuseIfDamaged(database.checkIntegrity());
  database.schema();
  const keys = database.vaultKeys();
  const unlisted = missingKeys(keys, manifest.keys);
  refuseIfDamaged(unlisted.map((key) => `the key ${keyNames([key])} is not in the manifest`));
  const knownMissing = new Set(manifest.missing);
  const absent = database.fileRows().filter(({ blob }) => !files.has(blobPath(blob)) && !knownMissing.has(blob));
  refuseIfDamaged(absent.map(({ blob, submissionId }) => `${blobPath(blob)} of ${submissionId} is missing`));
}

/** Returns the source of the required keys. Throws `SetupError` if the configured or included keys are other ones. */
function keySource({ keys }: Manifest, keyText: string, configuredKeys: MasterKeys | null): CheckedBackup['keys'] {
  const notConfigured = configuredKeys ? missingKeys(keys, configuredKeys) : [];
  if (notConfigured.length > 0) {
    throw new SetupError(
      `ENCRYPTION_KEY or ENCRYPTION_KEY_FILE does not hold the key ${keyNames(notConfigured)}, with which this backup is sealed.`,
    );
  }
  const notIncluded = missingKeys(keys, parseMasterKeys(keyText) ?? []);
  if (notIncluded.length === 0) return 'in the backup';
  if (keyText !== '') throw new SetupError(`Its ${KEY_FILE} does not hold the key ${keyNames(notIncluded)}.`);
  return configuredKeys ? 'given' : 'not given';
}

function refuseIfDamaged(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const excess = faults.length - MAX_LISTED_FAULTS;
  const more = excess > 0 ? `; and ${excess} more` : '';
  throw new SetupError(`The backup is damaged: ${faults.slice(0, MAX_LISTED_FAULTS).join('; ')}${more}.`);
}

async function toText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
