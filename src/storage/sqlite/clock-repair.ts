import { periodOf } from '../../domain/usage.ts';
import { type Clock, DAY, type Micros, SECOND } from '../../lib/clock.ts';
import { DATED, PAST } from '../dated-columns.ts';
import type { Drizzle } from './database.ts';
import type { StoreUnits } from './units.ts';

/** The duration of a code of the second factor. */
const CODE_STEP = 30 * SECOND;

type Times = Readonly<{ now: Micros; start: Micros }>;

/** Creates the store method that repairs times after the clock was ahead. */
export function clockRepairStore({ $client }: Drizzle, clock: Clock) {
  const run = (sql: string, values: Record<string, number>) => $client.query(sql).run(values);

  /** Returns the present time, the times of future submissions, and the first of their new times. */
  const plan = () => {
    const now = clock();
    const future = $client
      .query<{ at: Micros }, [Micros]>(
        'SELECT created_at AS at FROM submissions WHERE created_at > ? ORDER BY created_at',
      )
      .all(now);
    const last = $client
      .query<{ at: Micros | null }, [Micros]>('SELECT max(created_at) AS at FROM submissions WHERE created_at <= ?')
      .get(now);
    return { now, future, start: Math.max((last?.at ?? 0) + 1, now - future.length + 1) };
  };

  /** Moves the ends of summaries so that they cover the same submissions. To be called before those are moved. */
  const moveSummaries = ({ now, start }: Times) => {
    const moved = (column: string) =>
      `iif(${column} > $now, $start + (SELECT count(*) FROM submissions WHERE created_at > $now AND created_at < ${column}), ${column})`;
    const set = (one: string, other: string) => `SET ${one} = ${moved(one)}, ${other} = ${moved(other)}`;
    run(`UPDATE forms ${set('digested_until', 'held_back_until')}`, { now, start });
    run(`UPDATE outbox ${set('covers_from', 'covers_until')} WHERE kind IN ('digest', 'held_back')`, { now, start });
  };

  const moveSubmissions = (future: ReadonlyArray<Readonly<{ at: Micros }>>, { now, start }: Times) => {
    const move = $client.query<never, [Micros, Micros]>('UPDATE submissions SET created_at = ? WHERE created_at = ?');
    // In ascending order no new time is that of a later row.
    for (const [index, { at }] of future.entries()) move.run(start + index, at);
    const last = Math.max(now, start + future.length - 1);
    run("UPDATE sqlite_sequence SET seq = $last WHERE name = 'submissions' AND seq > $last", { last });
    run('UPDATE submissions SET read_at = $now WHERE read_at > $now', { now });
  };

  /** Adds the counts of future months and days to the present ones. */
  const moveCounts = (now: Micros) => {
    const move = (table: string, owner: string, time: string, totals: readonly string[], present: number) => {
      const sums = totals.map((total) => `sum(${total})`).join(', ');
      const added = totals.map((total) => `${total} = ${total} + excluded.${total}`).join(', ');
      run(
        `INSERT INTO ${table} (${owner}, ${time}, ${totals.join(', ')})
         SELECT ${owner}, $present, ${sums} FROM ${table} WHERE ${time} > $present GROUP BY ${owner}
         ON CONFLICT DO UPDATE SET ${added}`,
        { present },
      );
      run(`DELETE FROM ${table} WHERE ${time} > $present`, { present });
    };
    move('usage', 'team_id', 'period_start', ['used'], periodOf(now).start);
    move('form_days', 'form_id', 'day', ['genuine', 'spam'], Math.floor(now / DAY));
  };

  const moveOthers = (now: Micros) => {
    for (const table of DATED) run(`UPDATE ${table} SET created_at = $now WHERE created_at > $now`, { now });
    for (const table of ['sessions', 'one_time_links']) {
      run(
        `UPDATE ${table} SET created_at = $now, expires_at = expires_at - (created_at - $now) WHERE created_at > $now`,
        { now },
      );
    }
    for (const [table, column] of PAST) run(`UPDATE ${table} SET ${column} = $now WHERE ${column} > $now`, { now });
    const step = Math.floor(now / CODE_STEP);
    run('UPDATE users SET totp_step = $step WHERE totp_step > $step', { step });
    run("UPDATE outbox SET due_at = $now WHERE due_at > $now AND state IN ('queued', 'retrying')", { now });
  };

  const repair = $client.transaction(() => {
    const { future, ...times } = plan();
    moveSummaries(times);
    moveSubmissions(future, times);
    moveCounts(times.now);
    moveOthers(times.now);
    return future.length;
  });

  return { repairClock: () => repair.immediate() } satisfies Partial<StoreUnits>;
}
