import { and, desc, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { withTime } from '../../lib/ids.ts';
import { CLOCK, endOfDay, LASTING } from '../counters.ts';
import { type Db, deleteRows, firstRow, updateRows } from '../database.ts';
import type { ImportedSubmission, ImportRecord } from '../records.ts';
import { files, forms, importRows, imports, submissions, vaultKeys, workspaces } from '../schema.ts';
import { KEY_ID } from '../sealed-tables.ts';
import { unavailable } from '../unavailable.ts';
import { addToCounters, lockClock } from './counters.ts';
import { fromForms } from './reach.ts';

/** Times whose successor is remembered, so that many rows of one time don't search from its start. */
const MAX_REMEMBERED = 10_000;

/** The span in which taken times are read at once, in microseconds. */
const WINDOW = 500;

/** A row with the time and the id of its submission. */
type Timed = Readonly<{ row: ImportedSubmission; id: string; createdAt: Micros }>;
type OpenImport = Readonly<{ formId: string; formKey: number; teamId: string; startedAt: Micros }>;

/** Creates the store methods for imports. Imported submissions count as read and toward no usage. */
export function importStore(db: Db) {
  /** Lower bounds of the next free times, by the time of a row. */
  const nextFree = new Map<Micros, Micros>();

  return {
    create: async (record: Pick<ImportRecord, 'id' | 'formId' | 'source' | 'createdAt'>): Promise<void> => {
      await db.insert(imports).values(record);
    },

    /**
     * Stores rows of an import whose hash is new, at their time or the next free microsecond. They count as read and toward
     * no usage, and no mail or webhook is queued. Returns the ids of the stored ones, or null if the form was deleted or
     * the import undone.
     */
    add: async (importId: string, rows: readonly ImportedSubmission[]): Promise<readonly string[] | null> => {
      const added = await db.lockingTransaction(async (tx) => {
        const last = await lockClock(tx);
        await requireCurrentKey(tx, rows);
        const open = await findOpenImport(tx, importId);
        if (!open) return null;
        const unseen = await listUnseen(tx, rows);
        if (unseen.length === 0) return [];
        const wanted = unseen.map(({ createdAt }) => nextFree.get(createdAt) ?? createdAt);
        const times = await freeTimes(tx, wanted);
        const timed = unseen.map((row, index) => {
          const createdAt = times[index] ?? row.createdAt;
          return { row, id: withTime(row.id, createdAt), createdAt };
        });
        await insertRows(tx, importId, open, timed);
        await count(tx, importId, open, timed, last);
        return timed;
      });
      if (nextFree.size >= MAX_REMEMBERED) nextFree.clear();
      for (const { row, createdAt } of added ?? []) nextFree.set(row.createdAt, createdAt + 1);
      return added?.map(({ id }) => id) ?? null;
    },

    /** Returns those of the hashes that belong to imported rows, also of submissions deleted since. */
    findHashes: async (hashes: readonly string[]): Promise<string[]> => {
      return [...(await seenHashes(db, hashes))];
    },

    /** Sets the time at which an import was finished or undone. */
    setEnd: async (id: string, end: Readonly<{ finishedAt: Micros } | { undoneAt: Micros }>): Promise<void> => {
      await db.update(imports).set(end).where(eq(imports.id, id));
    },

    find: (id: string): Promise<ImportRecord | null> => firstRow(db.select().from(imports).where(eq(imports.id, id))),

    /** Lists the imports of a form, newest first. */
    list: async (formId: string, limit: number): Promise<ImportRecord[]> =>
      db.select().from(imports).where(eq(imports.formId, formId)).orderBy(desc(imports.createdAt)).limit(limit),

    /** Deletes up to `limit` hashes of imported rows of a form. Returns the count. */
    deleteRows: async (formId: string, limit: number): Promise<number> => {
      const { hash, importId } = importRows;
      const ofForm = db.select({ id: imports.id }).from(imports).where(eq(imports.formId, formId));
      const some = db.select({ hash }).from(importRows).where(inArray(importId, ofForm)).limit(limit);
      return deleteRows(db, importRows, inArray(hash, some));
    },
  };
}

async function findOpenImport(tx: Db, id: string): Promise<OpenImport | null> {
  const { formId, createdAt: startedAt, undoneAt } = imports;
  const columns = { formId, formKey: forms.key, teamId: workspaces.teamId, startedAt };
  const isOpen = and(eq(imports.id, id), isNull(undoneAt), isNull(forms.trashedAt));
  const open = fromForms(tx, columns).innerJoin(imports, eq(imports.formId, forms.id)).where(isOpen);
  // A form that moves to the trash, or an import that is undone, waits.
  return firstRow(tx.locked(open, 'no key update', [imports, forms]));
}

async function seenHashes(tx: Db, hashes: readonly string[]): Promise<Set<string>> {
  const { hash } = importRows;
  const isAny = inArray(hash, [...hashes]);
  return new Set((await tx.select({ hash }).from(importRows).where(isAny)).map((row) => row.hash));
}

/** Returns the rows whose hash is new, each hash once. The lock of the clock keeps others from adding them meanwhile. */
async function listUnseen(tx: Db, rows: readonly ImportedSubmission[]): Promise<ImportedSubmission[]> {
  const hashes = rows.map((row) => row.hash);
  const seen = await seenHashes(tx, hashes);
  return rows.filter((row) => !seen.has(row.hash) && seen.add(row.hash));
}

/** Returns the first free creation time at or after each time, without those of earlier rows. */
async function freeTimes(tx: Db, times: readonly Micros[]): Promise<Micros[]> {
  const starts = [...new Set(times)];
  const taken = new Set(await takenTimes(tx, starts));
  const searches = new Map(starts.map((start) => [start, { time: start, knownUntil: start + WINDOW }]));
  const free: Micros[] = [];
  for (const start of times) {
    const search = searches.getOrInsertComputed(start, () => ({ time: start, knownUntil: start }));
    while (search.time >= search.knownUntil || taken.has(search.time)) {
      if (search.time < search.knownUntil) {
        search.time += 1;
        continue;
      }
      for (const time of await takenTimes(tx, [search.time])) taken.add(time);
      search.knownUntil = search.time + WINDOW;
    }
    taken.add(search.time);
    free.push(search.time);
  }
  return free;
}

/** Returns the creation times of submissions within `WINDOW` after each of the times. */
async function takenTimes(tx: Db, starts: readonly Micros[]): Promise<Micros[]> {
  const { createdAt: at } = submissions;
  const taken: Micros[] = [];
  for (const start of starts) {
    const inWindow = and(gte(at, start), lt(at, start + WINDOW));
    taken.push(...(await tx.select({ at }).from(submissions).where(inWindow)).map((row) => row.at));
  }
  return taken;
}

async function insertRows(tx: Db, importId: string, { formKey, startedAt }: OpenImport, timed: readonly Timed[]) {
  await tx.insert(importRows).values(timed.map(({ row: { hash }, id }) => ({ hash, importId, submissionId: id })));
  const toRow = ({ row: { isSpam, payload, files: sealed, fileBytes }, id, createdAt }: Timed) => ({
    ...{ createdAt, id, formKey, isSpam, fileBytes, readAt: startedAt },
    ...{ payload: Buffer.from(payload), files: sealed && Buffer.from(sealed) },
  });
  await tx.insert(submissions).values(timed.map(toRow));
  const blobs = timed.flatMap(({ row, id }) => row.blobs.map((blob) => ({ blob, submissionId: id })));
  if (blobs.length > 0) await tx.insert(files).values(blobs);
}

/** Counts imported rows, and advances the clock from `last`. */
async function count(tx: Db, importId: string, { formId, teamId }: OpenImport, timed: readonly Timed[], last: Micros) {
  const bytes = timed.reduce(
    (sum, { row: { payload, files: sealed, fileBytes } }) => sum + payload.length + (sealed?.length ?? 0) + fileBytes,
    0,
  );
  const days = [...Map.groupBy(timed, ({ createdAt }) => endOfDay(createdAt))].map(([until, rows]) => {
    const spam = rows.filter(({ row }) => row.isSpam).length;
    return { owner: formId, until, amount: rows.length - spam, spam };
  });
  const advance = Math.max(0, ...timed.map(({ createdAt }) => createdAt - last));
  await addToCounters(tx, [
    { owner: teamId, until: LASTING, amount: bytes, spam: 0 },
    { owner: CLOCK, until: LASTING, amount: advance, spam: 0 },
    ...days,
  ]);
  await updateRows(tx, imports, { added: sql`added + ${timed.length}` }, eq(imports.id, importId));
}

/** Throws if rows are sealed under another key than the current one, after the lock of the clock row. */
async function requireCurrentKey(tx: Db, rows: readonly ImportedSubmission[]): Promise<void> {
  const [current] = await tx.select({ id: vaultKeys.id }).from(vaultKeys).where(eq(vaultKeys.state, 'current'));
  const isStale = ({ payload }: ImportedSubmission) =>
    Buffer.from(payload).readUInt32BE(KEY_ID.first - 1) !== current?.id;
  if (current && rows.some(isStale)) throw unavailable('rows are sealed under a key that is no longer used');
}
