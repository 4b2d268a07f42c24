import { afterAll, describe, expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { STATUS_TEXTS } from '../../../src/dashboard/instance/texts.ts';
import { CODE_LIMITS, SignInThrottle } from '../../../src/services/users/sign-in-throttle.ts';
import { signIn } from '../../fast/dashboard/signed-in.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { migratedDatabase, startPostgres, withClient } from '../../support/postgres.ts';

const KEY = '5f'.repeat(32);

/** Starts two instances that serve one PostgreSQL database, as two processes do. */
async function startTwo(url: string): Promise<readonly [Instance, Instance]> {
  const env = { DATABASE_URL: url, ENCRYPTION_KEY: KEY, TRUSTED_PROXIES: '127.0.0.1' };
  return [await startInstance({ env }), await startInstance({ env })];
}

describe('of two processes of one database', () => {
  const url = migratedDatabase();
  const started = url.then(startTwo);
  afterAll(async () => {
    for (const instance of await started) await instance.stop();
  });

  /** Guesses a password at each process in turn, `count` times, and returns the statuses. */
  const guess = async (count: number, fields: (index: number) => Readonly<{ email: string; address: string }>) => {
    const statuses: number[] = [];
    for (let index = 0; index < count; index++) {
      const { url: origin } = (await started)[index % 2] as Instance;
      const { email, address } = fields(index);
      const response = await fetch(`${origin}/dashboard/sign-in`, {
        method: 'POST',
        headers: { 'X-Forwarded-For': address, Origin: origin },
        body: new URLSearchParams({ email, password: 'wrong' }),
        redirect: 'manual',
      });
      statuses.push(response.status);
    }
    return statuses;
  };

  test('each counts the guesses from one address at the other', async () => {
    const address = '203.0.113.7';
    const statuses = await guess(14, (index) => ({ email: `guess${index}@example.com`, address }));
    expect(statuses).toEqual([...Array(10).fill(400), ...Array(4).fill(429)]);
  });

  test('each counts the guesses for one account at the other, and none is stored in the clear', async () => {
    const email = 'ada@example.com';
    const statuses = await guess(24, (index) => ({ email, address: `198.51.100.${index}` }));
    expect(statuses).toEqual([...Array(20).fill(400), ...Array(4).fill(429)]);
    const { rows } = await withClient(await url, (client) => client.query('SELECT * FROM sign_in_attempts'));
    expect(rows.length).toBeGreaterThan(20);
    expect(JSON.stringify(rows)).not.toMatch(/example|198\.51|203\.0/);
    for (const { name } of rows) expect(name).toMatch(/^[0-9a-f]{64}$/);
  });

  test('codes and known browsers have shared limits of their own', async () => {
    const throttles = (await started).map(({ context }) => new SignInThrottle(context, CODE_LIMITS));
    const [throttle] = throttles as [SignInThrottle, SignInThrottle];
    const countAllowed = async (mark: string | null) => {
      let allowed = 0;
      for (let index = 0; index < 30; index++) {
        const wait = await throttles[index % 2]?.begin('grace@example.com', { client: '192.0.2.9', mark });
        if (wait === 0) allowed++;
      }
      return allowed;
    };
    const marks = [throttle.markFor('grace@example.com'), throttle.markFor('grace@example.com')];
    expect([await countAllowed(null), await countAllowed(marks[0] ?? ''), await countAllowed(marks[1] ?? '')]).toEqual([
      20, 20, 20,
    ]);
  });

  test('the one that did not run a search for a person asks to search again, and deletes nothing', async () => {
    const [first, second] = await started;
    const { owner } = first;
    const owns = await signIn(first, owner);
    expect((await first.post(owner.form.id, { email: 'ada@example.com' })).status).toBe(200);
    const search = await owns.post('/dashboard/erase', { address: 'ada@example.com' });
    const path = search.headers.get('location') ?? '';
    expect(await owns.page(path)).toContain('One submission contains the address');
    const other = (to: string, method = 'GET') =>
      fetch(`${second.url}${to}`, {
        method,
        headers: { Cookie: owns.cookie, Origin: second.url },
        redirect: 'manual',
        ...(method === 'POST' && { body: new URLSearchParams({ page_team: owner.teamId }) }),
      });
    for (const part of ['', '/export.jsonl', '/export.zip', '/delete', '/receipt.json']) {
      const response = await other(path + part);
      expect([response.status, response.headers.get('location')]).toEqual([303, '/dashboard/erase?done=elsewhere']);
    }
    expect((await other(`${path}/delete`, 'POST')).headers.get('location')).toBe('/dashboard/erase?done=elsewhere');
    expect(await (await other('/dashboard/erase?done=elsewhere')).text()).toContain('another server process ran it');
    expect(await first.stored(owner)).toHaveLength(1);
    const actions = (await first.context.store.audit.listFrom(owner.teamId, { since: 0, after: 0, limit: 50 })).map(
      ({ action }) => action,
    );
    expect(actions).toContain('person.searched');
    expect(actions).not.toContain('person.exported');
    expect(actions).not.toContain('person.erased');
  });
});

test('while the database is away no attempt is allowed, and afterwards nobody is locked out', async () => {
  const postgres = await startPostgres();
  const instance = await startInstance({ env: { DATABASE_URL: postgres.url, ENCRYPTION_KEY: KEY } });
  const tries = new SignInThrottle(instance.context);
  const begin = () => tries.begin('ada@example.com', { client: '203.0.113.7', mark: null });
  await postgres.restart(async () => {
    for (let count = 0; count < 15; count++) await expect(begin()).rejects.toThrow();
  });
  const waits: number[] = [];
  while (waits.at(-1) === undefined || waits.at(-1) === 0) waits.push(await begin());
  expect(waits).toHaveLength(11);
  await instance.stop();
  await postgres.stop();
});

test('Status tells that backups of PostgreSQL are made elsewhere, also if BACKUP_DIR is set', async () => {
  const database = { DATABASE_URL: await migratedDatabase(), ENCRYPTION_KEY: KEY };
  const backups = { BACKUP_DIR: `${tmpdir()}/unused-backups`, BACKUP_WITH_KEY: 'no' };
  const other = await startInstance({ env: { ...database, ...backups } });
  const markup = await (await signIn(other, other.owner)).page('/dashboard/status');
  const status = STATUS_TEXTS.en;
  expect(markup).toContain(status.backups.elsewhere);
  expect(markup).toContain(status.fixes.setUpBackups);
  expect(markup).toContain('/docs/postgresql-and-s3#back-up-postgresql');
  expect(markup).toContain('id="step-backup" class="finished"');
  expect(await (await fetch(`${other.url}/metrics`)).text()).not.toMatch(/^formstead_last_backup_timestamp/m);
  await other.stop();
});
