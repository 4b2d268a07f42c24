import { SetupError } from '../../domain/errors.ts';
import { type MoveMark, markText } from '../../domain/instance/move.ts';
import type { UploadedFile } from '../../domain/submissions/submission.ts';
import { digestChunks } from '../../lib/file-io.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { Blobs, StoredBlob } from '../../storage/blobs.ts';
import {
  type CellValue,
  getKey,
  type MovableDatabase,
  RowDigest,
  type Table,
  type TableRow,
  toCell,
} from '../../storage/movable-tables.ts';
import { sealedSize } from '../../vault/file-cipher.ts';
import { type AssociatedData, fingerprintKeyAad, UnreadableRecordError, type Vault } from '../../vault/vault.ts';

/** Limits of a page. The rows of the page before give the number of rows for `bytes`. */
const PAGE = { rows: 250, bytes: 8 * 1024 * 1024 };
const FILES_AT_ONCE = 8;
const MAX_LISTED_FAULTS = 5;

/** Progress of a move: `done` counts rows or files of the step. */
export type MoveProgress = { step: string; done: number };

/** A file to move; `bytes` is its sealed size. */
type MovedFile = Readonly<{ blob: string; bytes: number }>;

/** Stores sealed files under given names. */
type FileCopies = Pick<Blobs, 'read'> & Readonly<{ put: (name: string, content: StoredBlob) => Promise<void> }>;

/** The files of the source, and the place of the target's files; `isInPlace` if they are the same. */
type FileTarget = Readonly<{ source: Pick<Blobs, 'read'>; target: FileCopies; isInPlace: boolean }>;

export type MoveDeps = Readonly<{
  source: MovableDatabase;
  target: MovableDatabase;
  tables: readonly Table[];
  /** The vault of the source. */
  vault: Vault;
  files: FileTarget;
  progress: MoveProgress;
}>;

/** A verified table; `sha256` is the same on both engines. */
type MovedTable = Readonly<{ table: string; rows: number; sha256: string }>;

export type MoveResult = Readonly<{ tables: readonly MovedTable[]; records: number; files: number; bytes: number }>;

/**
 * Copies all tables and files of the source into the target, verifies them, and marks the source as moved. Continues an
 * interrupted move. Throws `SetupError`, with nothing marked if a record or file of the source cannot be opened.
 */
export async function moveInstance(deps: MoveDeps): Promise<MoveResult> {
  const { source, target, tables } = deps;
  const mark = await prepareMark(deps);
  const files = await checkSource(deps);
  if (!mark.isDone) {
    await source.writeMark({ ...mark, role: 'source', other: target.name });
    await target.writeMark({ ...mark, role: 'target', other: source.name });
  }
  for (const table of tables) await copyTable(deps, table);
  const counters = await source.readCounters();
  await target.writeCounters(counters);
  const bytes = await copyFiles(deps, files);
  const verified = await verify(deps);
  if (JSON.stringify(await target.readCounters()) !== JSON.stringify(counters)) throw differs(deps, 'counters');
  // The target becomes usable last, so that never both are.
  await source.writeMark({ ...mark, role: 'source', other: target.name, isDone: true });
  await target.writeMark(null);
  return { ...verified, files: files.length, bytes };
}

/** Removes the mark of a source. Throws `SetupError` if it has none. */
export async function undoMove(source: MovableDatabase): Promise<MoveMark> {
  const mark = await source.readMark();
  if (mark?.role === 'target') throw new SetupError(`${markText(mark)} To give it up, empty ${source.name} instead.`);
  if (!mark) throw new SetupError(`${source.name} is not marked as moved. Check DATA_DIR and DATABASE_URL.`);
  await source.writeMark(null);
  return mark;
}

/** Returns the mark of a new or interrupted move. Throws `SetupError` unless the target belongs to it or is empty. */
async function prepareMark({ source, target, tables }: MoveDeps): Promise<MoveMark> {
  const [ofSource, ofTarget] = [await source.readMark(), await target.readMark()];
  const isOwn = ofTarget?.role === 'target' && ofTarget.id === ofSource?.id;
  if (ofSource && (ofSource.role === 'target' || ofSource.other !== target.name))
    throw new SetupError(markText(ofSource));
  if (ofSource?.isDone && !isOwn) throw new SetupError(markText(ofSource));
  if (isOwn) return ofSource;
  if (ofTarget && (ofTarget.id !== '' || ofTarget.other !== source.name)) {
    throw new SetupError(`${target.name} is marked by another move: ${markText(ofTarget)} Move to an empty database.`);
  }
  for (const table of tables) {
    if ((await target.lastKey(table)) === null) continue;
    throw new SetupError(`${target.name} is not empty: ${table.name} has rows. Move to an empty database.`);
  }
  return ofSource ?? { id: crypto.randomUUID(), role: 'source', other: target.name, isDone: false };
}

/** Yields all rows of a table after a key, page by page. */
async function* toRows(from: MovableDatabase, table: Table, after: TableRow | null = null): AsyncGenerator<TableRow[]> {
  for (let [last, limit] = [after, PAGE.rows / 10]; ; ) {
    const rows = await from.readRows(table, last, limit);
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    if (!end || rows.length < limit) return;
    last = getKey(table, end);
    const average = rows.flat().reduce((sum: number, value) => sum + getSize(value), 1) / rows.length;
    limit = Math.ceil(Math.min(PAGE.rows, PAGE.bytes / average));
    await yieldToEventLoop();
  }
}

