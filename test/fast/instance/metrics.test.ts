import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../../package.json';
import { backupName, MANIFEST } from '../../../src/domain/backup.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { documentText } from '../../support/documents.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { startSmtp } from '../../support/smtp.ts';
import { sqliteOnly } from '../../support/sqlite-only.ts';
import { until } from '../../support/until.ts';
import { keyOf, parseExposition } from './exposition.ts';

const instance = await startInstance({
  // Nothing listens on this port, so mails stay queued.
  env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@mail.example' },
});
afterAll(instance.stop);
const { owner, post, makeForm } = instance;

async function scrape() {
  const answer = await fetch(`${instance.url}/metrics`);
  expect([answer.status, answer.headers.get('Content-Type'), answer.headers.get('Cache-Control')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ]);
  return parseExposition(await answer.text());
}

/** Returns the changes of all metrics, except those that change with time. */
async function changesBy(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape();
  await work();
  const after = await scrape();
  const changes = Array.from(after.values, ([key, value]) => [key, value - (before.values.get(key) ?? 0)] as const);
  return Object.fromEntries(
    changes.filter(([key, by]) => by !== 0 && !/^(process_|formstead_event_loop)|_seconds|_bytes|operating/.test(key)),
  );
}

const posts = (count: number, status: string) => ({
  [keyOf('formstead_http_requests_total', { group: 'submit', method: 'POST', status })]: count,
});
const refused = (reason: string, count: number) => ({
  [keyOf('formstead_submissions_refused_total', { reason })]: count,
});

describe('metrics count', () => {
  test('stored submissions, spam or not', async () => {
    const strict = await makeForm(owner, { blockedWords: ['casino'] });
    const changes = await changesBy(async () => {
      for (const message of ['One', 'Two', 'Three']) expect((await post(owner.form.id, { message })).status).toBe(200);
      await post(strict.id, { message: 'Visit my casino' });
    });
    expect(changes).toMatchObject({
      ...posts(4, '2xx'),
      formstead_submissions_accepted_total: 4,
      formstead_submissions_flagged_total: 1,
      formstead_commit_submissions_sum: 4,
      formstead_commit_submissions_count: 4,
    });
    expect(Object.keys(changes).join()).not.toMatch(/refused|honeypot|replayed/);
  });

  test('each submission of a group commit', async () => {
    const changes = await changesBy(() =>
      Promise.all(Array.from({ length: 20 }, (_, index) => post(owner.form.id, { index }))),
    );
    expect(changes).toMatchObject({ formstead_submissions_accepted_total: 20, formstead_commit_submissions_sum: 20 });
  });

  test('honeypot hits, which are answered with success and not stored', async () => {
    const changes = await changesBy(async () => {
      await post(owner.form.id, { message: 'Hello', _gotcha: 'x' });
      await post(owner.form.id, { _honey: 'x' });
    });
    expect(changes).toEqual({ ...posts(2, '2xx'), formstead_honeypot_hits_total: 2 });
  });

  test('replayed posts', async () => {
    const again = () => post(owner.form.id, { message: 'Once' }, { 'Idempotency-Key': 'again' });
    await again();
    expect(await changesBy(again)).toEqual({ ...posts(1, '2xx'), formstead_submissions_replayed_total: 1 });
  });

  test('refusals by error code', async () => {
    const paused = await makeForm(owner);
    await instance.api('PATCH', `/v1/forms/${paused.id}`, { key: owner.writeKey, body: { isActive: false } });
    const changes = await changesBy(async () => {
      await post(owner.form.id, {});
      await post(owner.form.id, null);
      await post('frm_unknown', { message: 'Hello' });
      await post(paused.id, { message: 'Hello' });
      await post(owner.form.id, '{', { 'Content-Type': 'application/json' });
    });
    expect(changes).toEqual({
      ...posts(5, '4xx'),
      ...refused('empty_submission', 2),
      ...refused('form_not_found', 1),
      ...refused('form_paused', 1),
      ...refused('unreadable_body', 1),
    });
  });

  test('requests by route group', async () => {
    const changes = await changesBy(async () => {
      await instance.api('GET', '/v1/forms', { key: owner.readKey });
      await instance.api('GET', `/v1/forms/${owner.form.id}/submissions`, { key: owner.readKey });
      await instance.api('GET', '/v1/forms');
      await instance.api('GET', '/v1/forms/frm_unknown', { key: owner.readKey });
      await instance.api('OPTIONS', `/v1/forms/${owner.form.id}/submissions`);
      await fetch(`${instance.url}/v1/forms/${owner.form.id}/challenge`);
      await fetch(`${instance.url}/dashboard`, { redirect: 'manual' });
      await fetch(`${instance.url}/dashboard/sign-in`, { method: 'HEAD' });
      await fetch(`${instance.url}/dashboard/status`, { method: 'POST' });
      await fetch(`${instance.url}/formstead.js`);
      await fetch(`${instance.url}/docs`);
    });
    const requests = (group: string, method: string, status: string) =>
      keyOf('formstead_http_requests_total', { group, method, status });
    expect(changes).toEqual({
      [requests('api', 'GET', '2xx')]: 2,
      [requests('api', 'GET', '4xx')]: 2,
      [requests('submit', 'OPTIONS', '2xx')]: 1,
      [requests('challenge', 'GET', '4xx')]: 1,
      [requests('dashboard', 'GET', '3xx')]: 1,
      [requests('dashboard', 'HEAD', '2xx')]: 1,
      [requests('dashboard', 'POST', '4xx')]: 1,
      [requests('page', 'GET', '2xx')]: 2,
    });
  });

  test('queued mails', async () => {
    const form = await makeForm(owner, { notify: ['ada@home.example', 'bob@home.example'] });
    await post(form.id, { message: 'Hello' });
    const waiting = keyOf('formstead_outbox_mails', { state: 'retrying' });
    await until(async () => (await scrape()).values.get(waiting) === 2, 'two mails to be put off');
    // The attempts failed, and the mails are due again in a minute.
    expect((await scrape()).values.get('formstead_outbox_oldest_due_seconds')).toBe(0);
  });
});

