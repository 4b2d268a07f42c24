import { and, eq, isNull, sql } from 'drizzle-orm';
import { type Period, periodOf } from '../../domain/usage.ts';
import { type Clock, DAY, type Micros } from '../../lib/clock.ts';
import type { AcceptResult, NewSubmission } from '../store.ts';
import { capWarningWriter } from './cap-warnings.ts';
import { counterStatements } from './counters.ts';
import { type Drizzle, placeholders } from './database.ts';
import { capEventWriter, deliveryWriter } from './delivery-writers.ts';
import { digestRewinder, immediateMails, notificationLimiter } from './digests.ts';
import { idempotencyReader } from './idempotency.ts';
import { submissionMailWriter } from './outbox.ts';
import { files, forms, idempotencyKeys, spentChallenges, teams, usage, workspaces } from './schema.ts';
import { transaction } from './units.ts';
import { storageReader, usageReader } from './usage.ts';

/** Returns a limit of a plan; null for none. */
export type LimitOf = (plan: string) => number | null;

type SubmissionRow = [
  createdAt: Micros,
  id: string,
  formId: string,
  isSpam: boolean,
  isMaybeSpam: boolean,
  payload: Uint8Array,
  files: Uint8Array | null,
  spamReasons: Uint8Array | null,
  fileBytes: number,
  source: Uint8Array | null,
];

/**
 * Prepares the function that stores a batch of submissions in one transaction. Each counts toward the month of its
 * `createdAt`, and the limits of its plan are checked in the same transaction.
 */
export function acceptTransaction(
  db: Drizzle,
  clock: Clock,
  limitOf: LimitOf,
  storageLimitOf: LimitOf,
  mailDomain: string | null,
) {
  const statements = prepareStatements(db, mailDomain);
  return (submissions: readonly NewSubmission[]): AcceptResult[] =>
    transaction(db, () => {
      const batch = new Batch(statements, clock, limitOf, storageLimitOf);
      const results = submissions.map((submission) => batch.accept(submission));
      batch.writeCounts();
      return results;
    });
}

type Statements = ReturnType<typeof prepareStatements>;

function prepareStatements(db: Drizzle, mailDomain: string | null) {
  // Plain SQL on the hot path: the query builder took longer than SQLite.
  const insert = db.$client.query<never, SubmissionRow>(
    'INSERT INTO submissions (created_at, id, form_id, is_spam, is_maybe_spam, payload, files, spam_reasons, file_bytes, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const insertFile = db.insert(files).values(placeholders('blob', 'submissionId')).prepare();
  const spend = db
    .insert(spentChallenges)
    .values(placeholders('id', 'expiresAt'))
    .onConflictDoNothing()
    .returning({ id: spentChallenges.id })
    .prepare();
  const writeKey = db
    .insert(idempotencyKeys)
    .values(placeholders('formId', 'key', 'content', 'createdAt'))
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
    .where(and(eq(forms.id, sql.placeholder('id')), isNull(forms.trashedAt)))
    .prepare();
  const { countDay, addStored } = counterStatements(db);
  const writeUsed = db
    .insert(usage)
    .values(placeholders('teamId', 'periodStart', 'used'))
    .onConflictDoUpdate({ target: [usage.teamId, usage.periodStart], set: { used: sql`excluded.used` } })
    .prepare();
  const lastCreatedAt = db.$client.query<{ seq: Micros }, []>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'submissions'",
  );

  return {
    insert,
    insertFile,
    spend,
    writeKey,
    formAndTeam,
    addStored,
    writeUsed,
    countDay,
    lastCreatedAt,
    readReplay: idempotencyReader(db),
    readUsed: usageReader(db),
    readStored: storageReader(db),
    writeMails: submissionMailWriter(db),
    writeDeliveries: deliveryWriter(db),
    writeCapEvents: capEventWriter(db),
    rewindDigests: digestRewinder(db),
    limitNotifications: notificationLimiter(db),
    writeCapWarning: capWarningWriter(db, mailDomain),
  };
}

type FormAndTeam = NonNullable<ReturnType<Statements['formAndTeam']['get']>>;

type Count = { teamId: string; periodStart: Micros; used: number; hasChanged: boolean };

