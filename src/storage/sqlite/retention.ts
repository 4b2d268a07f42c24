import { asc, eq, gt } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Deleted, Store } from '../store.ts';
import { clearLog, type Drizzle, logShortener, rewrite, unitOfWork } from './database.ts';
import { forms, steadyClock, workspaces } from './schema.ts';

type RetentionMethods =
  | 'listRetained'
  | 'countOlder'
  | 'deleteOlder'
  | 'deleteSubmissionsAt'
  | 'noteClock'
  | 'rewrite'
  | 'clearLog'
  | 'shortenLog';

/** What one transaction deletes: others wait for it. What is deleted is overwritten, so that its size counts too. */
const BATCH = { rows: 200, bytes: 1024 * 1024, ms: 3 };

type Size = Readonly<{ createdAt: Micros; id: string; size: number }>;

/** Deletes many submissions, some at a time, so that nothing is left of them. */
export function retentionStore(db: Drizzle, clock: Clock): Pick<Store, RetentionMethods> {
  const { $client } = db;
  const shortenLog = logShortener(db);
  const columns = 'created_at AS createdAt, id, length(payload) + coalesce(length(files), 0) AS size';
  const older = $client.query<Size, [formId: string, before: Micros, limit: number]>(
    `SELECT ${columns} FROM submissions INDEXED BY submissions_of_form
     WHERE form_id = ? AND created_at < ? ORDER BY created_at LIMIT ?`,
  );
  const countOlder = $client.query<{ found: number }, [formId: string, before: Micros, most: number]>(
    `SELECT count(*) AS found FROM (SELECT 1 FROM submissions INDEXED BY submissions_of_form
     WHERE form_id = ? AND created_at < ? LIMIT ?)`,
  );
  const ofTeam = $client.query<Size, [createdAt: Micros, teamId: string]>(
    `SELECT ${columns} FROM submissions WHERE created_at = ? AND form_id IN (
       SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE w.team_id = ?)`,
  );
  const blobsOf = $client.query<{ blob: string }, [id: string]>('SELECT blob FROM files WHERE submission_id = ?');
  const mailsOf = $client.query<{ found: number; underWay: number }, [now: Micros, id: string]>(
    `SELECT count(*) AS found, coalesce(sum(state IN ('queued', 'retrying') AND leased_until > ?), 0) AS underWay
     FROM outbox WHERE submission_id = ?`,
  );
  const overwrite = $client.query<null, [createdAt: Micros]>(
    `UPDATE submissions SET payload = zeroblob(length(payload)), files = iif(files IS NULL, NULL, zeroblob(length(files))),
       spam_reasons = iif(spam_reasons IS NULL, NULL, zeroblob(length(spam_reasons))) WHERE created_at = ?`,
  );
  const remove = $client.query<null, [createdAt: Micros]>('DELETE FROM submissions WHERE created_at = ?');

  /**
   * Deletes the first of these, one at least; how many of them it has looked at. All are overwritten before the first is
   * deleted: what SQLite then moves to another page may leave a copy behind, which is of nothing.
   */
  const deleteSome = (candidates: Iterable<Size | null>): Deleted & Readonly<{ looked: number }> => {
    const began = performance.now();
    const now = clock();
    const found: Size[] = [];
    let [looked, bytes] = [0, 0];
    for (const one of candidates) {
      looked += 1;
      if (one) {
        overwrite.run(one.createdAt);
        found.push(one);
        bytes += one.size;
      }
      if (bytes >= BATCH.bytes || performance.now() - began > BATCH.ms) break;
    }
    const blobs: string[] = [];
    let [mails, mailsUnderWay] = [0, 0];
    for (const { createdAt, id } of found) {
      const ofOne = mailsOf.get(now, id);
      mails += ofOne?.found ?? 0;
      mailsUnderWay += ofOne?.underWay ?? 0;
      blobs.push(...blobsOf.all(id).map(({ blob }) => blob));
      remove.run(createdAt);
    }
    return { submissions: found.length, blobs, mails, mailsUnderWay, looked };
  };

  return {
    listRetained: ({ after, limit }) =>
      unitOfWork(() =>
        db
          .select({ id: forms.id, teamId: workspaces.teamId, retentionDays: forms.retentionDays })
          .from(forms)
          .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
          .where(gt(forms.id, after))
          .orderBy(asc(forms.id))
          .limit(limit)
          .all(),
      ),

    countOlder: (formId, before, most) => unitOfWork(() => countOlder.get(formId, before, most)?.found ?? 0),

    deleteOlder: (formId, before) =>
      unitOfWork(() => {
        // Looked at first: where there is nothing to delete no transaction waits for the disk.
        if ((countOlder.get(formId, before, 1)?.found ?? 0) === 0) return NOTHING;
        return db.transaction(() => deleteSome(older.all(formId, before, BATCH.rows)), { behavior: 'immediate' });
      }),

    deleteSubmissionsAt: (times, teamId) =>
      unitOfWork(() =>
        db.transaction(
          () =>
            deleteSome(
              times
                .slice(0, BATCH.rows)
                .values()
                .map((at) => ofTeam.get(at, teamId)),
            ),
          { behavior: 'immediate' },
        ),
      ),

    noteClock: (longestGap) =>
      unitOfWork(() =>
        db.transaction(
          () => {
            const now = clock();
            const last = db.select().from(steadyClock).get() ?? { seenAt: newest($client) ?? now, steadySince: 0 };
            const isSteady = Math.abs(now - last.seenAt) <= longestGap;
            const noted = { seenAt: now, steadySince: isSteady ? last.steadySince : now };
            db.insert(steadyClock)
              .values({ id: 1, ...noted })
              .onConflictDoUpdate({ target: steadyClock.id, set: noted })
              .run();
            return noted.steadySince;
          },
          { behavior: 'immediate' },
        ),
      ),

    rewrite: (most) => unitOfWork(() => rewrite(db, most)),

    clearLog: () => unitOfWork(() => clearLog(db)),

    shortenLog: () => unitOfWork(shortenLog),
  };
}

const NOTHING: Deleted = { submissions: 0, blobs: [], mails: 0, mailsUnderWay: 0 };

/** When the last submission came, also if it is deleted by now; null if none ever came. */
function newest($client: Drizzle['$client']): Micros | null {
  const last = $client.query<{ seq: Micros }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'submissions'").get();
  return last?.seq ?? null;
}
