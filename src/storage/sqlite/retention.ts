import { type SQL, sql } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import { getTime } from '../../lib/ids.ts';
import type { Db } from '../database.ts';
import type { DeletionResult } from '../records.ts';
import type { EngineStores } from '../store.ts';
import { queueDeletionEvents } from '../stores/delivery-writers.ts';
import { FIRST, keyOf, LIVE, liveQuery } from '../stores/live-submissions.ts';
import { requestPurge } from '../stores/purges.ts';
import type { Drizzle } from './database.ts';

/** The limits of a transaction, which blocks other writers. Size counts because deleted data is overwritten. */
const BATCH = { rows: 200, bytes: 1024 * 1024, ms: 3 };

type Size = Readonly<{ createdAt: Micros; id: string; formId: string; size: number }>;

type OutboxCounts = Pick<DeletionResult, 'mails' | 'mailsInFlight' | 'deliveries' | 'deliveriesInFlight'>;

const NO_MAILS: OutboxCounts = { mails: 0, mailsInFlight: 0, deliveries: 0, deliveriesInFlight: 0 };
const OUTBOX_COUNTS = Object.keys(NO_MAILS) as ReadonlyArray<keyof OutboxCounts>;
const NOTHING: DeletionResult = { submissions: 0, blobs: [], ...NO_MAILS };