const ODD_METHODS = ['PROPFIND', 'PURGE', 'MKCOL', 'REPORT', 'SEARCH', 'LOCK', 'COPY'];

test('unknown paths and methods add one series each', async () => {
  const ask = async (round: number) => {
    for (const path of ['/a', '/v1/b', '/dashboard/c', '/v1/forms/d', '/d.js']) {
      await fetch(`${instance.url}${path}${round}`, { redirect: 'manual' });
    }
    const method = ODD_METHODS[round % ODD_METHODS.length] ?? '';
    await Promise.all(['/a', '/dashboard/c'].map((path) => fetch(`${instance.url}${path}`, { method })));
    await post(`frm_${round}`, { message: 'Hello' });
  };
  await ask(0);
  const before = [...(await scrape()).values.keys()];
  for (let round = 1; round <= 20; round++) await ask(round);
  const { values } = await scrape();
  expect([...values.keys()].sort()).toEqual(before.sort());
  expect(values.get(keyOf('formstead_http_requests_total', { group: 'none', method: 'other', status: '4xx' }))).toBe(
    21,
  );
});

test('metrics count attempts to send mails', async () => {
  const smtp = await startSmtp();
  const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  const mailing = await startInstance({ env });
  const attempts = async () => {
    const { values } = parseExposition(await (await fetch(`${mailing.url}/metrics`)).text());
    const of = (result: string) => values.get(keyOf('formstead_mails_total', { result }));
    return [of('sent'), of('retried'), of('failed')];
  };
  try {
    expect(await attempts()).toEqual([0, 0, 0]);
    const form = await mailing.makeForm(mailing.owner, { notify: ['ada@home.example'] });
    const expected: Array<[code: number, attempts: number[]]> = [
      [250, [1, 0, 0]],
      [451, [1, 1, 0]],
      [550, [1, 1, 1]],
    ];
    for (const [code, counts] of expected) {
      smtp.onMoment(({ stage }) => (stage === 'END' && code > 250 ? { code, text: 'No' } : undefined));
      await mailing.post(form.id, { message: 'Hello' });
      await until(async () => Bun.deepEquals(await attempts(), counts), `the attempts ${counts}`);
    }
  } finally {
    await mailing.stop();
    await smtp.stop();
  }
});

sqliteOnly('metrics have the time of the newest backup in BACKUP_DIR', async () => {
  const folder = temporaryDir();
  const at = Math.floor(Date.now() / 1000) * SECOND;
  const backup = join(folder, backupName(at));
  mkdirSync(backup);
  writeFileSync(join(backup, MANIFEST), '{}');
  mkdirSync(join(folder, backupName(at + SECOND)));
  const backing = await startInstance({ env: { BACKUP_DIR: folder, BACKUP_WITH_KEY: 'no' } });
  const newest = async () => {
    const { values } = parseExposition(await (await fetch(`${backing.url}/metrics`)).text());
    return values.get('formstead_last_backup_timestamp_seconds');
  };
  expect(await newest()).toBe(at / SECOND);
  rmSync(folder, { recursive: true });
  expect(await newest()).toBe(0);
  await backing.stop();
  expect((await scrape()).values.has('formstead_last_backup_timestamp_seconds')).toBe(false);
});

test('metrics have the sizes, memory and version of this instance', async () => {
  const logSize = () => Bun.file(join(instance.dataDir, 'formstead.db-wal')).size;
  const sizeBefore = logSize();
  const { values } = await scrape();
  const of = (name: string) => values.get(name) ?? 0;
  expect(of('formstead_database_bytes')).toBeGreaterThan(100_000);
  expect([sizeBefore, logSize()]).toContain(of('formstead_wal_bytes'));
  expect(of('formstead_disk_free_bytes')).toBeGreaterThan(0);
  expect(of('process_resident_memory_bytes')).toBeGreaterThan(10_000_000);
  expect(of('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(of('process_open_fds')).toBeGreaterThan(5);
  expect(of('process_max_fds')).toBeGreaterThan(of('process_open_fds'));
  expect(of('formstead_event_loop_lag_seconds_count')).toBeGreaterThan(0);
  expect(of(keyOf('formstead_build_info', { version: packageJson.version, bun: Bun.version }))).toBe(1);
});

test('the manual lists all metrics', async () => {
  const listed = Array.from(
    documentText('src/manual/monitoring.md').matchAll(/^\| `((?:formstead|process)_[a-z_]+)` \| (\w+) \|/gm),
    ([, name, type]) => [name, type],
  );
  const { types } = await scrape();
  expect(listed.sort()).toEqual([...types].sort());
});

test('metrics contain nothing that visitors or owners sent', async () => {
  const form = await makeForm(owner, { name: 'Canary' });
  await post(form.id, { canary: 'canary', email: 'canary@example.com' });
  expect(await (await fetch(`${instance.url}/metrics`)).text()).not.toMatch(/canary|example|frm_|team_/i);
});
