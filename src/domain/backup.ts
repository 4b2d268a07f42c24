import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { formatTime, type Micros, parseTime } from '../lib/clock.ts';
import { jsonOrNull } from '../lib/json.ts';

/** Names inside a backup; `files` has one file per blob. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'formstead.db';
export const KEY_FILE = 'encryption.key';
export const FILES = 'files';

/** File of the data directory with the id of its files in a bucket. Backups leave it out. */
export const WRITER_ID = 's3-writer';

/** Folder of the data directory with files that the sweep removed within the last day. */
export const QUARANTINE = 'files-quarantine';

/** Staging folder of a restore in the data directory. While it exists, nothing starts. */
export const UNFINISHED_RESTORE = 'restore-unfinished';

const FORMAT = 'formstead-backup-1';

/** The only entry names that a restore writes: the three files above, and `files/` with the name of a blob. */
const NAME = 'manifest\\.json|formstead\\.db|encryption\\.key|files/[0-9a-f]{32}';
const ENTRY = new RegExp(`(?:^|/)(${NAME})$`);

const BACKUP_NAME = /^formstead-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{6})Z$/;

const ManifestSchema = Type.Object({
  format: Type.Literal(FORMAT),
  created_at: Type.String(),
  program_version: Type.String(),
  schema: Type.String(),
  keys: Type.Array(Type.Object({ id: Type.Integer(), check: Type.String() })),
  files: Type.Array(
    Type.Object({
      name: Type.String({ pattern: `^(?:${NAME})$` }),
      size: Type.Integer({ minimum: 0 }),
      sha256: Type.String(),
    }),
  ),
  deleted_meanwhile: Type.Array(Type.String()),
  missing: Type.Array(Type.String()),
});

/** A file of a backup; `sha256` in hex. */
export type BackupFile = Readonly<{ name: string; size: number; sha256: string }>;

/**
 * The manifest of a backup. `schema` is its database's last migration; `keys` lists the keys that its records need,
 * even if the backup excludes them. `deleted_meanwhile` lists submissions deleted during the backup, whose files are
 * excluded; `missing` lists blobs that were already missing in the data directory.
 */
export type Manifest = Readonly<Static<typeof ManifestSchema>>;

/** Creates a manifest in the current format. */
export const newManifest = (fields: Omit<Manifest, 'format'>): Manifest => ({ format: FORMAT, ...fields });

/** Parses a manifest; returns null for anything else. */
export function parseManifest(text: string): Manifest | null {
  const value = jsonOrNull(text);
  return Value.Check(ManifestSchema, value) ? value : null;
}

/** Formats the folder name of a backup, which sorts by time: `formstead-2026-11-21T08-00-00-000123Z`. */
export const backupName = (at: Micros): string => `formstead-${formatTime(at).replace(/[:.]/g, '-')}`;

/** Parses the start time from a backup's folder name; returns null for other names. */
export function backupTime(name: string): Micros | null {
  const [, day, hour, minute, second, micros] = BACKUP_NAME.exec(name) ?? [];
  return day === undefined ? null : parseTime(`${day}T${hour}:${minute}:${second}.${micros}Z`);
}

/** Returns the manifest name of an archive path, ignoring parent folders; null for paths that no backup contains. */
export const entryName = (path: string): string | null => ENTRY.exec(path)?.[1] ?? null;
