import { and, asc, eq, gt, inArray, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { forms, importRows, submissions } from '../schema.ts';
import type { EngineStores } from '../store.ts';
import { queueDeletionEvents } from '../stores/delivery-writers.ts';
import { formsOfTeam, isInLiveForm } from '../stores/forms.ts';
import { FIRST, FORM_ID, hasId, keyOf, LIVE, liveQuery } from '../stores/live-submissions.ts';
import { requestPurge } from '../stores/purges.ts';
import { deleteLocked, type Locked, NOTHING } from './deletions.ts';

/** The maximum number of rows that a transaction deletes. Posts of the same team wait for it. */
const BATCH_ROWS = 100;

/** Creates the store methods that delete submissions in batches. */
export function retentionStore(db: Db, clock: Clock) {
  /** Returns SQL for the creation times of the oldest submissions of a form before a time, in the trash too. */
  const older = (formId: string, below: Micros, limit: number): SQL => sql`
    (${liveQuery(db, LIVE, 'ASC', { form: formId, above: FIRST, below, limit })})
    UNION ALL
    (SELECT created_at FROM submissions WHERE form_key = ${keyOf(formId)} AND trashed_at IS NOT NULL AND created_at < ${below}
      ORDER BY created_at LIMIT ${limit})
    LIMIT ${limit}`;
  /** Locks submissions in the order of their times, so that two deletions don't wait for each other. */
  const lock = async (tx: Db, condition: SQL | undefined): Promise<Locked[]> =>
    tx.locked(
      tx
        .select({ createdAt: submissions.createdAt, id: submissions.id, formId: FORM_ID })
        .from(submissions)
        .where(condition)
        .orderBy(asc(submissions.createdAt)),
      'update',
    );
  const deleteBatch = async (tx: Db, condition: SQL | undefined, announce = queueDeletionEvents) =>
    deleteLocked(tx, await lock(tx, condition), clock(), announce);
  const isOfTeam = (tx: Db, teamId: string) => inArray(submissions.formKey, formsOfTeam(tx, teamId, forms.key));

  return {
    deleteSubmission: (id, teamId) =>
      db.lockingTransaction(async (tx) => {
        const locked = await lock(tx, and(hasId(id), isOfTeam(tx, teamId)));
        return locked.length > 0 ? (await deleteLocked(tx, locked, clock())).blobs : null;
      }),

    countOlder: async (formId, before, limit) => {
      const rows = await db.rows<{ total: number }>(
        sql`SELECT count(*) AS total FROM (${older(formId, before, limit)}) AS counted`,
      );
      return rows[0]?.total ?? 0;
    },

    deleteOlder: (formId, before) =>
      db.lockingTransaction(async (tx) => {
        const rows = await tx.rows<{ created_at: Micros }>(older(formId, before, BATCH_ROWS));
        if (rows.length === 0) return NOTHING;
        const times = rows.map(({ created_at }) => created_at);
        return deleteBatch(tx, inArray(submissions.createdAt, times));
      }),

    deleteTrashed: (formId, before) =>
      db.lockingTransaction(async (tx) => {
        const isOld = and(eq(submissions.formKey, keyOf(formId)), lt(submissions.trashedAt, before));
        const rows = await tx
          .select({ createdAt: submissions.createdAt })
          .from(submissions)
          .where(isOld)
          .orderBy(asc(submissions.trashedAt))
          .limit(BATCH_ROWS);
        if (rows.length === 0) return NOTHING;
        const times = rows.map(({ createdAt }) => createdAt);
        return deleteBatch(tx, and(inArray(submissions.createdAt, times), isOld));
      }),

    deleteTrashedSubmissions: (ids, teamId) =>
      db.lockingTransaction(async (tx) => {
        const batch = ids.slice(0, BATCH_ROWS);
        const isDeletable = and(hasId(...batch), isNotNull(submissions.trashedAt), isInLiveForm(tx, teamId));
        return { ...(await deleteBatch(tx, isDeletable)), scanned: batch.length };
      }),

    deleteSubmissionsAt: (times, teamId) =>
      db.lockingTransaction(async (tx) => {
        const batch = times.slice(0, BATCH_ROWS);
        const deleted = await deleteBatch(tx, and(inArray(submissions.createdAt, batch), isOfTeam(tx, teamId)));
        if (deleted.submissions > 0) await requestPurge(tx);
        return { ...deleted, scanned: batch.length };
      }),

    deleteImported: (importId, after) =>
      db.lockingTransaction(async (tx) => {
        const rows = await tx
          .select({ hash: importRows.hash, id: importRows.submissionId })
          .from(importRows)
          .where(and(eq(importRows.importId, importId), gt(importRows.hash, after)))
          .orderBy(asc(importRows.hash))
          .limit(BATCH_ROWS);
        const ids = rows.map(({ id }) => id);
        const locked = await lock(tx, hasId(...ids));
        const deleted = await deleteLocked(tx, locked, clock(), async () => {});
        const found = new Set(locked.map(({ id }) => id));
        const forgotten = rows.filter(({ id }) => found.has(id)).map(({ hash }) => hash);
        await tx.delete(importRows).where(inArray(importRows.hash, forgotten));
        return { ...deleted, last: rows.at(-1)?.hash ?? null };
      }),
  } satisfies EngineStores['retention'];
}
