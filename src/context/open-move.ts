import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, loadSettings, type Secrets } from '../config/config.ts';
import { FILES, KEY_FILE } from '../domain/backup.ts';
import { NoInstanceError, SetupError } from '../domain/errors.ts';
import { databaseTls } from '../domain/instance/database-url.ts';
import { databaseName, MOVE_MARK } from '../domain/instance/move.ts';
import { monotonicClock, systemClock } from '../lib/clock.ts';
import { createFolder } from '../lib/file-system.ts';
import { freeBytes } from '../lib/free-space.ts';
import { createLogger } from '../lib/log.ts';
import { createDataDir, requireInstance } from '../storage/data-dir.ts';
import { diskCopies } from '../storage/disk/disk-blobs.ts';
import { DiskWatch } from '../storage/disk-watch.ts';
import type { MovableDatabase } from '../storage/movable-tables.ts';
import { listTables, openMovableSqlite } from '../storage/sqlite/movable-tables.ts';
import { unlockVault } from '../vault/unlock.ts';
import { openBlobs, openBucket } from './context.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type ReadFile = (path: string) => string;
type Settings = Readonly<{ config: Config; secrets: Secrets }>;

/** Opens the database of the present settings for moving. Throws `SetupError` if it is in use. */
export async function openMoveSource(env: Environment, readFile: ReadFile): Promise<MovableDatabase> {
  return openSource(loadSettings(env, readFile));
}

async function openSource({ config, secrets }: Settings): Promise<MovableDatabase> {
  if (secrets.databaseUrl !== null) {
    const { hasPostgresInstance } = await import('../storage/postgres/open.ts');
    if (await hasPostgresInstance(secrets.databaseUrl)) return openPostgres(secrets.databaseUrl);
    throw new NoInstanceError(databaseName(secrets.databaseUrl));
  }
  requireInstance(config.dataDir);
  return openMovableSqlite(resolve(config.dataDir), null);
}

async function openPostgres(url: string): Promise<MovableDatabase> {
  const { openMovablePostgres } = await import('../storage/postgres/movable-tables.ts');
  return openMovablePostgres(url, listTables());
}

/**
 * Opens the source of the present settings and the target `to`, a `postgres://` URL or `sqlite:` with a directory.
 * `files` is an `s3://` URL, `disk`, or null for the place of the present settings. The caller must call `close`. Throws
 * `SetupError` if a database is in use or the keys are wrong. `nextSettings` are the server's next settings as lines, without
 * the database password.
 */
