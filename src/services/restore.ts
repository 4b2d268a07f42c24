import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
} from '../domain/backup.ts';
import { SetupError } from '../domain/errors.ts';
import { type Measured, measure, piecesOf, writeMeasured } from '../lib/file-io.ts';
import { makeFolder, syncFolder } from '../lib/sync-folder.ts';
import { readTar, TarError } from '../lib/tar.ts';
import type { StorageAtRest } from '../storage/at-rest.ts';
import { type MasterKeys, parseMasterKeys } from '../vault/key-ring.ts';
import { keyNames, keysLacking } from './backup-keys.ts';

const NAMED = 5;

export type RestoreProgress = { files: number };

/** What restoring works with. `configuredKeys` are those of the environment. */
export type RestoreDeps = Readonly<{
  storage: StorageAtRest;
  configuredKeys: MasterKeys | null;
  progress: RestoreProgress;
}>;

/** A backup to be read: a folder, or the bytes of a tar archive. */
export type Backup = Readonly<{ folder: string }> | Readonly<{ archive: AsyncIterable<Uint8Array> }>;

/** What was found in a whole backup. `keys` says where those are that it needs. */
export type Checked = Readonly<{ manifest: Manifest; bytes: number; keys: 'in the backup' | 'given' | 'not given' }>;

type Entry = Readonly<{ name: string; bytes: AsyncIterable<Uint8Array> }>;

/** Opens a folder, or a file with an archive. Throws `SetupError` if there is neither. */
export async function openBackup(path: string): Promise<Backup> {
  const facts = await stat(path).catch(() => null);
  if (!facts) throw new SetupError(`there is no backup ${path}.`);
  return facts.isDirectory() ? { folder: path } : { archive: piecesOf(path) };
}

/**
 * Reads a whole backup and throws `SetupError`, saying what is wrong, unless all is as it was written. Nothing is kept; of an
 * archive the database is laid down in a temporary folder for that long.
 */
