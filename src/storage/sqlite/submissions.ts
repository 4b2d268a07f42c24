import { and, asc, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import { immediateMails } from '../accept-decision.ts';
import type { Drizzle } from './database.ts';
import { deletionEventWriter, releasedDeliveryWriter } from './delivery-writers.ts';
import { formOfTeamQuery } from './forms.ts';
import { FIRST, type Folder, LAST, LIVE, liveQuery, MAYBE_ROWS, type Span, submissionsAt } from './live-submissions.ts';
import { submissionMailWriter } from './outbox.ts';
import { files, forms, messages, submissions, usage, workspaces } from './schema.ts';
import { spamMarkWriters } from './spam-marks.ts';
import { type StoreUnits, transaction } from './units.ts';
import { storageReader, usageReader } from './usage.ts';

/** Creates the store methods for stored submissions and usage. */
export function submissionStore(db: Drizzle, clock: Clock) {
  const columns = getTableColumns(submissions);
  // SQLite reads the length from the row's header, without the payload.
  const sizesOfPage = db.$client.query<{ createdAt: Micros; size: number }, Span>(
    liveQuery(LIVE, 'DESC', 'created_at AS createdAt, length(payload) AS size'),
  );
  const newestOf = (folders: readonly Folder[]) =>
    db.$client.query<{ created_at: Micros }, Span>(liveQuery(folders, 'DESC'));
  const [newest, newestSpam] = [newestOf(LIVE), newestOf(['spam'])];
  const newestMaybe = db.$client.query<{ created_at: Micros }, Span>(`SELECT created_at ${MAYBE_ROWS} DESC LIMIT ?4`);
  const readAt = submissionsAt(db, 'DESC');
  const ofTeam = db
    .select(columns)
    .from(submissions)
    .innerJoin(forms, eq(forms.id, submissions.formId))
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(and(eq(submissions.id, sql.placeholder('id')), eq(workspaces.teamId, sql.placeholder('teamId'))))
    .prepare();
  const outsideTrash = db
    .select(columns)
    .from(submissions)
    .innerJoin(forms, eq(forms.id, submissions.formId))
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .where(
      and(
        eq(submissions.id, sql.placeholder('id')),
        eq(workspaces.teamId, sql.placeholder('teamId')),
        isNull(submissions.trashedAt),
        isNull(forms.trashedAt),
      ),
    )
    .prepare();
  // The unary plus makes SQLite search by id instead of by form.
  const formsOf = db.$client.query<{ id: string; formId: string }, [ids: string, teamId: string]>(
    `SELECT id, form_id AS formId FROM submissions
     WHERE id IN (SELECT value FROM json_each(?)) AND trashed_at IS NULL AND +form_id IN (
       SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id
       WHERE w.team_id = ? AND f.trashed_at IS NULL)`,
  );
  const formOfTeam = formOfTeamQuery(db);
  const readUsed = usageReader(db);
  const readStored = storageReader(db);
  const writeMails = submissionMailWriter(db);
  const writeReleased = releasedDeliveryWriter(db);
  const writeDeletionEvent = deletionEventWriter(db);
  const { writeMark } = spamMarkWriters(db, clock);

  return {
    listSubmissions: (teamId, formId, { before, limit, maxBytes = Number.POSITIVE_INFINITY }) => {
      if (!formOfTeam.get({ id: formId, teamId })) return null;
      const sizes = sizesOfPage.all(formId, FIRST, before ?? LAST, limit + 1);
      const count = Math.min(limit, countFitting(sizes, maxBytes));
      const times = sizes.slice(0, count).map(({ createdAt }) => createdAt);
      return { items: readAt(times), hasMore: sizes.length > count };
    },

    findSubmission: (id, teamId) => outsideTrash.get({ id, teamId }) ?? null,

    formsOfSubmissions: (ids, teamId) => {
      const rows = formsOf.all(JSON.stringify(ids), teamId);
      return new Map(rows.map(({ id, formId }) => [id, formId]));
    },

    findStoredSubmission: (id, teamId) => ofTeam.get({ id, teamId }) ?? null,

    listRecentSubmissions: (formId, { onlySpam, onlyMaybeSpam = false, limit }) => {
      const form = db.select({ id: forms.id }).from(forms).where(eq(forms.id, formId)).get();
      if (!form) return null;
      const rows = (onlyMaybeSpam ? newestMaybe : onlySpam ? newestSpam : newest).all(formId, FIRST, LAST, limit);
      return readAt(rows.map(({ created_at }) => created_at));
    },

    markSubmission: (id, isSpam, mails, deliveries) =>
      transaction(db, () => {
        const before = db.select().from(submissions).where(eq(submissions.id, id)).get();
        if (!before) return null;
        const isReleased = before.spamReasons !== null && !isSpam && mails !== null;
        const after = { isSpam, isMaybeSpam: false, spamReasons: isReleased ? null : before.spamReasons };
        db.update(submissions).set(after).where(eq(submissions.id, id)).run();
        if (before.isSpam !== isSpam || before.isMaybeSpam) writeMark(before, isSpam);
        if ((before.isSpam || before.isMaybeSpam) && !isSpam) writeReleased(deliveries, id, clock());
        if (isReleased) {
          const form = db
            .select({ digestedUntil: forms.digestedUntil })
            .from(forms)
            .where(eq(forms.id, before.formId))
            .get();
          const immediate = immediateMails(mails, before.createdAt, form?.digestedUntil ?? null);
          writeMails(immediate, before.formId, id, clock());
        }
        return { ...before, ...after };
      }),

    deleteSubmission: (id, teamId) =>
      transaction(db, () => {
        const found = ofTeam.get({ id, teamId });
        if (!found) return null;
        const rows = db.select({ blob: files.blob }).from(files).where(eq(files.submissionId, id)).all();
        writeDeletionEvent({ id, createdAt: found.createdAt }, clock());
        // Overwritten first, because deleted messages could leave copies when SQLite moves rows between pages.
        db.update(messages).set({ body: sql`zeroblob(length(body))` }).where(eq(messages.submissionId, id)).run();
        db.delete(submissions).where(eq(submissions.id, id)).run();
        return rows.map(({ blob }) => blob);
      }),

    findOrphans: (blobs) => {
      const rows = db
        .select({ blob: files.blob })
        .from(files)
        .where(inArray(files.blob, [...blobs]))
        .all();
      const referenced = new Set(rows.map(({ blob }) => blob));
      return blobs.filter((name) => !referenced.has(name));
    },

    sampleBlobs: (limit) => {
      const pages = [desc, asc].map((order) =>
        db.select({ blob: files.blob }).from(files).orderBy(order(files.submissionId)).limit(limit).all(),
      );
      return [...new Set(pages.flat().map(({ blob }) => blob))];
    },

    countUsage: (teamId, start) => readUsed(teamId, start),

    countStorage: readStored,

    listUsage: (teamId, limit) =>
      db
        .select({ periodStart: usage.periodStart, used: usage.used })
        .from(usage)
        .where(eq(usage.teamId, teamId))
        .orderBy(desc(usage.periodStart))
        .limit(limit)
        .all(),
  } satisfies Partial<StoreUnits>;
}

/** Returns how many of the first rows have at most `maxBytes` together, but at least one. */
function countFitting(rows: ReadonlyArray<Readonly<{ size: number }>>, maxBytes: number): number {
  let bytes = 0;
  for (const [index, { size }] of rows.entries()) {
    bytes += size;
    if (bytes > maxBytes && index > 0) return index;
  }
  return rows.length;
}
