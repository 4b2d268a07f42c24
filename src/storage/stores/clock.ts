import { type SQL, sql } from 'drizzle-orm';
import { getPeriod } from '../../domain/usage.ts';
import { type Clock, type Micros, SECOND } from '../../lib/clock.ts';
import { withTime } from '../../lib/ids.ts';
import { ADD_ON_CONFLICT, CLOCK, endOfDay, LASTING } from '../counters.ts';
import { type Db, upsert } from '../database.ts';
import { steadyClock } from '../schema.ts';
import { lockClock, readClock } from './counters.ts';

const READ_AT = ['submissions', 'read_at'] as const;

/** Tables whose rows name a submission. */
const OF_SUBMISSION = ['files', 'messages', 'outbox', 'spam_lessons', 'import_rows'];

/** Submissions that are read at once. */
const PAGE = 500;

/** The duration of a code of the second factor. */
const CODE_STEP = 30 * SECOND;

type Times = Readonly<{ now: Micros; future: number; start: Micros }>;

export function clockStore(db: Db, clock: Clock) {
  return {
    /**
     * Repairs the times that a clock that was ahead has left in the future. Submissions keep their order and get times up
     * to now, summaries cover what they covered, and queued mails become due. Returns the number of such submissions. No
     * server may run.
     */
    repair: (): Promise<number> =>
      db.lockingTransaction(async (tx) => {
        // It may change every row.
        if (tx.engine === 'postgres') await tx.rows(sql`SET LOCAL statement_timeout = 0`);
        await lockClock(tx);
        const times = await plan(tx, clock());
        await moveSummaries(tx, times);
        await moveSubmissions(tx, times);
        await moveCounts(tx, times.now);
        await moveOthers(tx, times.now);
        return times.future;
      }),

    /**
     * Records the current time and returns the time since which the clock has run without a jump of more than `maxGap`,
     * forward or back, between two records; 0 if it always has. The first record is compared with the last submission.
     */
    record: (maxGap: Micros): Promise<Micros> =>
      db.transaction(async (tx) => {
        const now = clock();
        const [stored] = await tx.select().from(steadyClock);
        const last = stored ?? { seenAt: (await readClock(tx)) || now, steadySince: 0 };
        const isSteady = Math.abs(now - last.seenAt) <= maxGap;
        const record = { seenAt: now, steadySince: isSteady ? last.steadySince : now };
        await upsert(tx, steadyClock, ['id'], { id: 1, ...record });
        return record.steadySince;
      }),
  };
}

/** Returns the present time, the number of future submissions, and the first of their new times. */
async function plan(tx: Db, now: Micros): Promise<Times> {
  const rows = await tx.rows<{ future: number; last: Micros }>(sql`
    SELECT (SELECT count(*) FROM submissions WHERE created_at > ${now}) AS future,
      coalesce((SELECT max(created_at) FROM submissions WHERE created_at <= ${now}), 0) AS last`);
  const { future, last } = rows[0] ?? { future: 0, last: 0 };
  return { now, future, start: Math.max(last + 1, now - future + 1) };
}

/** Moves the ends of summaries so that they cover the same submissions. To be called before those are moved. */
async function moveSummaries(tx: Db, { now, start }: Times): Promise<void> {
  const moved = (column: SQL) => sql`${column} = CASE WHEN ${column} > ${now}
    THEN CAST(${start} AS bigint) + (SELECT count(*) FROM submissions WHERE created_at > ${now} AND created_at < ${column})
    ELSE ${column} END`;
  await tx.rows(sql`UPDATE forms SET ${moved(sql`digested_until`)}, ${moved(sql`held_back_until`)}
    WHERE digested_until > ${now} OR held_back_until > ${now}`);
  await tx.rows(sql`UPDATE outbox SET ${moved(sql`covers_from`)}, ${moved(sql`covers_until`)}
    WHERE kind IN ('digest', 'held_back') AND (covers_from > ${now} OR covers_until > ${now})`);
}

