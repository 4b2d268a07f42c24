import { and, asc, desc, eq, getTableColumns, inArray, isNull, sql } from 'drizzle-orm';
import type { Clock, Micros } from '../../lib/clock.ts';
import { immediateMails } from '../accept-decision.ts';
import { type Db, firstRow, hint } from '../database.ts';
import { files, forms, submissions, teamStorage, usage, workspaces } from '../schema.ts';
import type { Store } from '../store.ts';
import { lockClock } from './clock-row.ts';
import { queueReleasedDeliveries } from './delivery-writers.ts';
import { formOfTeamFinder, isInLiveForm } from './forms.ts';
import { FIRST, LAST, LIVE, liveQuery, maybeSpamQuery, type Span, submissionsAt } from './live-submissions.ts';
import { queueSubmissionMails } from './mail-writers.ts';
import { writeSpamMarks } from './spam-marks.ts';

/** Creates the store methods for stored submissions and usage. */
export function submissionStore(db: Db, clock: Clock) {
  const columns = getTableColumns(submissions);
  const ofTeam = (id: string, teamId: string) => and(eq(submissions.id, id), eq(workspaces.teamId, teamId));
  const isOutsideTrash = and(isNull(submissions.trashedAt), isNull(forms.trashedAt));
  const selectWithTeam = (tx: Db) =>
    tx
      .select(columns)
      .from(submissions)
      .innerJoin(forms, eq(forms.id, submissions.formId))
      .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId));

  const findFormOfTeam = formOfTeamFinder(db);
  const findSubmission = db.prepared('submission', () =>
    selectWithTeam(db).where(
      and(
        ...[eq(submissions.id, sql.placeholder('id')), eq(workspaces.teamId, sql.placeholder('teamId'))],
        isOutsideTrash,
      ),
    ),
  );

  return {
    listSubmissions: async (teamId, formId, { before, limit, maxBytes = Number.POSITIVE_INFINITY }) => {
      if (!(await findFormOfTeam(formId, teamId))) return null;
      const span = { formId, above: FIRST, below: before ?? LAST, limit: limit + 1 };
      // PostgreSQL reads the length of a long payload from the row, without the payload.
      const rows = await db.hotRows<{ created_at: Micros; size: number }, Span>('submissions_of_form', span, (values) =>
        liveQuery(db, LIVE, 'DESC', values, sql`created_at, length(payload) AS size`),
      );
      const count = Math.min(limit, countFitting(rows, maxBytes));
      const times = rows.slice(0, count).map(({ created_at }) => created_at);
      return { items: await submissionsAt(db, times, 'DESC'), hasMore: rows.length > count };
    },

    findSubmission: (id, teamId) => firstRow(findSubmission({ id, teamId })),

    formsOfSubmissions: async (ids, teamId) => {
      const rows = await db
        .select({ id: submissions.id, formId: submissions.formId })
        .from(submissions)
        .where(and(inArray(submissions.id, [...ids]), isInLiveForm(db, teamId), isNull(submissions.trashedAt)));
      return new Map(rows.map(({ id, formId }) => [id, formId]));
    },

    findStoredSubmission: async (id, teamId) => {
      const [found] = await selectWithTeam(db).where(ofTeam(id, teamId));
      return found ?? null;
    },

    listRecentSubmissions: async (formId, { onlySpam, onlyMaybeSpam = false, limit }) => {
      const [form] = await db.select({ id: forms.id }).from(forms).where(eq(forms.id, formId));
      if (!form) return null;
      const span = { formId, above: FIRST, below: LAST, limit };
      const rows = await db.rows<{ created_at: Micros }>(
        onlyMaybeSpam ? maybeSpamQuery(db, 'DESC', span) : liveQuery(db, onlySpam ? ['spam'] : LIVE, 'DESC', span),
      );
      return submissionsAt(
        db,
        rows.map(({ created_at }) => created_at),
        'DESC',
      );
    },

    markSubmission: (id, isSpam, mails, deliveries) =>
      db.lockingTransaction(async (tx) => {
        const now = clock();
        const mayRelease = !isSpam && mails !== null && mails.length > 0;
        // Posts and summaries wait, so that limits hold and a released submission is in a mail or in a summary.
        if (mayRelease) await lockClock(tx);
        const [before] = await tx.locked(tx.select().from(submissions).where(eq(submissions.id, id)), 'update');
        if (!before) return null;
        const isReleased = before.spamReasons !== null && !isSpam && mails !== null;
        const after = { isSpam, isMaybeSpam: false, spamReasons: isReleased ? null : before.spamReasons };
        await tx.update(submissions).set(after).where(eq(submissions.id, id));
        if (before.isSpam !== isSpam || before.isMaybeSpam) await writeSpamMarks(tx, [before], isSpam, now);
        if ((before.isSpam || before.isMaybeSpam) && !isSpam) await queueReleasedDeliveries(tx, deliveries, id, now);
        if (isReleased && mayRelease) {
          const [form] = await tx
            .select({ digestedUntil: forms.digestedUntil })
            .from(forms)
            .where(eq(forms.id, before.formId));
          const immediate = immediateMails(mails, before.createdAt, form?.digestedUntil ?? null);
          await queueSubmissionMails(tx, immediate, before.formId, id, now);
        }
        return { ...before, ...after };
      }),

    findOrphans: async (blobs) => {
      const rows = await db
        .select({ blob: files.blob })
        .from(files)
        .where(inArray(files.blob, [...blobs]));
      const referenced = new Set(rows.map(({ blob }) => blob));
      return blobs.filter((name) => !referenced.has(name));
    },

    describeFiles: async () => {
      const [first] = await db.rows<{ origin: string }>(
        sql`SELECT applied_at AS origin FROM migrations ORDER BY name LIMIT 1`,
      );
      const [some] = await db.select({ blob: files.blob }).from(files).limit(1);
      return { origin: first?.origin ?? '', hasFiles: some !== undefined };
    },

    sampleBlobs: async (limit) => {
      const pages = [desc, asc].map((order) =>
        db.select({ blob: files.blob }).from(files).orderBy(order(files.submissionId)).limit(limit),
      );
      const names = (await Promise.all(pages)).flat().map(({ blob }) => blob);
      return [...new Set(names)];
    },

    countUsage: async (teamId, periodStart) => {
      const ofPeriod = and(eq(usage.teamId, teamId), eq(usage.periodStart, periodStart));
      const [row] = await db.select({ used: usage.used }).from(usage).where(ofPeriod);
      return row?.used ?? 0;
    },

    countStorage: async (teamId) => {
      const [row] = await db.select().from(teamStorage).where(eq(teamStorage.teamId, teamId));
      return row?.bytes ?? 0;
    },

    countFileGrowth: async (teamId, since) => {
      const [row] = await db.rows<{ bytes: number }>(sql`SELECT CAST(coalesce(sum(s.file_bytes), 0) AS bigint) AS bytes
        FROM workspaces w JOIN forms f ON f.workspace_id = w.id
        CROSS JOIN submissions s ${hint(db, 'file_bytes_of_form')}
        WHERE w.team_id = ${teamId} AND s.form_id = f.id AND s.created_at >= ${since} AND s.file_bytes > 0`);
      return row?.bytes ?? 0;
    },

    listUsage: async (teamId, limit) =>
      db
        .select({ periodStart: usage.periodStart, used: usage.used })
        .from(usage)
        .where(eq(usage.teamId, teamId))
        .orderBy(desc(usage.periodStart))
        .limit(limit),
  } satisfies Partial<Store>;
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
