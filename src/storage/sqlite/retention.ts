import { asc, eq, gt } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { DeletionResult } from '../store.ts';
import type { Drizzle } from './database.ts';
import { deletionEventWriter } from './delivery-writers.ts';
import { FIRST, LIVE, liveQuery, type Span } from './live-submissions.ts';
import { REQUEST_PURGE } from './purge.ts';
import { forms, steadyClock, workspaces } from './schema.ts';
import { type StoreUnits, transaction } from './units.ts';

/** The limits of a transaction, which blocks other writers. Size counts because deleted data is overwritten. */
const BATCH = { rows: 200, bytes: 1024 * 1024, ms: 3 };

type Size = Readonly<{ createdAt: Micros; id: string; size: number }>;

/** An imported row and its submission; `id` is null if that was deleted. */
type ImportedSize = Omit<Size, 'id'> & Readonly<{ hash: string; id: string | null }>;

type OutboxCounts = Pick<DeletionResult, 'mails' | 'mailsInFlight' | 'deliveries' | 'deliveriesInFlight'>;

const NO_MAILS: OutboxCounts = { mails: 0, mailsInFlight: 0, deliveries: 0, deliveriesInFlight: 0 };
const OUTBOX_COUNTS = Object.keys(NO_MAILS) as ReadonlyArray<keyof OutboxCounts>;

/** Creates the store methods that delete submissions in batches and remove their traces from the database files. */
export function retentionStore(db: Drizzle, clock: Clock) {
  const { $client } = db;
  const columns = 'created_at AS createdAt, id, length(payload) + coalesce(length(files), 0) AS size';
  // Each part is ordered by its index.
  const older = (column: string) =>
    `SELECT * FROM (${liveQuery(LIVE, 'ASC', column)})
     UNION ALL
     SELECT * FROM (SELECT ${column} FROM submissions INDEXED BY trash_of_form
       WHERE form_id = ?1 AND trashed_at IS NOT NULL AND created_at < ?3 ORDER BY created_at LIMIT ?4)
     LIMIT ?4`;
  const listOlder = $client.query<Size, Span>(older(columns));
  const countOlder = $client.query<{ total: number }, Span>(`SELECT count(*) AS total FROM (${older('created_at')})`);
  const trashed = $client.query<Size, [formId: string, before: Micros, limit: number]>(
    `SELECT ${columns} FROM submissions INDEXED BY submissions_of_form
     WHERE form_id = ? AND trashed_at < ? ORDER BY trashed_at LIMIT ?`,
  );
  const ofTeam = $client.query<Size, [createdAt: Micros, teamId: string]>(
    `SELECT ${columns} FROM submissions WHERE created_at = ? AND form_id IN (
       SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE w.team_id = ?)`,
  );
  const trashedOfTeam = $client.query<Size, [id: string, teamId: string]>(
    `SELECT ${columns} FROM submissions WHERE id = ? AND trashed_at IS NOT NULL AND +form_id IN (
       SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id
       WHERE w.team_id = ? AND f.trashed_at IS NULL)`,
  );
  const imported = $client.query<ImportedSize, [importId: string, after: string, limit: number]>(
    `SELECT r.hash, ${columns} FROM import_rows r LEFT JOIN submissions s ON s.id = r.submission_id
     WHERE r.import_id = ? AND r.hash > ? ORDER BY r.hash LIMIT ?`,
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
  const writeDeletionEvent = deletionEventWriter(db);
  const remove = $client.query<null, [createdAt: Micros]>('DELETE FROM submissions WHERE created_at = ?');

  /**
   * Deletes candidates, at least one, until the batch is full. `scanned` is the number of candidates processed. All
   * rows are overwritten before the first is deleted, because SQLite may leave copies of rows that it moves between
   * pages.
   */
  const deleteBatch = (
    candidates: Iterable<Size | null>,
    announce = writeDeletionEvent,
  ): DeletionResult & Readonly<{ scanned: number }> => {
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
    const blobs: string[] = [];
    const sums = { ...NO_MAILS };
    for (const { createdAt, id } of deleted) {
      const counts = outboxOf.get({ now, id }) ?? NO_MAILS;
      for (const name of OUTBOX_COUNTS) sums[name] += counts[name];
      announce({ id, createdAt }, now);
      blobs.push(...blobsOf.all(id).map(({ blob }) => blob));
      remove.run(createdAt);
    }
    return { submissions: deleted.length, blobs, ...sums, scanned };
  };

  return {
    listRetentionRules: ({ after, limit }) =>
      db
        .select({ id: forms.id, teamId: workspaces.teamId, retentionDays: forms.retentionDays })
        .from(forms)
        .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
        .where(gt(forms.id, after))
        .orderBy(asc(forms.id))
        .limit(limit)
        .all(),

    countOlder: (formId, before, limit) => countOlder.get(formId, FIRST, before, limit)?.total ?? 0,

    // An empty write transaction would wait for the disk.
    deleteOlder: (formId, before) => {
      if ((countOlder.get(formId, FIRST, before, 1)?.total ?? 0) === 0) return NOTHING;
      return transaction(db, () => deleteBatch(listOlder.all(formId, FIRST, before, BATCH.rows)));
    },

    deleteTrashed: (formId, before) => {
      if (trashed.get(formId, before, 1) === null) return NOTHING;
      return transaction(db, () => deleteBatch(trashed.all(formId, before, BATCH.rows)));
    },

    deleteTrashedSubmissions: (ids, teamId) =>
      transaction(db, () => {
        const candidates = ids.slice(0, BATCH.rows).values();
        return deleteBatch(candidates.map((id) => trashedOfTeam.get(id, teamId)));
      }),

    deleteSubmissionsAt: (times, teamId) =>
      transaction(db, () => {
        const candidates = times.slice(0, BATCH.rows).values();
        const deleted = deleteBatch(candidates.map((at) => ofTeam.get(at, teamId)));
        if (deleted.submissions > 0) $client.run(REQUEST_PURGE);
        return deleted;
      }),

    deleteImported: (importId, after) =>
      transaction(db, () => {
        const rows = imported.all(importId, after, BATCH.rows);
        const { scanned, ...deleted } = deleteBatch(
          rows.map(({ id, ...size }) => (id === null ? null : { ...size, id })),
          () => {},
        );
        const done = rows.slice(0, scanned);
        for (const { id, hash } of done) if (id !== null) forgetRow.run(hash);
        return { ...deleted, last: done.at(-1)?.hash ?? null };
      }),

    recordClock: (maxGap) =>
      transaction(db, () => {
        const now = clock();
        const last = db.select().from(steadyClock).get() ?? {
          seenAt: lastCreatedAt($client) ?? now,
          steadySince: 0,
        };
        const isSteady = Math.abs(now - last.seenAt) <= maxGap;
        const record = { seenAt: now, steadySince: isSteady ? last.steadySince : now };
        db.insert(steadyClock)
          .values({ id: 1, ...record })
          .onConflictDoUpdate({ target: steadyClock.id, set: record })
          .run();
        return record.steadySince;
      }),
  } satisfies Partial<StoreUnits>;
}

const NOTHING: DeletionResult = { submissions: 0, blobs: [], ...NO_MAILS };

/** Returns the creation time of the last submission, even if it was deleted; null if there has been none. */
function lastCreatedAt($client: Drizzle['$client']): Micros | null {
  const last = $client.query<{ seq: Micros }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'submissions'").get();
  return last?.seq ?? null;
}
