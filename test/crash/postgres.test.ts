import { describe, expect, test } from 'bun:test';
import { type Micros, systemClock } from '../../src/lib/clock.ts';
import { LASTING } from '../../src/storage/counters.ts';
import { connect } from '../../src/storage/postgres/database.ts';
import { postgresStore } from '../../src/storage/postgres/postgres-store.ts';
import { newWebhook } from '../fast/storage/contract/fixture.ts';
import { migratedDatabase, withClient } from '../support/postgres.ts';
import { createPlace, startWorker } from '../support/postgres-place.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const PROCESSES = 4;
const CAP = 3_000;

/** Opens a store on a new database with the form `frm` of a team on a plan. */
async function openPlace(plan: string) {
  const url = await migratedDatabase();
  const store = postgresStore(
    await connect(url),
    systemClock,
    () => null,
    () => 'mail.example',
  );
  await createPlace(store, plan);
  const query = <Row extends object>(text: string) =>
    withClient(url, async (client) => (await client.query<Row>(text)).rows);
  return { url, store, query };
}

/** Runs processes at once and returns the results that each printed. */
async function runWorkers<Result>(url: string, role: string, number = 0): Promise<Result[]> {
  const workers = Array.from({ length: PROCESSES }, () => startWorker(url, role, number));
  const outputs = await Promise.all(workers.map(({ stdout }) => stdout.text()));
  expect(await Promise.all(workers.map(({ exited }) => exited))).toEqual(workers.map(() => 0));
  return outputs.flatMap((output) =>
    output
      .trim()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line)),
  );
}

