import { afterAll, describe, expect, test } from 'bun:test';
import { DEFAULT_SETTINGS } from '../../../src/domain/forms/form.ts';
import { type Micros, SECOND, systemClock } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { LASTING } from '../../../src/storage/counters.ts';
import { connect } from '../../../src/storage/postgres/database.ts';
import { openPostgres } from '../../../src/storage/postgres/open.ts';
import { postgresStore } from '../../../src/storage/postgres/postgres-store.ts';
import type { NewSubmission } from '../../../src/storage/records.ts';
import { newWebhook } from '../../fast/storage/contract/fixture.ts';
import { migratedDatabase, startPostgres, withClient } from '../../support/postgres.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { until } from '../../support/until.ts';

type Opened = ReturnType<typeof postgresStore>;

/** The first page of a list. */
const NEWEST = { before: null, limit: 10 };

/** Creates the form `frm` of a team with a member. The plan `four` has a limit. */
async function createPlace(store: Opened): Promise<void> {
  const rules = { requiresSecondFactor: false, learnsSpam: true, setUpAt: null };
  await store.teams.create({ id: 'team', name: 'T', plan: 'four', ...rules, createdAt: 1 });
  await store.workspaces.create({ id: 'wsp', teamId: 'team', name: 'W', position: 0, createdAt: 1 });
  await store.forms.create({
    ...{ ...DEFAULT_SETTINGS, id: 'frm', shortId: 'f', workspaceId: 'wsp', name: 'F', createdAt: 1 },
    ...{ isActive: true, webhookRoutes: [], archivedAt: null, trashedAt: null },
  });
}

function post(id: string, parts: Partial<NewSubmission> = {}): NewSubmission {
  return {
    ...{ id, formId: 'frm', isSpam: false, payload: Buffer.from(id), files: null, blobs: [], spamReasons: null },
    ...{ idempotency: { key: id, content: 'content' }, challenge: null, mails: [], deliveries: [], ...parts },
  };
}

/** Starts a proxy to a database. `onSent` sees what clients send and returns false to cut the connection after it. */
function startProxy(url: string, onSent: (data: Buffer) => boolean, delayMs = 0) {
  const target = new URL(url);
  const pairs = new Map<Bun.Socket, Promise<Bun.Socket>>();
  let exchanges = 0;
  let isAnswered = true;
  const server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      open: (client) => {
        const upstream = Bun.connect({
          hostname: target.hostname,
          port: Number(target.port),
          socket: {
            data: async (_, data) => {
              const copy = Buffer.from(data);
              await Bun.sleep(delayMs);
              isAnswered = true;
              client.write(copy);
            },
            close: () => void client.end(),
            error: () => {},
          },
        });
        pairs.set(client, upstream);
      },
      data: async (client, data) => {
        const copy = Buffer.from(data);
        if (isAnswered) exchanges += 1;
        isAnswered = false;
        const upstream = await pairs.get(client);
        upstream?.write(copy);
        if (!onSent(copy)) client.terminate();
      },
      error: () => {},
    },
  });
  const through = new URL(url);
  through.port = String(server.port);
  return { url: through.href, exchanges: () => exchanges, stop: () => server.stop(true) };
}