export async function checkBackup(deps: RestoreDeps, backup: Backup): Promise<Checked> {
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
 * Puts a backup into a data directory that is empty or not there. It is checked as it is written, and only moved to its place
 * when all is right; a directory in which that was cut off starts nothing. Throws `SetupError`, leaving it empty, otherwise.
 */
export async function restoreBackup(deps: RestoreDeps, backup: Backup, dataDir: string): Promise<Checked> {
  makeFolder(dataDir);
  const others = async () => (await readdir(dataDir)).filter((name) => name !== UNFINISHED_RESTORE);
  const staging = join(dataDir, UNFINISHED_RESTORE);
  const isFree = (await readdir(dataDir)).length === 0;
  if (isFree) await mkdir(staging, { mode: 0o700 });
  // Asked again: somebody may have started here meanwhile.
  if (!isFree || (await others()).length > 0) {
    if (isFree) await rmdir(staging);
    throw new SetupError(`DATA_DIR is ${dataDir}, which is not empty; restore into a new directory.`);
  }
  try {
    syncFolder(dataDir);
    await mkdir(join(staging, FILES), { mode: 0o700 });
    const checked = await check(deps, backup, (name) => join(staging, name), join(staging, DATABASE));
    if (checked.keys === 'not given') {
      throw new SetupError(
        `this backup was sealed with the key ${keyNames(checked.manifest.keys)}, which is not in it; set ENCRYPTION_KEY or ENCRYPTION_KEY_FILE to your copy and restore again.`,
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

/** `place` says where a file is to be written, null for nowhere; the database then lies at `database`. */
async function check(
  { storage, configuredKeys, progress }: RestoreDeps,
  backup: Backup,
  place: (name: string) => string | null,
  database: string,
): Promise<Checked> {
  const { manifest, found, keyText } = await readThrough(backup, place, progress);
  requireSame(manifest, found);
  requireWhole(storage, database, manifest, found);
  const bytes = manifest.files.reduce((sum, { size }) => sum + size, 0);
  return { manifest, bytes, keys: whereKeysAre(manifest, keyText, configuredKeys) };
}

async function readThrough(backup: Backup, place: (name: string) => string | null, progress: RestoreProgress) {
  const found = new Map<string, BackupFile>();
  let manifest: Manifest | null = null;
  let keyText = '';
  try {
    for await (const { name, bytes } of 'folder' in backup ? inFolder(backup.folder) : inArchive(backup.archive)) {
      if (found.has(name) || (name === MANIFEST && manifest)) throw new SetupError(`the archive holds ${name} twice.`);
      if (name === MANIFEST) {
        manifest = parseManifest(await textOf(bytes));
        if (!manifest) throw new SetupError(`its ${MANIFEST} is damaged, or was made by a newer Formstead.`);
        continue;
      }
      if (name === KEY_FILE) keyText = await textOf(bytes);
      const path = place(name);
      const source = name === KEY_FILE ? once(keyText) : bytes;
      const measured: Measured = path === null ? await measure(source) : await writeMeasured(source, path);
      found.set(name, { name, ...measured });
      progress.files += 1;
    }
  } catch (error) {
    throw error instanceof TarError ? new SetupError(`it cannot be read as a tar archive (${error.message}).`) : error;
  }
  if (!manifest) throw new SetupError(`it is not a whole backup: there is no ${MANIFEST} in it.`);
  return { manifest, found, keyText };
}

/** The manifest first, as an archive has it. */
async function* inFolder(folder: string): AsyncGenerator<Entry> {
  const names = [...(await readdir(folder)), ...(await readdir(join(folder, FILES)).catch(() => [])).map(inFiles)];
  const known = new Set(names.filter((name) => entryName(name) === name));
  for (const name of new Set([MANIFEST, KEY_FILE, DATABASE, ...known])) {
    if (known.has(name)) yield { name, bytes: piecesOf(join(folder, name)) };
  }
}

function inFiles(blob: string): string {
  return `${FILES}/${blob}`;
}

async function* inArchive(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  for await (const { path, bytes } of readTar(archive)) {
    const name = entryName(path);
    if (name === null) throw new SetupError(`it is no backup of Formstead: it holds ${JSON.stringify(path)}.`);
    yield { name, bytes };
  }
}

function requireSame(manifest: Manifest, found: ReadonlyMap<string, BackupFile>): void {
  const wrong = manifest.files.flatMap(({ name, size, sha256 }) => {
    const file = found.get(name);
    if (!file) return `${name} is missing`;
    return file.size === size && file.sha256 === sha256 ? [] : `${name} was changed`;
  });
  const listed = new Set(manifest.files.map(({ name }) => name));
  const strange = [...found.keys()].filter((name) => !listed.has(name)).map((name) => `${name} is not in the manifest`);
  refuseIf([...wrong, ...strange]);
}

function requireWhole(
  storage: StorageAtRest,
  path: string,
  manifest: Manifest,
  found: ReadonlyMap<string, BackupFile>,
): void {
  if (!found.has(DATABASE)) refuseIf([`${DATABASE} is missing`]);
  const database = storage.openDatabase(path);
  try {
    refuseIf(database.findDamage());
    database.schema();
    const keys = database.vaultKeys();
    refuseIf(keysLacking(keys, manifest.keys).map((key) => `the manifest does not name the key ${keyNames([key])}`));
    const missing = new Set(manifest.missing);
    const without = database.fileRows().filter(({ blob }) => !found.has(inFiles(blob)) && !missing.has(blob));
    refuseIf(without.map(({ blob, submissionId }) => `${inFiles(blob)} of ${submissionId} is missing`));
  } finally {
    database.close();
  }
}

/** Throws `SetupError` if the keys that are there are not those that it needs. */
function whereKeysAre({ keys }: Manifest, keyText: string, configuredKeys: MasterKeys | null): Checked['keys'] {
  const lackingThere = configuredKeys ? keysLacking(keys, configuredKeys) : [];
  if (lackingThere.length > 0) {
    throw new SetupError(
      `ENCRYPTION_KEY or ENCRYPTION_KEY_FILE does not hold the key ${keyNames(lackingThere)}, which this backup was sealed with.`,
    );
  }
  const lacking = keysLacking(keys, parseMasterKeys(keyText) ?? []);
  if (lacking.length === 0) return 'in the backup';
  if (keyText !== '') throw new SetupError(`its ${KEY_FILE} does not hold the key ${keyNames(lacking)}.`);
  return configuredKeys ? 'given' : 'not given';
}

function refuseIf(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > NAMED ? `; and ${faults.length - NAMED} more` : '';
  throw new SetupError(`the backup is damaged: ${faults.slice(0, NAMED).join('; ')}${more}.`);
}

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  return Buffer.concat(await Array.fromAsync(bytes)).toString();
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