describe('four processes on one database', () => {
  test(
    `accept exactly the ${CAP} submissions of the plan, and warn and count once`,
    async () => {
      const { url, store, query } = await openPlace('capped');
      await withClient(url, (client) =>
        client.query(`INSERT INTO users (id, email, password_hash, created_at) SELECT 'u' || n, n || '@x.example', '', 0
          FROM generate_series(1, 3) AS n; INSERT INTO members (user_id, team_id, role, created_at)
          SELECT id, 'team', 'owner', 0 FROM users`),
      );
      await store.webhooks.create(newWebhook({ form: { id: 'frm' } as never }, { events: ['form.cap_reached'] }), 10);
      const results = await runWorkers<{ id: string; outcome: string; createdAt?: Micros }>(url, 'accept', 1_000);
      const stored = results.filter(({ outcome }) => outcome === 'stored');
      expect(results).toHaveLength(PROCESSES * 1_000);
      expect(stored).toHaveLength(CAP);
      expect(results.filter(({ outcome }) => outcome === 'capped')).toHaveLength(PROCESSES * 1_000 - CAP);
      const rows = await query<{ id: string; at: Micros }>('SELECT id, created_at AS at FROM submissions ORDER BY id');
      expect(rows).toEqual(
        stored.map(({ id, createdAt = 0 }) => ({ id, at: createdAt })).sort((a, b) => (a.id < b.id ? -1 : 1)),
      );
      const [counts] = await query(`SELECT 
        (SELECT sum(amount)::int FROM counters JOIN teams t ON t.id = owner WHERE until < ${LASTING}) AS used,
        (SELECT sum(amount)::int FROM counters JOIN forms f ON f.id = owner) AS days,
        (SELECT amount FROM counters JOIN teams t ON t.id = owner WHERE until = ${LASTING}) AS bytes,
        (SELECT amount FROM counters WHERE owner = 'clock') AS last`);
      const last = Math.max(...stored.map(({ createdAt = 0 }) => createdAt));
      expect(counts).toEqual({ used: CAP, days: CAP, bytes: CAP * crypto.randomUUID().length, last });
      expect(
        await query(
          'SELECT kind, percent, count(DISTINCT recipient)::int AS people FROM outbox GROUP BY 1, 2 ORDER BY 1, 2',
        ),
      ).toEqual([
        { kind: 'cap_warning', percent: 80, people: 3 },
        { kind: 'cap_warning', percent: 100, people: 3 },
        { kind: 'webhook', percent: null, people: 0 },
      ]);
      expect(await query('SELECT count(*)::int AS count FROM outbox')).toEqual([{ count: 7 }]);
      await store.close();
    },
    limit(120),
  );

  test('store exactly the last three of 50 submissions at once on a form with a limit', async () => {
    const { url, store, query } = await openPlace('pro');
    const places = 'SELECT sum(amount)::int AS count FROM counters JOIN forms f ON f.id = owner';
    await store.forms.update('frm', { maxSubmissions: 3 });
    const results = await runWorkers<{ outcome: string }>(url, 'accept', 50);
    expect(results.filter(({ outcome }) => outcome === 'stored')).toHaveLength(3);
    expect(results.filter(({ outcome }) => outcome === 'no place')).toHaveLength(PROCESSES * 50 - 3);
    expect([await query('SELECT count(*)::int AS count FROM submissions'), await query(places)]).toEqual([
      [{ count: 3 }],
      [{ count: 3 }],
    ]);
    await store.close();
  });

  /** Reads while processes write, and returns the ids that each reader missed. */
  async function readWhile(role: string, number: number) {
    const { url, store } = await openPlace('pro');
    const seen = { forward: new Set<string>(), newestFirst: new Set<string>() };
    await withClient(url, async (client) => {
      let after = 0;
      /** Reads all after the cursor. */
      const readForward = async () => {
        for (;;) {
          const { rows } = await client.query<{ id: string; at: Micros }>(
            'SELECT id, created_at AS at FROM submissions WHERE created_at > $1 ORDER BY created_at LIMIT 50',
            [after],
          );
          for (const { id } of rows) seen.forward.add(id);
          after = rows.at(-1)?.at ?? after;
          if (rows.length < 50) return;
        }
      };
      let newest = 0;
      /** Reads from the newest to the newest of the last call. */
      const readNewestFirst = async () => {
        const known = newest;
        for (let before: Micros | null = null; ; ) {
          const page = await store.submissions.list('team', 'frm', { before, limit: 50 });
          const items = page?.items.filter(({ createdAt }) => createdAt > known) ?? [];
          for (const { id } of items) seen.newestFirst.add(id);
          newest = Math.max(newest, items[0]?.createdAt ?? 0);
          before = items.at(-1)?.createdAt ?? null;
          if (items.length < 50) return;
        }
      };
      let isOver = false;
      const writers = runWorkers(url, role, number).finally(() => {
        isOver = true;
      });
      const readers = [readForward, readNewestFirst].map(async (read) => {
        while (!isOver) await read();
        await read();
      });
      await Promise.all([writers, ...readers]);
    });
    const stored = await withClient(url, async (client) => (await client.query('SELECT id FROM submissions')).rows);
    await store.close();
    const missed = (ids: Set<string>) => stored.filter(({ id }) => !ids.has(id)).length;
    return { stored: stored.length, forward: missed(seen.forward), newestFirst: missed(seen.newestFirst) };
  }

  test(
    'store submissions in the order of their times, so that no cursor skips one',
    async () => {
      expect(await readWhile('accept', 1_000)).toEqual({ stored: PROCESSES * 1_000, forward: 0, newestFirst: 0 });
    },
    limit(120),
  );

  test(
    'without the lock and with times of the insert, cursors skip rows, which the readers above would notice',
    async () => {
      const { stored, forward, newestFirst } = await readWhile('unlocked', 500);
      expect(stored).toBe(PROCESSES * 500);
      expect(forward).toBeGreaterThan(0);
      expect(newestFirst).toBeGreaterThan(0);
    },
    limit(120),
  );

  test(
    'claim no mail and no delivery twice',
    async () => {
      const { url, store, query } = await openPlace('pro');
      const hooks = Array.from({ length: 10 }, () => newWebhook({ form: { id: 'frm' } as never }));
      for (const hook of hooks) await store.webhooks.create(hook, 10);
      await withClient(url, async (client) => {
        const queue = `INSERT INTO outbox (id, kind, form_id, webhook_id, event, message_id, state, failures, due_at, fence, created_at)`;
        await client.query(`${queue} SELECT 'm' || n, 'webhook_failing', CASE WHEN n % 2 = 0 THEN 'frm' END, NULL, NULL, n,
          'queued', 0, n % 7, 0, 0 FROM generate_series(1, 2000) AS n`);
        await client.query(`${queue} SELECT 'd' || id || n, 'webhook', NULL, id, 'submission.created', n, 'queued', 0, n % 7, 0, 0
          FROM webhooks, generate_series(1, 60) AS n`);
      });
      for (const [role, total] of [
        ['mails', 2_000],
        ['deliveries', 600],
      ] as const) {
        const claims = await runWorkers<{ id: string; recorded: boolean }>(url, role);
        expect(claims).toHaveLength(total);
        expect(new Set(claims.map(({ id }) => id)).size).toBe(total);
        expect(claims.filter(({ recorded }) => !recorded)).toEqual([]);
      }
      expect(await query('SELECT DISTINCT state, fence FROM outbox')).toEqual([{ state: 'sent', fence: 1 }]);
      await store.close();
    },
    limit(120),
  );
});

test(
  'a process that is stopped while it holds the clock row loses its transaction, and the others go on',
  async () => {
    const { url, store, query } = await openPlace('pro');
    const worker = startWorker(url, 'stop');
    const holders = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`;
    await until(async () => (await query(holders)).length > 0, 'the process to stop with the lock');
    const post = {
      ...{ id: 'next', formId: 'frm', isSpam: false, payload: Buffer.from('x'), files: null, blobs: [] },
      ...{ spamReasons: null, idempotency: null, challenge: null, mails: [], deliveries: [] },
    };
    expect(await store.queue.accept(post)).toMatchObject({ outcome: 'stored' });
    worker.kill('SIGCONT');
    expect(JSON.parse(await worker.stdout.text())).toEqual({ outcome: 'storage_unavailable' });
    expect(await query(`SELECT convert_from(payload, 'UTF8') AS text FROM submissions`)).toEqual([{ text: 'x' }]);
    await store.close();
  },
  limit(60),
);