export async function openMove(env: Environment, readFile: ReadFile, to: string, files: string | null) {
  const settings = loadSettings(env, readFile);
  const { config, secrets } = settings;
  const folder = parseTarget(to, secrets.databaseUrl !== null, config.dataDir);
  const closers: Array<() => Promise<void>> = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne();
  };
  try {
    const source = await openSource(settings);
    closers.push(source.close);
    const listVaultKeys = async () => [...(await source.listVaultKeys())];
    if ((await listVaultKeys()).length === 0) throw new SetupError(`There is no instance in ${source.name}.`);
    const { vault } = await unlockVault(
      { list: listVaultKeys, addFirst: listVaultKeys },
      { configuredKeys: secrets.encryptionKeys, keyFile: join(config.dataDir, KEY_FILE), now: systemClock() },
    );
    if (folder !== null) createFolder(folder);
    const target = folder === null ? await openTarget(to) : await openMovableSqlite(folder, source.name);
    closers.push(target.close);
    const targetSettings = files?.startsWith('s3:') ? withBucket(env, readFile, files) : settings;
    const { origin } = await source.readCounters();
    const place = await openFiles(settings, targetSettings, folder ?? config.dataDir, files, origin);
    const nextSettings = [
      folder === null ? `DATABASE_URL=${withoutPassword(to)}` : `DATA_DIR=${folder}`,
      ...(files === null ? [] : [`S3_URL=${files === 'disk' ? '' : files}`]),
      ...(secrets.encryptionKeys ? [] : [`ENCRYPTION_KEY_FILE=${join(resolve(config.dataDir), KEY_FILE)}`]),
    ];
    return { source, target, tables: listTables(), vault, files: place, nextSettings, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function withoutPassword(url: string): string {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = 'PASSWORD';
  return shown.href;
}

/** Returns the directory of a SQLite target, null for PostgreSQL. Throws `SetupError` for another target. */
function parseTarget(to: string, isFromPostgres: boolean, dataDir: string): string | null {
  if (/^postgres(ql)?:/.test(to)) {
    const url = URL.canParse(to) ? new URL(to) : null;
    if (!url?.hostname || url.pathname.length < 2) {
      throw new SetupError(`--to is not a complete URL. Pass postgres://user:password@host:5432/database.`);
    }
    if (!isFromPostgres) return null;
    throw new SetupError(
      'The rows are in PostgreSQL already. Use pg_dump and pg_restore to copy them to another database.',
    );
  }
  const [, directory] = /^sqlite:(.+)$/s.exec(to) ?? [];
  if (directory === undefined)
    throw new SetupError('--to must be postgres://user:password@host:5432/database or sqlite:DIR.');
  if (!isFromPostgres) {
    throw new SetupError(
      'The rows are in SQLite already. Set DATABASE_URL to move them from there, or restore a backup into another directory.',
    );
  }
  const folder = resolve(directory);
  requireUsable(folder, resolve(dataDir));
  return folder;
}

/** Throws `SetupError` if a directory has files that are not of a move or, in `DATA_DIR`, of its server. */
function requireUsable(folder: string, dataDir: string): void {
  const names = namesIn(folder);
  const isOwn = names.includes(MOVE_MARK) || folder === dataDir;
  if (isOwn || names.every((name) => name.endsWith('.lock'))) return;
  throw new SetupError(`${folder} is not empty. Move to a new directory.`);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

async function openTarget(to: string): Promise<MovableDatabase> {
  try {
    databaseTls(to);
    return await openPostgres(to);
  } catch (error) {
    throw error instanceof SetupError ? new SetupError(error.message.replaceAll('DATABASE_URL', '--to')) : error;
  }
}

/** Returns the settings with another bucket. Throws `SetupError`. */
function withBucket(env: Environment, readFile: ReadFile, files: string): Settings {
  try {
    return loadSettings({ ...env, S3_URL: files }, readFile);
  } catch (error) {
    throw error instanceof SetupError ? new SetupError(error.message.replaceAll('S3_URL', '--files')) : error;
  }
}

/** Opens the files of the source, and the bucket or folder of those of the target. */
async function openFiles(from: Settings, to: Settings, folder: string, files: string | null, origin: string) {
  const { dataDir, minFreeBytes, logLevel: level } = from.config;
  if (files !== null && files !== 'disk' && !files.startsWith('s3:')) {
    throw new SetupError('--files must be s3://bucket/prefix?region=… or disk.');
  }
  createDataDir(dataDir);
  // The commands of a person print no log.
  const log = createLogger({ level, isPretty: false, write: () => {} });
  const readFreeBytes = () => freeBytes(dataDir);
  const disk = new DiskWatch({ readFreeBytes, minFreeBytes, monotonic: monotonicClock, log });
  const source = await openBlobs(dataDir, await openBucket(from.config, from.secrets), disk, log, origin);
  const bucket = files === 'disk' ? null : await openBucket(to.config, to.secrets);
  if (!bucket) {
    const isInPlace = resolve(folder) === resolve(dataDir);
    return { source, target: diskCopies(join(folder, FILES)), isInPlace };
  }
  const { s3Copies } = await import('../storage/s3/s3-blobs.ts');
  const isInPlace = JSON.stringify(from.config.s3) === JSON.stringify(to.config.s3);
  return { source, target: s3Copies(bucket, dataDir, disk), isInPlace };
}