/** Creates the store methods that delete submissions in batches and remove their traces from the database files. */
export function retentionStore({ $client }: Drizzle, db: Db, clock: Clock) {
  const COLUMNS =
    'created_at AS createdAt, id, (SELECT f.id FROM forms f WHERE f.key = form_key) AS formId, length(payload) + coalesce(length(files), 0) AS size';
  /** Returns SQL for the oldest submissions of a form before a time, in the trash too. Each part is ordered by its index. */
  const older = (formId: string, below: Micros, limit: number): SQL => sql`
    SELECT created_at FROM (${liveQuery(db, LIVE, 'ASC', { form: formId, above: FIRST, below, limit })})
    UNION ALL
    SELECT created_at FROM (SELECT created_at FROM submissions INDEXED BY trash_of_form
      WHERE form_key = ${keyOf(formId)} AND trashed_at IS NOT NULL AND created_at < ${below} ORDER BY created_at LIMIT ${limit})
    LIMIT ${limit}`;
  const countOlder = async (formId: string, before: Micros, limit: number): Promise<number> => {
    const [row] = await db.rows<{ total: number }>(
      sql`SELECT count(*) AS total FROM (${older(formId, before, limit)})`,
    );
    return row?.total ?? 0;
  };
  const trashed = $client.query<Size, [formId: string, before: Micros, limit: number]>(
    `SELECT ${COLUMNS} FROM submissions INDEXED BY submissions_of_form
     WHERE form_key = (SELECT f.key FROM forms f WHERE f.id = ?) AND trashed_at < ? ORDER BY trashed_at LIMIT ?`,
  );
  const at = $client.query<Size, [createdAt: Micros]>(`SELECT ${COLUMNS} FROM submissions WHERE created_at = ?`);
  const formsOfTeam = 'SELECT f.key FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE w.team_id = ?';
  const ofTeamAt = $client.query<Size, [createdAt: Micros, teamId: string]>(
    `SELECT ${COLUMNS} FROM submissions WHERE created_at = ? AND form_key IN (${formsOfTeam})`,
  );
  const trashedOfTeam = $client.query<Size, [createdAt: Micros, teamId: string]>(
    `SELECT ${COLUMNS} FROM submissions
     WHERE created_at = ? AND trashed_at IS NOT NULL AND form_key IN (${formsOfTeam} AND f.trashed_at IS NULL)`,
  );
  const imported = $client.query<{ hash: string; id: string }, [importId: string, after: string, limit: number]>(
    `SELECT hash, submission_id AS id FROM import_rows WHERE import_id = ? AND hash > ? ORDER BY hash LIMIT ?`,
  );
  const forgetRow = $client.query<null, [hash: string]>('DELETE FROM import_rows WHERE hash = ?');
  const blobsOf = $client.query<{ blob: string }, [id: string]>('SELECT blob FROM files WHERE submission_id = ?');
  const isInFlight = "state IN ('queued', 'retrying') AND leased_until > $now";
  const outboxOf = $client.query<OutboxCounts, { now: Micros; id: string }>(
    `SELECT count(*) FILTER (WHERE webhook_id IS NULL) AS mails,
       count(*) FILTER (WHERE webhook_id IS NULL AND ${isInFlight}) AS mailsInFlight,
       count(*) FILTER (WHERE webhook_id IS NOT NULL) AS deliveries,
       count(*) FILTER (WHERE webhook_id IS NOT NULL AND ${isInFlight}) AS deliveriesInFlight
     FROM outbox WHERE submission_id = $id`,
  );
  const overwrite = $client.query<null, [createdAt: Micros]>(
    `UPDATE submissions SET payload = zeroblob(length(payload)), files = iif(files IS NULL, NULL, zeroblob(length(files))),
       spam_reasons = iif(spam_reasons IS NULL, NULL, zeroblob(length(spam_reasons))),
       source = iif(source IS NULL, NULL, zeroblob(length(source))) WHERE created_at = ?`,
  );
  const overwriteMessages = $client.query<null, [submissionId: string]>(
    'UPDATE messages SET body = zeroblob(length(body)) WHERE submission_id = ?',
  );
  const remove = $client.query<null, [createdAt: Micros]>('DELETE FROM submissions WHERE created_at = ?');

  /**
   * Deletes candidates, at least one, until the batch is full. `scanned` is the number of candidates processed. All
   * rows are overwritten before the first is deleted, because SQLite may leave copies of rows that it moves between
   * pages.
   */
  const deleteBatch = async (
    tx: Db,
    candidates: Iterable<Size | null>,
    announce: typeof queueDeletionEvents | null = queueDeletionEvents,
  ): Promise<DeletionResult & Readonly<{ scanned: number }>> => {
    const startedAt = performance.now();
    const now = clock();
    const deleted: Size[] = [];
    let [scanned, bytes] = [0, 0];
    for (const candidate of candidates) {
      scanned += 1;
      if (candidate) {
        overwrite.run(candidate.createdAt);
        overwriteMessages.run(candidate.id);
        deleted.push(candidate);
        bytes += candidate.size;
      }
      if (bytes >= BATCH.bytes || performance.now() - startedAt > BATCH.ms) break;
    }
    if (deleted.length > 0) await announce?.(tx, deleted, now);
    const blobs: string[] = [];
    const sums = { ...NO_MAILS };
    for (const { createdAt, id } of deleted) {
      const counts = outboxOf.get({ now, id }) ?? NO_MAILS;
      for (const name of OUTBOX_COUNTS) sums[name] += counts[name];
      blobs.push(...blobsOf.all(id).map(({ blob }) => blob));
      remove.run(createdAt);
    }
    return { submissions: deleted.length, blobs, ...sums, scanned };
  };

  return {
    countOlder,

    // An empty write transaction would wait for the disk.
    deleteOlder: async (formId, before) => {
      if ((await countOlder(formId, before, 1)) === 0) return NOTHING;
      return db.transaction(async (tx) => {
        const rows = await tx.rows<{ created_at: Micros }>(older(formId, before, BATCH.rows));
        return deleteBatch(
          tx,
          rows.values().map(({ created_at }) => at.get(created_at)),
        );
      });
    },

    deleteTrashed: async (formId, before) => {
      if (trashed.get(formId, before, 1) === null) return NOTHING;
      return db.transaction((tx) => deleteBatch(tx, trashed.all(formId, before, BATCH.rows)));
    },

    deleteSubmission: (id, teamId) =>
      db.transaction(async (tx) => {
        const found = withId(id, ofTeamAt.get(getTime(id), teamId));
        return found && (await deleteBatch(tx, [found])).blobs;
      }),

    deleteTrashedSubmissions: (ids, teamId) =>
      db.transaction((tx) => {
        const candidates = ids.slice(0, BATCH.rows).values();
        return deleteBatch(
          tx,
          candidates.map((id) => withId(id, trashedOfTeam.get(getTime(id), teamId))),
        );
      }),

    deleteSubmissionsAt: (times, teamId) =>
      db.transaction(async (tx) => {
        const candidates = times.slice(0, BATCH.rows).values();
        const deleted = await deleteBatch(
          tx,
          candidates.map((at) => ofTeamAt.get(at, teamId)),
        );
        if (deleted.submissions > 0) await requestPurge(tx);
        return deleted;
      }),

    deleteImported: (importId, after) =>
      db.transaction(async (tx) => {
        const rows = imported.all(importId, after, BATCH.rows);
        const candidates = rows.map(({ id }) => withId(id, at.get(getTime(id))));
        const { scanned, ...deleted } = await deleteBatch(tx, candidates, null);
        const done = rows.slice(0, scanned);
        for (const [index, { hash }] of done.entries()) if (candidates[index]) forgetRow.run(hash);
        return { ...deleted, last: done.at(-1)?.hash ?? null };
      }),
  } satisfies EngineStores['retention'];
}

/** Returns the submission found at the time of an id, if it has this id. */
function withId(id: string, found: Size | null): Size | null {
  return found?.id === id ? found : null;
}
