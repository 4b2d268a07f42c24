import { MINUTE, systemClock } from '../../src/lib/clock.ts';
import { newId } from '../../src/lib/ids.ts';
import { connect } from '../../src/storage/postgres/database.ts';
import { postgresStore } from '../../src/storage/postgres/postgres-store.ts';
import type { NewSubmission } from '../../src/storage/records.ts';

/**
 * A process that works on a database beside others: `bun test/support/postgres-worker.ts URL ROLE NUMBER`. It prints a JSON
 * line for each thing it did. `capped` is a plan of 3,000 submissions, `numbered` one of NUMBER.
 */

const CONCURRENCY = 16;
/** Posts of the role `load`: how many at once, and the pauses of each visitor. */
const VISITORS = 6;
const MAX_PAUSE_MS = 30;
const RETRY_MS = 20;
const LEASE = 10 * MINUTE;

const [url = '', role = '', number = '0'] = Bun.argv.slice(2);
const postgres = await connect(url);
/** With the role `stop` the process stops between the lock of the clock row and the commit. */
const limitOf = (plan: string) => {
  if (role === 'stop') process.kill(process.pid, 'SIGSTOP');
  if (plan === 'numbered') return Number(number) || null;
  return plan === 'capped' ? 3_000 : null;
};
const store = postgresStore(postgres, systemClock, limitOf, () => 'mail.example');

/** Returns a post to the form `frm`. */
function post(id: string): NewSubmission {
  return {
    ...{ id, formId: 'frm', isSpam: false, payload: Buffer.from(id), files: null, blobs: [], spamReasons: null },
    ...{ idempotency: { key: id, content: 'content' }, challenge: null, mails: [], deliveries: [] },
  };
}

/** Runs `work` NUMBER times, some at once, and prints each result. */
async function repeat(work: () => Promise<unknown>): Promise<void> {
  let left = Number(number);
  const lane = async () => {
    while (left-- > 0) print(await work());
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));
}

/** Posts at times until the plan is used up. Repeats a post that failed, and prints it once it is acknowledged. */
async function load(): Promise<void> {
  const visitor = async () => {
    for (;;) {
      const key = crypto.randomUUID();
      const send = () =>
        store.queue.accept({ ...post(key), id: newId('sub') }).then(
          ({ outcome }) => outcome as string,
          ({ code }) => String(code),
        );
      let outcome = await send();
      while (outcome === 'storage_unavailable') {
        await Bun.sleep(RETRY_MS);
        outcome = await send();
      }
      print({ key, outcome });
      if (outcome === 'capped') return;
      await Bun.sleep(Math.random() * MAX_PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: VISITORS }, visitor));
}

const print = (result: unknown) => process.stdout.write(`${JSON.stringify(result)}\n`);

/** Inserts a row as a store without a lock would: with the time of its insert. */
async function insertUnlocked(): Promise<string> {
  const client = await postgres.pool.connect();
  try {
    const id = crypto.randomUUID();
    await client.query('BEGIN');
    const insert = `INSERT INTO submissions (created_at, id, form_key, is_spam, payload)
       SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, $1, key, false, '' FROM forms WHERE id = 'frm' ON CONFLICT DO NOTHING`;
    // Two processes may insert in the same microsecond.
    while ((await client.query(insert, [id])).rowCount === 0);
    await client.query('SELECT pg_sleep(random() * 0.005)');
    await client.query('COMMIT');
    return id;
  } finally {
    client.release();
  }
}

const ROLES: Record<string, () => Promise<unknown>> = {
  accept: () =>
    repeat(async () => {
      const { id } = post(crypto.randomUUID());
      return { id, ...(await store.queue.accept(post(id))) };
    }),
  stop: async () => print(await store.queue.accept(post('stopped')).catch(({ code }) => ({ outcome: code }))),
  load,
  unlocked: () => repeat(insertUnlocked),
  mails: async () => {
    for (let idle = 0; idle < 3; idle++) {
      for (const { id, fence } of await store.claims.mails(10, LEASE)) {
        idle = 0;
        print({ id, recorded: await store.mails.recordResult(id, fence, { state: 'sent' }) });
      }
    }
  },
  deliveries: async () => {
    const limits = { lanes: 8, lanesPerTeam: 8, slowLanes: 8, inFlight: [], lease: LEASE };
    const sent = { state: 'sent', dueAt: null, reason: null, status: 200, durationMs: 1, isTimeout: false } as const;
    while ((await store.webhooks.readStats(1)).queued > 0) {
      const claimed = await store.claims.deliveries(limits);
      const more = claimed[0] ? await store.claims.moreDeliveries(claimed[0], 3, LEASE) : [];
      for (const { id, fence } of [...claimed, ...more]) {
        const recorded = await store.deliveries.recordResult(id, fence, { ...sent, pauseUntil: null, isGone: false });
        print({ id, recorded: recorded !== null });
      }
    }
  },
};

await ROLES[role]?.();
await store.close();