/** Moves submissions to new times, and their ids with them, oldest first. */
async function moveSubmissions(tx: Db, { now, future, start }: Times): Promise<void> {
  let at = start;
  // A new time may be that of a later row, so that all times are negative in between.
  await tx.rows(sql`UPDATE submissions SET created_at = -created_at WHERE created_at > ${now}`);
  for (;;) {
    const page = await tx.rows<{ id: string; created_at: Micros }>(
      sql`SELECT id, created_at FROM submissions WHERE created_at < 0 ORDER BY created_at DESC LIMIT ${PAGE}`,
    );
    if (page.length === 0) break;
    const cases: SQL[] = [];
    for (const { id: old, created_at } of page) {
      const id = withTime(old, at);
      await tx.rows(sql`UPDATE submissions SET created_at = ${at}, id = ${id} WHERE created_at = ${created_at}`);
      cases.push(sql`WHEN ${old} THEN ${id}`);
      at += 1;
    }
    for (const table of OF_SUBMISSION) {
      await tx.rows(sql`UPDATE ${sql.identifier(table)}
        SET submission_id = CASE submission_id ${sql.join(cases, sql` `)} END
        WHERE submission_id IN ${page.map(({ id }) => id)}`);
    }
  }
  const last = Math.max(now, start + future - 1);
  await tx.rows(
    sql`UPDATE counters SET amount = ${last} WHERE owner = ${CLOCK} AND until = ${LASTING} AND amount > ${last}`,
  );
}

/** Adds the counts of future months and days to the present ones. */
async function moveCounts(tx: Db, now: Micros): Promise<void> {
  for (const [owners, until] of [
    ['teams', getPeriod(now).end],
    ['forms', endOfDay(now)],
  ] as const) {
    const isFuture = sql`until > ${until} AND until < ${LASTING} AND owner IN (SELECT id FROM ${sql.identifier(owners)})`;
    await tx.rows(sql`INSERT INTO counters (until, owner, amount, spam)
      SELECT CAST(${until} AS bigint), owner, CAST(sum(amount) AS bigint), CAST(sum(spam) AS bigint)
      FROM counters WHERE ${isFuture} GROUP BY owner ${sql.raw(ADD_ON_CONFLICT)}`);
    await tx.rows(sql`DELETE FROM counters WHERE ${isFuture}`);
  }
}

async function moveOthers(tx: Db, now: Micros): Promise<void> {
  for (const [table, column] of [...DATED.map((name) => [name, 'created_at'] as const), ...PAST, READ_AT]) {
    const [rows, time] = [sql.identifier(table), sql.identifier(column)];
    await tx.rows(sql`UPDATE ${rows} SET ${time} = ${now} WHERE ${time} > ${now}`);
  }
  for (const table of ['sessions', 'one_time_links']) {
    await tx.rows(sql`UPDATE ${sql.identifier(table)}
      SET created_at = ${now}, expires_at = expires_at - (created_at - CAST(${now} AS bigint)) WHERE created_at > ${now}`);
  }
  const step = Math.floor(now / CODE_STEP);
  await tx.rows(sql`UPDATE users SET totp_step = ${step} WHERE totp_step > ${step}`);
  await tx.rows(sql`UPDATE outbox SET due_at = ${now} WHERE due_at > ${now} AND state IN ('queued', 'retrying')`);
}

/** Tables whose `created_at` is only shown or compared with the clock. */
const DATED = [
  ...['teams', 'workspaces', 'forms', 'webhooks', 'idempotency_keys', 'api_keys', 'users', 'members', 'vault_keys'],
  ...['messages', 'inbox_views', 'api_requests', 'imports', 'spam_lessons', 'passkeys'],
];

/** Other times that are now at the latest. An earlier end of a rest makes the next probe due. */
const PAST = [
  ['sessions', 'last_used_at'],
  ['sessions', 'password_at'],
  ['passkeys', 'last_used_at'],
  ['api_keys', 'last_used_at'],
  ['webhooks', 'failing_since'],
  ['webhooks', 'rest_until'],
  ['webhooks', 'deleted_at'],
  ['rewrites', 'attempted_at'],
  ['outbox', 'created_at'],
  ['outbox', 'settled_at'],
  ['submissions', 'trashed_at'],
  ['submissions', 'confirm_mailed_at'],
  ['submissions', 'confirmed_at'],
  ['forms', 'trashed_at'],
  ['forms', 'archived_at'],
  ['teams', 'set_up_at'],
  ['milestones', 'reached_at'],
  ['imports', 'finished_at'],
  ['imports', 'undone_at'],
  ['spam_models', 'halved_at'],
  ['spam_models', 'updated_at'],
  ['form_checks', 'page_checked_at'],
  ['form_checks', 'page_seen_at'],
  ['form_checks', 'closed_until'],
  ['form_checks', 'silent_at'],
  ['form_checks', 'limited_at'],
  ['form_checks', 'unsent_at'],
] as const;
