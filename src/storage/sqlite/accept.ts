import { eq, sql } from 'drizzle-orm';
import { periodOf } from '../../domain/usage.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { AcceptResult, NewSubmission } from '../store.ts';
import { capWarningWriter } from './cap-warnings.ts';
import type { Drizzle } from './database.ts';
import { digestRewinder, immediateMails } from './digests.ts';
import { idempotencyReader } from './idempotency.ts';
import { submissionMailWriter } from './outbox.ts';
import { files, formDays, forms, idempotencyKeys, spentChallenges, teams, usage, workspaces } from './schema.ts';
import { transaction } from './units.ts';
import { usageReader } from './usage.ts';

/** Returns the monthly submission limit of a plan; null for no limit. */
export type LimitOf = (plan: string) => number | null;

type SubmissionRow = [
  createdAt: Micros,
  id: string,
  formId: string,
  isSpam: boolean,
  payload: Uint8Array,
  files: Uint8Array | null,
  spamReasons: Uint8Array | null,
];

/**
 * Prepares the function that stores a batch of submissions in one transaction. Each counts toward the month of its
 * `createdAt`, and the limit of its plan is checked in the same transaction.
 */
export function acceptTransaction(db: Drizzle, clock: Clock, limitOf: LimitOf, mailDomain: string | null) {
  // Plain SQL on the hot path: the query builder took longer than SQLite.
  const insert = db.$client.query<never, SubmissionRow>(
    'INSERT INTO submissions (created_at, id, form_id, is_spam, payload, files, spam_reasons) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertFile = db
    .insert(files)
    .values({ blob: sql.placeholder('blob'), submissionId: sql.placeholder('id') })
    .prepare();
  const spend = db
    .insert(spentChallenges)
    .values({ id: sql.placeholder('id'), expiresAt: sql.placeholder('expiresAt') })
    .onConflictDoNothing()
    .returning({ id: spentChallenges.id })
    .prepare();
  const writeMails = submissionMailWriter(db);
  const readReplay = idempotencyReader(db);
  const writeKey = db
    .insert(idempotencyKeys)
    .values({
      formId: sql.placeholder('formId'),
      key: sql.placeholder('key'),
      content: sql.placeholder('content'),
      createdAt: sql.placeholder('createdAt'),
    })
    .onConflictDoUpdate({
      target: [idempotencyKeys.formId, idempotencyKeys.key],
      set: { content: sql`excluded.content`, createdAt: sql`excluded.created_at` },
    })
    .prepare();
  const formAndTeam = db
    .select({
      id: forms.id,
      isActive: forms.isActive,
      digestedUntil: forms.digestedUntil,
      heldBackUntil: forms.heldBackUntil,
      teamId: teams.id,
      plan: teams.plan,
    })
    .from(forms)
    .innerJoin(workspaces, eq(workspaces.id, forms.workspaceId))
    .innerJoin(teams, eq(teams.id, workspaces.teamId))
    .where(eq(forms.id, sql.placeholder('id')))
    .prepare();
  const rewindDigests = digestRewinder(db);
  const writeCapWarning = capWarningWriter(db, mailDomain);
  const readUsed = usageReader(db);
  const writeUsed = db
    .insert(usage)
    .values({
      teamId: sql.placeholder('teamId'),
      periodStart: sql.placeholder('periodStart'),
      used: sql.placeholder('used'),
    })
    .onConflictDoUpdate({ target: [usage.teamId, usage.periodStart], set: { used: sql`excluded.used` } })
    .prepare();
  const countDay = db
    .insert(formDays)
    .values({ formId: sql.placeholder('formId'), day: sql.placeholder('day'), received: sql.placeholder('received') })
    .onConflictDoUpdate({
      target: [formDays.formId, formDays.day],
      set: { received: sql`received + excluded.received` },
    })
    .prepare();
  const lastCreatedAt = db.$client.query<{ seq: Micros }, []>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'submissions'",
  );

  return (batch: readonly NewSubmission[]): AcceptResult[] =>
    transaction(db, () => {
      const formCache = new Map<string, ReturnType<typeof formAndTeam.get>>();
      const counts = new Map<string, { teamId: string; periodStart: Micros; used: number }>();
      const days = new Map<string, { formId: string; day: number; received: number }>();
      let last = lastCreatedAt.get()?.seq ?? 0;
      let period = periodOf(last);

      const accept = (submission: NewSubmission): AcceptResult => {
        const { formId, idempotency, challenge } = submission;
        const form = formCache.get(formId) ?? formAndTeam.get({ id: formId });
        formCache.set(formId, form);
        if (!form?.isActive) return { outcome: 'paused' };
        const replay = idempotency ? readReplay(formId, idempotency, clock()) : 'none';
        if (replay !== 'none') return { outcome: replay === 'same content' ? 'replayed' : 'reused' };
        const { teamId } = form;
        const limit = limitOf(form.plan);

        const createdAt = Math.max(last + 1, clock());
        if (createdAt >= period.end) period = periodOf(createdAt);
        const slot = `${teamId} ${period.start}`;
        const count = counts.get(slot) ?? {
          teamId,
          periodStart: period.start,
          used: readUsed(teamId, period.start),
        };
        if (limit !== null && count.used >= limit) {
          return { outcome: 'capped', periodEnd: period.end };
        }
        // The last check, so that a refused submission does not spend its challenge.
        if (challenge && spend.all(challenge).length === 0) return { outcome: 'spent' };
        const { id, isSpam, payload, files: sealedFiles, spamReasons } = submission;
        insert.run(createdAt, id, formId, isSpam, payload, sealedFiles, spamReasons);
        for (const blob of submission.blobs) insertFile.run({ blob, id: submission.id });
        const rewound = rewindDigests(form, createdAt);
        formCache.set(formId, rewound);
        writeMails(immediateMails(submission.mails, createdAt, rewound.digestedUntil), formId, submission.id, clock());
        if (idempotency) writeKey.run({ formId, ...idempotency, createdAt: clock() });
        last = createdAt;
        count.used += 1;
        counts.set(slot, count);
        writeCapWarning(teamId, period, count.used, limit, clock());
        const day = Math.floor(createdAt / DAY);
        const dayCount = days.get(`${formId} ${day}`) ?? { formId, day, received: 0 };
        dayCount.received += 1;
        days.set(`${formId} ${day}`, dayCount);
        return { outcome: 'stored', createdAt };
      };

      const results = batch.map(accept);
      for (const count of counts.values()) writeUsed.run(count);
      for (const dayCount of days.values()) countDay.run(dayCount);
      return results;
    });
}