describe('accepting on PostgreSQL', () => {
  test('takes two round trips, also for a group that queues mails and deliveries and reaches the cap', async () => {
    const proxy = startProxy(await migratedDatabase(), () => true, 50);
    const store = postgresStore(
      await connect(proxy.url),
      systemClock,
      () => 4,
      () => 'mail.example',
    );
    await createPlace(store);
    await store.webhooks.create(
      newWebhook({ form: { id: 'frm' } as never }, { id: 'whk', events: ['submission.created', 'form.cap_reached'] }),
      10,
    );
    // Opens the connection.
    expect(await store.queue.accept(post('first'))).toMatchObject({ outcome: 'stored' });
    const before = proxy.exchanges();
    const mail = { id: 'mail_a', kind: 'auto_reply', recipient: null, addressee: 'a', messageId: '<a@x>' } as const;
    const delivery = { id: 'dlv_a', webhookId: 'whk', event: 'submission.created', submissionId: 'a', deleted: null };
    const results = await Promise.all([
      store.queue.accept(
        post('a', { mails: [mail], deliveries: [delivery as never], challenge: { id: 'c', expiresAt: 1 } }),
      ),
      ...['b', 'c', 'd'].map((id) => store.queue.accept(post(id, { blobs: [`blob_${id}`] }))),
    ]);
    expect(proxy.exchanges() - before).toBe(2);
    expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'stored', 'capped']);
    expect((await store.deliveries.list('whk', { before: null, limit: 9 })).map(({ event }) => event).sort()).toEqual([
      'form.cap_reached',
      'submission.created',
    ]);
    await store.close();
    proxy.stop();
  });

  test('fails a post whose commit got no answer, and its repetition tells that it was stored', async () => {
    let isCutting = false;
    const proxy = startProxy(await migratedDatabase(), (data) => {
      const cuts = isCutting && data.includes('COMMIT\0');
      if (cuts) isCutting = false;
      return !cuts;
    });
    const store = postgresStore(await connect(proxy.url), systemClock);
    await createPlace(store);
    isCutting = true;
    await expect(store.queue.accept(post('lost'))).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(isCutting).toBe(false);
    await until(
      () => store.submissions.list('team', 'frm', NEWEST).then((page) => page?.items.length === 1),
      'the commit that got no answer',
    );
    expect(await store.queue.accept(post('lost'))).toEqual({ outcome: 'replayed' });
    await store.close();
    proxy.stop();
  });

  test('fails a post whose connection is lost between its two round trips', async () => {
    const url = await migratedDatabase();
    const proxy = await startTcpProxy(url);
    const store = postgresStore(await connect(proxy.url), systemClock);
    await createPlace(store);
    await store.queue.accept(post('first'));
    proxy.hold();
    const lost = store.queue.accept(post('lost')).catch((error: Error) => error);
    const terminate = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE datname = current_database() AND state = 'idle in transaction'`;
    await until(
      () => withClient(url, async (client) => (await client.query(terminate)).rowCount),
      'the transaction to lose its connection',
    );
    // The answer to the lock arrives together with the end of the connection, as after a stop of the process.
    proxy.release();
    expect(await lost).toMatchObject({ code: 'storage_unavailable' });
    expect((await store.submissions.list('team', 'frm', NEWEST))?.items.length).toBe(1);
    expect(await store.queue.accept(post('lost'))).toMatchObject({ outcome: 'stored' });
    await store.close();
    proxy.stop();
  });

  test('takes the time of the database', async () => {
    const url = await migratedDatabase();
    const store = postgresStore(await connect(url), systemClock);
    await createPlace(store);
    const now = () =>
      withClient(url, async (client) => {
        const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000000 AS now');
        return Number(rows[0].now);
      });
    const before = await now();
    const { createdAt } = (await store.queue.accept(post('a'))) as { createdAt: Micros };
    expect(createdAt).toBeGreaterThan(before);
    expect(createdAt).toBeLessThan(await now());
    await store.close();
  });

  test('refuses a row that breaks a constraint alone', async () => {
    const store = postgresStore(await connect(await migratedDatabase()), systemClock);
    await createPlace(store);
    const accept = (id: string, blob: string) =>
      store.queue.accept(post(id, { blobs: [blob] })).catch((error: Error) => error);
    await accept('a', 'blob');
    const results = await Promise.all([accept('b', 'other'), accept('c', 'blob'), accept('d', 'third')]);
    expect(results).toEqual([
      expect.objectContaining({ outcome: 'stored' }),
      expect.objectContaining({ code: '23505' }),
      expect.objectContaining({ outcome: 'stored' }),
    ]);
    await store.close();
  });

  test('goes on while submissions are deleted and marked, and all counts agree in the end', async () => {
    const url = await migratedDatabase();
    const [store, other] = [
      postgresStore(await connect(url), systemClock),
      postgresStore(await connect(url), systemClock),
    ];
    await createPlace(store);
    const ids = Array.from({ length: 200 }, () => newId('sub'));
    const change = async (sent: string, n: number) => {
      const result = await (n % 2 === 0 ? store : other).queue.accept(post(sent, { isSpam: n % 3 === 0 }));
      const id = result.outcome === 'stored' ? result.id : '';
      if (n % 5 === 0) await other.retention.deleteSubmission(id, 'team');
      else if (n % 5 === 1) await store.inbox.markSpam([id], 'team');
      else if (n % 5 === 2) await other.trash.moveSubmissions([id], 'team', 1);
    };
    await Promise.all(ids.map(change));
    const [counts] = await withClient(url, async (client) => {
      const { rows } = await client.query(`SELECT
        (SELECT amount FROM counters JOIN teams t ON t.id = owner WHERE until = ${LASTING})::int = (SELECT sum(length(payload)) FROM submissions) AS bytes,
        (SELECT sum(amount) FROM counters JOIN forms f ON f.id = owner) = (SELECT count(*) FROM submissions WHERE trashed_at IS NULL AND NOT is_spam)
          AS genuine,
        (SELECT sum(spam) FROM counters) = (SELECT count(*) FROM submissions WHERE trashed_at IS NULL AND is_spam) AS spam,
        (SELECT count(*)::int FROM submissions) AS rows, (SELECT amount::int FROM counters JOIN teams t ON t.id = owner WHERE until < ${LASTING}) AS used`);
      return rows;
    });
    expect(counts).toEqual({ bytes: true, genuine: true, spam: true, rows: 160, used: 200 });
    await Promise.all([store.close(), other.close()]);
  });
});

describe('accepting on a server that stops', async () => {
  const server = await startPostgres();
  afterAll(() => server.stop());

  test('loses nothing that was acknowledged, refuses posts meanwhile, and goes on after its return', async () => {
    const store = postgresStore(await openPostgres(server.url, { mayCreate: true }), systemClock);
    await createPlace(store);
    const outcomes = new Map<string, string>();
    const accept = async (id: string) => {
      const outcome = await store.queue.accept(post(id)).then(
        (result) => result.outcome,
        ({ code }) => String(code),
      );
      outcomes.set(id, outcome);
      return outcome;
    };
    let isOver = false;
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let n = 0; !isOver; n++) {
        if ((await accept(`${lane}_${n}`)) !== 'stored') await Bun.sleep(5);
      }
    });
    const count = (outcome: string) => [...outcomes.values()].filter((one) => one === outcome).length;
    await until(() => count('stored') > 100, 'submissions before the stop');
    await server.restart(() => until(() => count('storage_unavailable') > 0, 'a refused post').then(() => {}));
    const before = count('stored');
    await until(() => count('stored') > before + 100, 'submissions after the return');
    isOver = true;
    await Promise.all(lanes);
    expect([...new Set(outcomes.values())].sort()).toEqual(['storage_unavailable', 'stored']);
    const { rows } = await withClient(server.url, (client) =>
      client.query<{ id: string; at: Micros }>(
        `SELECT convert_from(payload, 'UTF8') AS id, created_at AS at FROM submissions`,
      ),
    );
    const stored = new Set(rows.map(({ id }) => id));
    const lost = [...outcomes].filter(([id, outcome]) => outcome === 'stored' && !stored.has(id));
    expect(lost).toEqual([]);
    expect(Math.max(...rows.map(({ at }) => at))).toBeLessThan(systemClock() + SECOND);
    await store.close();
  });
});
