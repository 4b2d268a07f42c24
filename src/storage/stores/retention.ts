import { and, asc, type Column, eq, gt, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import { countRows, type Db, hint, inList, toList } from '../database.ts';
import type { DeletionResult } from '../records.ts';
import { files, importRows, outbox, submissions } from '../schema.ts';
import { queueDeletionEvents } from './deliveries.ts';
import { isInFormOf } from './forms.ts';
import { FIRST, FORM_ID, hasId, IS_CONFIRMED, keyOf, liveQuery, STORED, timesOf } from './live-submissions.ts';
import { PENDING_SQL } from './outbox.ts';
import { requestPurge } from './purges.ts';

/** The maximum number of rows of a transaction: SQLite's blocks other writers, PostgreSQL's the posts of the team. */
const MAX_ROWS = { sqlite: 200, postgres: 100 };

/** Further limits of SQLite's transactions. Size counts because deleted data is overwritten. */
const OVERWRITING = { bytes: 1024 * 1024, ms: 3 };

type Found = Readonly<{ createdAt: Micros; id: string; formId: string; size: number; isConfirmed: boolean | number }>;

/** The number of ids or times processed, at least one; the caller continues after them. */
type Scanned = Readonly<{ scanned: number }>;

const NOTHING: DeletionResult = {
  ...{ submissions: 0, blobs: [] },
  ...{ mails: 0, mailsInFlight: 0, deliveries: 0, deliveriesInFlight: 0 },
};

/** Returns the condition that a column has one of these values, which are one parameter. */
function isAny(tx: Db, column: Column, values: readonly (string | number)[]): SQL {
  return inList(tx, column, typeof values[0] === 'string' ? 'text' : 'bigint', sql.param(toList(tx, values)));
}

/** Creates the store methods that delete submissions, in transactions of a few milliseconds. Usage is unchanged. */
export function retentionStore(db: Db, clock: Clock) {
  const maxRows = MAX_ROWS[db.engine];
  /** Returns SQL for the oldest submissions of a form before a time, in the trash too. Each part is ordered by its index. */
  const older = (formId: string, below: Micros, limit: number, folders = STORED, trashed = sql``): SQL => sql`
    SELECT created_at FROM (${liveQuery(db, folders, 'ASC', { form: formId, above: FIRST, below, limit })}) AS live
    UNION ALL
    SELECT created_at FROM (SELECT created_at FROM submissions ${hint(db, 'trash_of_form')}
      WHERE form_key = ${keyOf(formId)} AND trashed_at IS NOT NULL AND created_at < ${below} ${trashed}
      ORDER BY created_at LIMIT ${limit}) AS trashed
    LIMIT ${limit}`;

  /** Locks submissions in the order of their times, so that two deletions don't wait for each other. */
  const lock = async (tx: Db, condition: SQL | undefined): Promise<Found[]> => {
    const { createdAt, id } = submissions;
    const size = sql<number>`length(payload) + coalesce(length(files), 0)`;
    const columns = { createdAt, id, formId: FORM_ID, size, isConfirmed: sql<boolean | number>`${IS_CONFIRMED}` };
    const query = tx.select(columns).from(submissions).where(condition).orderBy(asc(createdAt));
    return tx.locked(query, 'update');
  };

  /** Deletes submissions with their files, messages, mails and deliveries until the batch is full. */
  const deleteRows = async (
    tx: Db,
    candidates: ReadonlyArray<Found | undefined>,
    announce: typeof queueDeletionEvents | null = queueDeletionEvents,
  ): Promise<DeletionResult & Scanned> => {
    const scanned = tx.engine === 'sqlite' ? await overwrite(tx, candidates) : candidates.length;
    const rows = candidates.slice(0, scanned).filter((found) => found !== undefined);
    if (rows.length === 0) return { ...NOTHING, scanned };
    const now = clock();
    const ids = rows.map(({ id }) => id);
    const isInFlight = sql`${sql.raw(PENDING_SQL)} AND leased_until > ${now}`;
    const [counts] = await tx.rows<Partial<DeletionResult>>(sql`
      SELECT count(*) FILTER (WHERE webhook_id IS NULL) AS mails,
        count(*) FILTER (WHERE webhook_id IS NULL AND ${isInFlight}) AS "mailsInFlight",
        count(*) FILTER (WHERE webhook_id IS NOT NULL) AS deliveries,
        count(*) FILTER (WHERE webhook_id IS NOT NULL AND ${isInFlight}) AS "deliveriesInFlight"
      FROM outbox WHERE ${isAny(tx, outbox.submissionId, ids)}`);
    const ofThem = isAny(tx, files.submissionId, ids);
    const blobs = await tx.select({ blob: files.blob }).from(files).where(ofThem);
    const announced = rows.filter(({ isConfirmed }) => isConfirmed);
    await announce?.(tx, announced, now);
    const times = rows.map(({ createdAt }) => createdAt);
    await tx.delete(submissions).where(isAny(tx, submissions.createdAt, times));
    return { ...NOTHING, ...counts, submissions: ids.length, blobs: blobs.map(({ blob }) => blob), scanned };
  };

  /** Deletes the submissions that a query finds, if they still meet the condition. */
  const deleteFound = async (query: SQL, condition?: SQL): Promise<DeletionResult> => {
    for (;;) {
      const times = await timesOf(db, query);
      // An empty write transaction of SQLite would wait for the disk.
      if (times.length === 0) return NOTHING;
      const deleted = await db.lockingTransaction(async (tx) =>
        deleteRows(tx, await lock(tx, and(isAny(tx, submissions.createdAt, times), condition))),
      );
      // Another process may have deleted all that was found, but not all that there is.
      if (deleted.submissions > 0) return deleted;
    }
  };

  return {
    /** Deletes a submission, in the trash too, and returns the names of its blobs; null if the team has no such submission. */
    deleteSubmission: (id: string, teamId: string): Promise<readonly string[] | null> =>
      db.lockingTransaction(async (tx) => {
        const deleted = await deleteRows(tx, await lock(tx, and(hasId(id), isInFormOf(tx, teamId, 'all'))));
        return deleted.submissions > 0 ? deleted.blobs : null;
      }),

    /** Counts the submissions of a form created before `before`, up to `max`. */
    countOlder: (formId: string, before: Micros, max: number): Promise<number> =>
      countRows(db, older(formId, before, max)),

    /** Deletes a batch of the oldest submissions created before `before`, none at the end. */
    deleteOlder: (formId: string, before: Micros): Promise<DeletionResult> =>
      deleteFound(older(formId, before, maxRows)),

    /** Deletes a batch of a form's submissions created before `before` that nobody has confirmed, none at the end. */
    deleteUnconfirmed: (formId: string, before: Micros): Promise<DeletionResult> => {
      const isUnconfirmed = sql`NOT ${IS_CONFIRMED}`;
      return deleteFound(older(formId, before, maxRows, ['unconfirmed'], sql`AND ${isUnconfirmed}`), isUnconfirmed);
    },

    /** Deletes a batch of the submissions of a form trashed before `before`, none at the end. */
    deleteTrashed: (formId: string, before: Micros): Promise<DeletionResult> =>
      deleteFound(
        sql`SELECT created_at FROM submissions ${hint(db, 'submissions_of_form')}
          WHERE form_key = ${keyOf(formId)} AND trashed_at < ${before} ORDER BY trashed_at LIMIT ${maxRows}`,
        lt(submissions.trashedAt, before),
      ),

    deleteTrashedSubmissions: (ids: readonly string[], teamId: string): Promise<DeletionResult & Scanned> =>
      db.lockingTransaction(async (tx) => {
        const batch = ids.slice(0, maxRows);
        const isDeletable = and(hasId(...batch), isNotNull(submissions.trashedAt), isInFormOf(tx, teamId, 'live'));
        const found = new Map((await lock(tx, isDeletable)).map((row) => [row.id, row]));
        const candidates = batch.map((id) => found.get(id));
        return deleteRows(tx, candidates);
      }),

    /** Deletes submissions of a team by creation time. Requests a purge. */
    deleteSubmissionsAt: (times: readonly Micros[], teamId: string): Promise<DeletionResult & Scanned> =>
      db.lockingTransaction(async (tx) => {
        const batch = times.slice(0, maxRows);
        const isDeletable = and(isAny(tx, submissions.createdAt, batch), isInFormOf(tx, teamId, 'all'));
        const found = new Map((await lock(tx, isDeletable)).map((row) => [row.createdAt, row]));
        const candidates = batch.map((at) => found.get(at));
        const deleted = await deleteRows(tx, candidates);
        if (deleted.submissions > 0) await requestPurge(tx);
        return deleted;
      }),

    /**
     * Deletes a batch of the submissions of an import, with the hashes of their rows, after the hash `after`. Rows whose
     * submission was deleted earlier keep their hash. Webhooks get no event. `last` is null at the end.
     */
    deleteImported: (importId: string, after: string): Promise<DeletionResult & Readonly<{ last: string | null }>> =>
      db.lockingTransaction(async (tx) => {
        const { hash, submissionId } = importRows;
        const isNext = and(eq(importRows.importId, importId), gt(hash, after));
        const next = tx.select({ hash, id: submissionId }).from(importRows).where(isNext).orderBy(asc(hash));
        const rows = await next.limit(maxRows);
        const locked = await lock(tx, hasId(...rows.map(({ id }) => id)));
        const found = new Map(locked.map((row) => [row.id, row]));
        const candidates = rows.map(({ id }) => found.get(id));
        const { scanned, ...deleted } = await deleteRows(tx, candidates, null);
        const done = rows.slice(0, scanned);
        const forgotten = done.filter(({ id }) => found.has(id)).map(({ hash }) => hash);
        await tx.delete(importRows).where(inArray(importRows.hash, forgotten));
        return { ...deleted, last: done.at(-1)?.hash ?? null };
      }),
  };
}

/**
 * Overwrites candidates, at least one, until the batch is full. Returns the number of candidates processed. All rows are
 * overwritten before the first is deleted, because SQLite may leave copies of rows that it moves between pages.
 */
async function overwrite(tx: Db, candidates: ReadonlyArray<Found | undefined>): Promise<number> {
  const startedAt = performance.now();
  let [scanned, bytes] = [0, 0];
  for (const found of candidates) {
    scanned += 1;
    if (found) {
      await tx.hotRows(
        'overwrite submission',
        { at: found.createdAt },
        ({ at }) => sql`UPDATE submissions SET payload = zeroblob(length(payload)), files = ${zeroed('files')},
          spam_reasons = ${zeroed('spam_reasons')}, source = ${zeroed('source')} WHERE created_at = ${at}`,
      );
      await tx.hotRows(
        'overwrite messages',
        { id: found.id },
        ({ id }) => sql`UPDATE messages SET body = zeroblob(length(body)) WHERE submission_id = ${id}`,
      );
      bytes += found.size;
    }
    if (bytes >= OVERWRITING.bytes || performance.now() - startedAt > OVERWRITING.ms) break;
  }
  return scanned;
}

const zeroed = (column: string): SQL => sql.raw(`iif(${column} IS NULL, NULL, zeroblob(length(${column})))`);
