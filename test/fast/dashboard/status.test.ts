import { afterAll, describe, expect, test } from 'bun:test';
import { toDoctor } from '../../../src/cli/doctor.ts';
import { AUDIT_TEXTS } from '../../../src/dashboard/audit/texts.ts';
import { CONNECT_TEXTS } from '../../../src/dashboard/forms/connect/texts.ts';
import { STATUS_TEXTS } from '../../../src/dashboard/instance/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { DAY, SECOND } from '../../../src/lib/clock.ts';
import { englishText, instanceChecks } from '../../../src/services/instance/checks/checks.ts';
import { databaseOf, startInstance } from '../../support/instance.ts';
import { startSmtp } from '../../support/smtp.ts';
import { sqliteOnly } from '../../support/sqlite-only.ts';
import { until } from '../../support/until.ts';
import { keep } from '../api/support.ts';
import { signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

const NOW = Date.UTC(2026, 4, 15, 12) * 1000;
let now = NOW;
const SECTIONS = ['inbox', 'forms', 'mail', 'usage', 'keys', 'team', 'account'];
const status = STATUS_TEXTS.en;
const { strip } = EN;

const PLANS = JSON.stringify({
  small: { api_access: true, submissions_limit: 2 },
  cramped: { api_access: true, submissions_limit: null, storage_bytes: 10 },
  free: { api_access: true, submissions_limit: null },
});

const smtp = await startSmtp();
const instance = await startInstance({
  clock: () => now,
  env: { PLANS, SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example', WEBHOOK_HOSTS: '127.0.0.1' },
});
afterAll(async () => {
  await instance.stop();
  await smtp.stop();
});
const { store } = instance.context;

const stripsIn = (markup: string) =>
  Array.from(markup.matchAll(/<p class="strip[^>]*>(.*?)<\/p>/gs), ([, text = '']) => text);
const rowOf = (markup: string, title: string) =>
  Array.from(markup.matchAll(/<li class="check (\w+)">.*?<\/li>/gs)).find(([row]) => row.includes(`>${title}<`));

describe('the strip of every page', () => {
  test('tells that a used up plan refuses submissions, and until when', async () => {
    const owner = await instance.makeOwner('small');
    const me = await signIn(instance, owner);
    const viewer = await signIn(instance, owner, {}, 'viewer');
    const text = status.submissions.plan('Jun 1, 2026');
    await instance.post(owner.form.id, { message: 'one' });
    expect(await me.page('/dashboard/inbox')).not.toContain(text);
    await instance.post(owner.form.id, { message: 'two' });
    for (const section of SECTIONS) expect(await me.page(`/dashboard/${section}`)).toContain(text);
    expect(stripsIn(await viewer.page('/dashboard/inbox'))).toEqual([]);
    expect(rowOf(await me.page('/dashboard/status'), status.submissions.title)?.[1]).toBe('bad');
    const stranger = await signIn(instance, await instance.makeOwner());
    expect(await stranger.page('/dashboard/inbox')).not.toContain(text);
  });

  test('tells that the storage of the plan is full', async () => {
    const owner = await instance.makeOwner('free');
    const me = await signIn(instance, owner);
    await instance.post(owner.form.id, { message: 'more than ten bytes' });
    expect(await me.page('/dashboard/forms')).not.toContain(status.submissions.storage);
    await store.teams.update(owner.teamId, { plan: 'cramped' });
    expect(await me.page('/dashboard/forms')).toContain(status.submissions.storage);
  });

  test('tells that the mail server is out of reach, until it is reached', async () => {
    const own = await startInstance({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' } });
    await using _ = { [Symbol.asyncDispose]: own.stop };
    const { owner } = own;
    const me = await signIn(own, owner);
    const form = await own.makeForm(owner, { notify: ['me@home.example'] });
    smtp.onMoment(({ stage }) => (stage === 'CONN' ? 'drop' : undefined));
    await own.post(form.id, { message: 'one' });
    const tells = async () => stripsIn(await me.page('/dashboard/forms'))[0]?.includes(status.mail.failing('1', 1));
    await until(async () => (await tells()) === true, 'the strip');
    expect(rowOf(await me.page('/dashboard/status'), status.mail.title)?.[1]).toBe('bad');
    smtp.onMoment(() => undefined);
    await own.post(form.id, { message: 'two' });
    const isSilent = async () => !(await me.page('/dashboard/forms')).includes('reach the mail server');
    await until(isSilent, 'the mail server to be reached');
  });

  test.each([
    ['RCPT', 451, '4.7.1 Greylisted'],
    ['RCPT', 452, '4.2.2 Mailbox full'],
    ['DATA', 421, '4.3.2 Try later'],
  ] as const)('raises no alarm about the server for an answer to %s of %i', async (stage, code, text) => {
    const owner = await instance.makeOwner('free');
    const me = await signIn(instance, owner);
    const form = await instance.makeForm(owner, { notify: ['me@home.example'] });
    smtp.onMoment((moment) => (moment.stage === stage ? { code, text } : undefined));
    await instance.post(form.id, { message: 'one' });
    await instance.context.mail?.outbox.drain();
    smtp.onMoment(() => undefined);
    expect(await me.page('/dashboard/inbox')).not.toContain('reach the mail server');
    expect(rowOf(await me.page('/dashboard/status'), status.mail.title)?.[1]).toBe('ok');
  });

  test('names the worst of several problems, and only to who can solve it', async () => {
    const owner = await instance.makeOwner('small');
    const [me, editor, viewer] = [
      await signIn(instance, owner),
      await signIn(instance, owner, {}, 'editor'),
      await signIn(instance, owner, {}, 'viewer'),
    ];
    await me.post('/dashboard/status/set-up', { list: 'hide' });
    const form = await instance.makeForm(owner, { notify: ['refuse@client.example'] });
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 550, text: 'never' } : undefined));
    await instance.post(form.id, { message: 'one' });
    await instance.post(form.id, { message: 'two' });
    await instance.context.mail?.outbox.drain();
    smtp.onMoment(() => undefined);
    const [first = '', ...others] = stripsIn(await me.page('/dashboard/inbox'));
    expect(others).toEqual([]);
    expect(first).toContain(status.submissions.plan('Jun 1, 2026'));
    expect(first).toContain(strip.more(1));
    expect(first).not.toContain('bounced');
    const [other = ''] = stripsIn(await editor.page('/dashboard/inbox'));
    expect(other).toMatch(/emails bounced/);
    expect(other).not.toContain(strip.more(1));
    expect(stripsIn(await viewer.page('/dashboard/inbox'))).toEqual([]);
  });

  test('tells of failed emails until they are dismissed, which another team cannot do', async () => {
    const [owner, other] = [await instance.makeOwner('free'), await instance.makeOwner('free')];
    const [me, stranger] = [await signIn(instance, owner), await signIn(instance, other)];
    const form = await instance.makeForm(owner, { notify: ['me@home.example'] });
    smtp.onMoment(({ stage }) => (stage === 'RCPT' ? { code: 550, text: 'never' } : undefined));
    await instance.post(form.id, { message: 'one' });
    await instance.context.mail?.outbox.drain();
    smtp.onMoment(() => undefined);
    const text = status.mail.failed('1', 1, 'me@home.example');
    expect(await me.page('/dashboard/inbox')).toContain(text);
    await stranger.post('/dashboard/mail/dismiss');
    expect(await me.page('/dashboard/inbox')).toContain(text);
    expect((await me.post('/dashboard/mail/dismiss')).headers.get('location')).toBe('/dashboard/mail?done=dismissed');
    expect(await me.page('/dashboard/inbox')).not.toContain(text);
  });

  test('tells that a nearly full disk refuses submissions', async () => {
    const full = await startInstance({ env: { MIN_FREE_BYTES: String(2 ** 50) } });
    try {
      const me = await signIn(full, full.owner);
      expect((await full.post(full.owner.form.id, { message: 'one' })).status).toBe(500);
      expect(await me.page('/dashboard/inbox')).toContain(status.submissions.disk);
      expect(rowOf(await me.page('/dashboard/status'), status.disk.title)?.[1]).toBe('bad');
    } finally {
      await full.stop();
    }
  });
});

describe('setting up', () => {
  test('is offered to owners on the list of forms until all is done or the list is hidden', async () => {
    const owner = await instance.makeOwner('free');
    const me = await signIn(instance, owner);
    const viewer = await signIn(instance, owner, {}, 'viewer');
    expect(await me.page('/dashboard/forms')).toContain(status.steps.form.title);
    expect(stripsIn(await viewer.page('/dashboard/forms'))).toEqual([]);
    await me.post('/dashboard/status/set-up', { list: 'hide' });
    expect(stripsIn(await me.page('/dashboard/forms'))).toEqual([]);
    await me.post('/dashboard/status/set-up', { list: 'show' });
    expect(stripsIn(await me.page('/dashboard/forms'))).toHaveLength(1);
    expect(await me.page('/dashboard/status')).toMatch(/class="list checks"[\s\S]*id="set-up"/);
    await instance.post(owner.form.id, { message: 'one' });
    expect(stripsIn(await me.page('/dashboard/forms')).join()).not.toContain(status.steps.form.title);
  });

  test.each(['a test', 'a notification'])('knows a sent email, %s, and a confirmed copy of the key', async (kind) => {
    const env = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
    const own = await startInstance({ env });
    await using _ = { [Symbol.asyncDispose]: own.stop };
    const me = await signIn(own, own.owner);
    // The list goes once all is done.
    const isDone = async (step: 'mail' | 'key') => {
      const page = await me.page('/dashboard/status');
      return !page.includes('id="step-') || page.includes(`id="step-${step}" class="finished"`);
    };
    // With PostgreSQL, the key is in the settings.
    const hasKey = databaseOf(own.dataDir) !== undefined;
    expect([await isDone('mail'), await isDone('key')]).toEqual([false, hasKey]);
    const form = await own.makeForm(own.owner, { notify: ['me@home.example'] });
    if (kind === 'a test') await me.post('/dashboard/mail/test', { to: 'me@home.example' });
    else await own.post(form.id, { message: 'one' });
    await own.context.mail?.outbox.drain();
    expect([await isDone('mail'), await isDone('key')]).toEqual([true, hasKey]);
    await me.post('/dashboard/status/key-copied');
    expect(await isDone('key')).toBe(true);
    expect(await me.page('/dashboard/audit')).toContain(AUDIT_TEXTS.en.actions['vault.copied']);
  });

  test('warns of more than 5 GB of files in the last 24 hours, by the time they arrived', async () => {
    const owner = await instance.makeOwner('free');
    const me = await signIn(instance, owner);
    const files = async () => rowOf(await me.page('/dashboard/status'), status.files.title) ?? [];
    const receive = (fileBytes: number) => keep(instance, owner, { note: 'hello' }, { fileBytes });
    expect((await files())[1]).toBe('ok');
    await receive(3_000_000_000);
    await receive(2_000_000_000);
    const [full, ok] = await files();
    expect([ok, full]).toEqual(['ok', expect.stringContaining(status.files.grown('5 GB'))]);
    await receive(1_000_000_000);
    const [row, state] = await files();
    expect([state, row]).toEqual(['warning', expect.stringContaining('/docs/connect-forms#file-uploads')]);
    expect(row).toContain(status.files.fast);
    now += DAY + SECOND;
    expect((await files())[1]).toBe('ok');
    now = NOW;
    const stranger = await signIn(instance, await instance.makeOwner('free'));
    expect(rowOf(await stranger.page('/dashboard/status'), status.files.title)?.[1]).toBe('ok');
  });

  test('leads from each check to its fix', async () => {
    const me = await signIn(instance, instance.owner);
    const [row, state] = rowOf(await me.page('/dashboard/status'), status.mail.title) ?? [];
    expect([state, row]).toEqual(['ok', expect.stringContaining('/dashboard/mail#test')]);
  });

  // PostgreSQL is backed up elsewhere.
  sqliteOnly('asks for scheduled backups', async () => {
    const me = await signIn(instance, instance.owner);
    const [row, state] = rowOf(await me.page('/dashboard/status'), status.backups.title) ?? [];
    expect([state, row]).toEqual(['warning', expect.stringContaining('/docs/backups-and-upgrades#scheduled-backups')]);
  });
});

test('Status, doctor and metrics make the same checks, with the same words', async () => {
  const findings = await instanceChecks(instance.context, null, true);
  const markup = await (await signIn(instance, instance.owner)).page('/dashboard/status');
  const metrics = await (await fetch(`${instance.url}/metrics`)).text();
  const address = findings.find(({ check }) => check === 'address');
  if (!address) throw new Error('the address is not checked');
  expect(rowOf(markup, status.address.title)?.[0]).toContain(englishText(address));
  expect(toDoctor(address).message).toStartWith(englishText(address));
  const series = Array.from(metrics.matchAll(/formstead_check\{.*check="(\w+)",code="(\w+)",state="(\w+)"\} 1/g));
  expect(series.map(([, ...labels]) => labels)).toEqual(findings.map(({ check, code, state }) => [check, code, state]));
});

test('a new form waits for its first submission, and shows it', async () => {
  const owner = await instance.makeOwner('free');
  const me = await signIn(instance, owner);
  const path = `/dashboard/forms/${owner.form.id}/connect`;
  expect(await me.page(path)).toContain(CONNECT_TEXTS.en.waiting);
  await instance.post(owner.form.id, { message: 'one' });
  const markup = await me.page(path);
  expect(markup).not.toContain(CONNECT_TEXTS.en.waiting);
  expect(markup).toMatch(/id="waiting"[\s\S]*\/dashboard\/submissions\/sub_/);
  await instance.post(owner.form.id, { message: 'two' });
  expect(await me.page(path)).not.toContain('id="waiting"');
});