/** A batch of submissions in a transaction. It reads each form and each count once. */
class Batch {
  readonly #forms = new Map<string, FormAndTeam | undefined>();
  readonly #counts = new Map<string, Count>();
  readonly #days = new Map<string, { formId: string; day: number; genuine: number; spam: number }>();
  /** Bytes added per team. */
  readonly #storage = new Map<string, number>();
  #last: Micros;
  #period: Period;

  constructor(
    private readonly statements: Statements,
    private readonly clock: Clock,
    private readonly limitOf: LimitOf,
    private readonly storageLimitOf: LimitOf,
  ) {
    this.#last = statements.lastCreatedAt.get()?.seq ?? 0;
    this.#period = periodOf(this.#last);
  }

  accept(submission: NewSubmission): AcceptResult {
    const { statements, clock } = this;
    const { formId, idempotency, challenge } = submission;
    const form = this.#forms.getOrInsertComputed(formId, (id) => statements.formAndTeam.get({ id }));
    if (!form?.isActive) return { outcome: 'paused' };
    const replay = idempotency ? statements.readReplay(formId, idempotency, clock()) : 'none';
    if (replay !== 'none') return { outcome: replay === 'same content' ? 'replayed' : 'reused' };

    const createdAt = Math.max(this.#last + 1, clock());
    if (createdAt >= this.#period.end) this.#period = periodOf(createdAt);
    const count = this.#countOf(form.teamId, this.#period.start);
    const limit = this.limitOf(form.plan);
    if (limit !== null && count.used >= limit) return { outcome: 'capped', periodEnd: this.#period.end };
    const added = (this.#storage.get(form.teamId) ?? 0) + sizeOf(submission);
    const storageLimit = this.storageLimitOf(form.plan);
    if (storageLimit !== null && statements.readStored(form.teamId) + added > storageLimit) return { outcome: 'full' };
    // The last check, so that a refused submission does not spend its challenge.
    if (challenge && statements.spend.all(challenge).length === 0) return { outcome: 'spent' };

    this.#store(submission, form, createdAt);
    this.#last = createdAt;
    this.#storage.set(form.teamId, added);
    count.used += 1;
    count.hasChanged = true;
    statements.writeCapWarning(form.teamId, this.#period, count.used, limit, clock());
    if (count.used === limit) statements.writeCapEvents(form.teamId, clock());
    const day = Math.floor(createdAt / DAY);
    const counts = this.#days.getOrInsertComputed(`${formId} ${day}`, () => ({ formId, day, genuine: 0, spam: 0 }));
    counts[submission.isSpam ? 'spam' : 'genuine'] += 1;
    return { outcome: 'stored', createdAt };
  }

  writeCounts(): void {
    for (const count of this.#counts.values()) if (count.hasChanged) this.statements.writeUsed.run(count);
    for (const [teamId, bytes] of this.#storage) this.statements.addStored.run({ teamId, bytes });
    for (const dayCount of this.#days.values()) this.statements.countDay.run(dayCount);
  }

  #store(submission: NewSubmission, form: FormAndTeam, createdAt: Micros): void {
    const { statements, clock } = this;
    const { id, formId, isSpam, isMaybeSpam = false, payload, files, spamReasons, fileBytes = 0, blobs } = submission;
    const { source = null, mails, deliveries, idempotency } = submission;
    statements.insert.run(createdAt, id, formId, isSpam, isMaybeSpam, payload, files, spamReasons, fileBytes, source);
    for (const blob of blobs) statements.insertFile.run({ blob, submissionId: id });
    const progressed = statements.limitNotifications(statements.rewindDigests(form, createdAt), mails, createdAt);
    this.#forms.set(formId, progressed);
    statements.writeMails(immediateMails(mails, createdAt, progressed.digestedUntil), formId, id, clock());
    if (deliveries.length > 0) statements.writeDeliveries(deliveries, clock());
    if (idempotency) statements.writeKey.run({ formId, ...idempotency, createdAt: clock() });
  }

  #countOf(teamId: string, periodStart: Micros): Count {
    return this.#counts.getOrInsertComputed(`${teamId} ${periodStart}`, () => {
      return { teamId, periodStart, used: this.statements.readUsed(teamId, periodStart), hasChanged: false };
    });
  }
}

/** Returns the bytes that a submission adds to its team's storage. */
function sizeOf({ payload, files: sealedFiles, fileBytes = 0 }: NewSubmission): number {
  return payload.length + (sealedFiles?.length ?? 0) + fileBytes;
}