function getSize(value: CellValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

/** Opens all records of the source, and looks for its files. Throws `SetupError` with the unreadable ones. */
async function checkSource({ source, target, tables, vault, files, progress }: MoveDeps): Promise<MovedFile[]> {
  const faults: string[] = [];
  const blobs = new Map<string, MovedFile>();
  Object.assign(progress, { step: 'checking records', done: 0 });
  for (const table of tables) {
    for await (const rows of toRows(source, table)) {
      for (const row of rows) {
        const fault = target.faultOf(table, row);
        if (fault !== null)
          faults.push(`${table.name} ${toCell(table, row, 'id') ?? getKey(table, row).join(' ')}: ${fault}`);
        const { opened, damaged } = openRecords(vault, table, row);
        faults.push(...damaged);
        for (const { blob, size } of opened.flatMap(filesIn)) blobs.set(blob, { blob, bytes: sealedSize(size) });
      }
      progress.done += rows.length;
    }
  }
  Object.assign(progress, { step: 'checking files', done: 0 });
  await forEachFile([...blobs.values()], progress, async ({ blob, bytes }) => {
    const stored = await files.source.read(blob);
    if (!stored) faults.push(`file ${blob}: missing`);
    else if (stored.size !== bytes) faults.push(`file ${blob}: wrong length`);
  });
  if (faults.length === 0) return [...blobs.values()];
  const excess = faults.length - MAX_LISTED_FAULTS;
  throw new SetupError(
    `${source.name} cannot be moved: ${faults.slice(0, MAX_LISTED_FAULTS).join('; ')}${excess > 0 ? `; and ${excess} more` : ''}. Restore a backup or delete what they belong to, and if all files are missing, check DATA_DIR and S3_URL. Nothing was moved.`,
  );
}

type Opened = Readonly<{ aad: AssociatedData; plaintext: Buffer }>;

function openRecords(vault: Vault, table: Table, row: TableRow): { opened: Opened[]; damaged: string[] } {
  const [opened, damaged]: [Opened[], string[]] = [[], []];
  for (const { aad, record } of sealedIn(table, row)) {
    try {
      opened.push({ aad, plaintext: vault.open(record, aad) });
    } catch (error) {
      if (!(error instanceof UnreadableRecordError)) throw error;
      damaged.push(`${aad.table} ${aad.row}: ${aad.column} (${error.message})`);
    }
  }
  return { opened, damaged };
}

function sealedIn(table: Table, row: TableRow): Array<{ aad: AssociatedData; record: Uint8Array }> {
  const id = toCell(table, row, 'id');
  if (table.name === 'vault_keys') {
    const record = toCell(table, row, 'fingerprint_key');
    // An unused key may have been removed from the key ring.
    if (!(record instanceof Uint8Array) || toCell(table, row, 'state') === 'unused') return [];
    return [{ aad: fingerprintKeyAad(Number(id)), record }];
  }
  const form = String(row[table.columns.length] ?? '');
  return table.sealed.flatMap((column) => {
    const record = toCell(table, row, column);
    // A mark that is not learned yet has empty changes.
    if (!(record instanceof Uint8Array) || record.length === 0) return [];
    return [{ aad: { table: table.name, row: String(id), form, column }, record }];
  });
}

/** Returns the files of an opened record, if it is the list of a submission's files. */
function filesIn({ aad, plaintext }: Opened): UploadedFile[] {
  return aad.table === 'submissions' && aad.column === 'files' ? JSON.parse(plaintext.toString()) : [];
}

/** Copies the rows of a table that the target lacks. */
async function copyTable({ source, target, progress }: MoveDeps, table: Table): Promise<void> {
  Object.assign(progress, { step: `copying ${table.name}`, done: 0 });
  for await (const rows of toRows(source, table, await target.lastKey(table))) {
    await target.writeRows(table, rows);
    progress.done += rows.length;
  }
}

/** Copies files that the target lacks, and returns their total size. */
async function copyFiles({ files: target, progress }: MoveDeps, files: readonly MovedFile[]): Promise<number> {
  Object.assign(progress, { step: 'copying files', done: 0 });
  await forEachFile(files, progress, (file) => copyFile(target, file));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** Copies a sealed file as it is, unless the target has it, and compares both. Throws `SetupError` if they differ. */
async function copyFile({ source, target, isInPlace }: FileTarget, { blob, bytes }: MovedFile): Promise<void> {
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

async function forEachFile(
  files: readonly MovedFile[],
  progress: MoveProgress,
  work: (file: MovedFile) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < files.length; start += FILES_AT_ONCE) {
    const page = files.slice(start, start + FILES_AT_ONCE);
    await Promise.all(page.map(work));
    progress.done += page.length;
  }
}

/** Compares all tables of both databases, and opens all records of the target. Throws `SetupError` for a difference. */
async function verify(deps: MoveDeps): Promise<Pick<MoveResult, 'tables' | 'records'>> {
  const { source, target, tables, vault, progress } = deps;
  const verified: MovedTable[] = [];
  let records = 0;
  for (const table of tables) {
    Object.assign(progress, { step: `verifying ${table.name}`, done: 0 });
    const [expected, actual] = [new RowDigest(), new RowDigest()];
    for await (const rows of toRows(source, table)) for (const row of rows) expected.add(row);
    for await (const rows of toRows(target, table)) {
      for (const row of rows) {
        actual.add(row);
        const { opened, damaged } = openRecords(vault, table, row);
        if (damaged.length > 0) throw differs(deps, damaged.join('; '));
        records += opened.length;
      }
      progress.done += rows.length;
    }
    const sha256 = actual.hex();
    if (expected.rows !== actual.rows || expected.hex() !== sha256) throw differs(deps, table.name);
    verified.push({ table: table.name, rows: actual.rows, sha256 });
  }
  return { tables: verified, records };
}

function differs({ source, target }: MoveDeps, what: string): SetupError {
  return new SetupError(
    `${target.name} differs from ${source.name} after the move: ${what}. Run "formstead move --undo", empty the target, and move again.`,
  );
}
