import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { formatTime, type Micros, parseTime } from '../lib/clock.ts';

/** What lies in a backup beside `files`, which has one file for each blob. */
export const MANIFEST = 'manifest.json';
export const DATABASE = 'formstead.db';
export const KEY_FILE = 'encryption.key';
export const FILES = 'files';

/** Where a restore gathers what it writes, inside the data directory: as long as it is there, nothing starts. */
export const UNFINISHED_RESTORE = 'restore-unfinished';

const FORMAT = 'formstead-backup-1';

/** `files/` and the name of a blob, or one of the three. Nothing else is ever written by a restore. */
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
 * What a backup says of itself. `schema` is the last migration of its database, `keys` are those it was sealed with, whether
 * they lie in it or not. `deleted_meanwhile` are ids of submissions that were deleted, with their files, while it was made, and
 * that are left out; `missing` are blobs that the data directory itself had lost.
 */
export type Manifest = Readonly<{
  format: typeof FORMAT;
  created_at: string;
  program_version: string;
  schema: string;
  keys: ReadonlyArray<Readonly<{ id: number; check: string }>>;
  files: readonly BackupFile[];
  deleted_meanwhile: readonly string[];
  missing: readonly string[];
}>;

export function newManifest(fields: Omit<Manifest, 'format'>): Manifest {
  return { format: FORMAT, ...fields };
}

/** Null for a text that is none. */
export function parseManifest(text: string): Manifest | null {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(ManifestSchema, value) ? value : null;
  } catch {
    return null;
  }
}

/** Sorts by time: `formstead-2026-11-21T08-00-00-000123Z`. */
export function backupName(at: Micros): string {
  return `formstead-${formatTime(at).replace(/[:.]/g, '-')}`;
}

/** When the backup of that name was begun; null for a name that no backup has. */
export function backupTime(name: string): Micros | null {
  const [, day, hour, minute, second, micros] = BACKUP_NAME.exec(name) ?? [];
  return day === undefined ? null : parseTime(`${day}T${hour}:${minute}:${second}.${micros}Z`);
}

/** What a path inside a backup stands for, whatever folders it was packed in; null for what no backup has. */
export function entryName(path: string): string | null {
  return ENTRY.exec(path)?.[1] ?? null;
}
