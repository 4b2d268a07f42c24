import { afterAll, describe, expect, test } from 'bun:test';
import type { FormSettings } from '../../../src/domain/forms/form.ts';
import { silentAfter } from '../../../src/domain/forms/form-check.ts';
import { formCheckJob } from '../../../src/jobs/form-checks.ts';
import { DAY, HOUR } from '../../../src/lib/clock.ts';
import { startInstance } from '../../support/instance.ts';
import { signIn } from '../dashboard/signed-in.ts';

let now = Date.UTC(2026, 0, 5, 12) * 1_000;
const page = { status: 200, body: '' };
const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () => new Response(page.body, { status: page.status }),
});
const instance = await startInstance({
  clock: () => now,
  env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@mail.example', ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
});
afterAll(async () => {
  await instance.stop();
  await site.stop(true);
});
const { store, log, network, clock } = instance.context;
// The mails stay queued: one whose reason has ended would be dropped when it is sent.
const mail = { outbox: { wake: () => {} } };
await instance.context.mail.outbox.stop();
const job = formCheckJob({ store, log, network, clock, mail });
const run = () => job.step(new AbortController().signal);

async function makeForm(settings: Partial<FormSettings>) {
  const owner = await instance.makeOwner();
  const form = await instance.makeForm(owner, settings);
  const me = await signIn(instance, owner);
  const alarms = async () => {
    const mails = await store.mails.list({ state: null, limit: 1_000 });
    return mails
      .filter(({ formId, kind }) => formId === form.id && kind !== 'notification' && kind !== 'auto_reply')
      .map(({ kind }) => kind);
  };
  return { owner, form, me, alarms };
}

describe('a watched page', () => {
  const watchPage = `http://127.0.0.1:${site.port}/contact`;

  test('is fetched once a day, and fails after two failures: one mail then, and one when it is well again', async () => {
    const { form, alarms, me, owner } = await makeForm({ watchPage });
    const seen: string[] = [];
    const day = async (status: number, body: string) => {
      Object.assign(page, { status, body });
      await run();
      now += HOUR;
      await run();
      now += DAY;
      const { pageFailures } = await store.formChecks.find(form.id);
      seen.push(`${pageFailures} ${(await alarms()).length}`);
    };
    const good = `<form action="https://x.example/v1/forms/${form.shortId}/submissions">`;
    for (const body of [good, '<p>moved</p>', good, '<p>moved</p>']) await day(200, body);
    await day(500, good);
    await day(200, '<p>moved</p>');
    expect(seen).toEqual(['0 0', '1 0', '0 0', '1 0', '2 1', '3 1']);
    expect(await store.formChecks.listFailingPages(10, owner.teamId)).toMatchObject([{ id: form.id, page: watchPage }]);
    expect(await me.page(`/dashboard/forms/${form.id}`)).toContain(
      `The form is missing from 127.0.0.1:${site.port}/contact`,
    );
    expect(await me.page('/dashboard/status')).toContain('The form is missing from its page');
    await day(200, '<script src="https://x.example/formstead.js"></script>');
    expect((await alarms()).toSorted()).toEqual(['page_failing', 'page_well']);
    now -= DAY - HOUR;
    expect(await me.page(`/dashboard/forms/${form.id}`)).toContain(
      `Last seen working 2 hr. ago on 127.0.0.1:${site.port}/contact`,
    );
  });

  test('is not fetched for a paused form, and forgotten once it is no longer watched', async () => {
    const { form, alarms } = await makeForm({ watchPage });
    Object.assign(page, { status: 200, body: '' });
    for (let day = 0; day < 3; day++) {
      await run();
      now += DAY;
    }
    expect(await alarms()).toEqual(['page_failing']);
    await store.forms.update(form.id, { isActive: false });
    now += DAY;
    await run();
    expect((await store.formChecks.find(form.id)).pageFailures).toBe(3);
    await store.forms.update(form.id, { watchPage: null });
    await run();
    expect(await store.formChecks.find(form.id)).toMatchObject({ pageFailures: 0, pageCheckedAt: null });
  });

  test.each(['http://example.com/', 'ftp://example.com/', 'https://user:x@example.com/', 'example.com'])(
    '%s is refused',
    async (url) => {
      const { owner, form } = await makeForm({});
      const answer = await instance.api('PATCH', `/v1/forms/${form.id}/settings`, {
        key: owner.writeKey,
        body: { watch_page: url },
      });
      expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('must be an https URL')]);
    },
  );
});

describe('silence', () => {
  /** Posts on each of these days and runs the job on all, and returns the days on which there was an alarm. */
  async function live(
    days: number,
    posts: (day: number) => number,
    settings: Partial<FormSettings> = {},
    onDay: (day: number, id: string) => Promise<unknown> = async () => {},
  ) {
    const { owner, form, alarms } = await makeForm(settings);
    const found: number[] = [];
    for (let day = 0; day < days; day++) {
      await onDay(day, form.id);
      for (let post = 0; post < posts(day); post++) await instance.post(form.id, { day, post });
      await run();
      while ((await alarms()).length > found.length) found.push(day);
      now += DAY;
    }
    await store.trash.moveForm(form.id, owner.teamId, now);
    return found;
  }
  const until = (last: number) => (day: number) => (day <= last ? 1 : 0);

  test('after four steady weeks is told once, until the next submission', async () => {
    expect(await live(60, until(29))).toEqual([37]);
    expect(await live(90, (day) => (day <= 29 || (day >= 45 && day <= 75) ? 1 : 0))).toEqual([37]);
  });

  test('is no alarm for a new form, a form with few submissions, or one that is used to longer pauses', async () => {
    expect(await live(60, until(20))).toEqual([]);
    expect(await live(60, (day) => (day <= 40 && day % 2 === 0 ? 1 : 0))).toEqual([]);
    expect(await live(60, (day) => (day <= 8 || (day >= 18 && day <= 48) ? 1 : 0))).toEqual([]);
    expect(await live(60, until(29), { silenceAlarm: false })).toEqual([]);
  });

  test('does not begin while the form is paused or closed', async () => {
    const pause = (day: number, id: string) => store.forms.update(id, { isActive: day < 30 || day >= 45 });
    expect(await live(60, until(29), {}, pause)).toEqual([52]);
    const closesAt = new Date((now + 30 * DAY) / 1000).toISOString();
    expect(await live(50, until(29), { closesAt })).toEqual([]);
  });

  test('needs five a week, and lasts twice the longest pause', () => {
    const steady = (length: number) => Array.from({ length }, () => 1);
    expect(silentAfter(steady(27))).toBeNull();
    expect(silentAfter(steady(28))).toBe(7);
    expect(silentAfter([...steady(7), 0, 0, 0, ...steady(28)])).toBe(8);
    expect(silentAfter([...steady(20), 0, 0, 0, ...steady(8)])).toBeNull();
    expect(silentAfter([1, ...Array.from({ length: 14 }, () => 0), ...steady(30)])).toBe(30);
  });
});

test('the limit of auto-replies is told once a day, to the recipients of the form', async () => {
  const { form, alarms } = await makeForm({
    autoReplyText: 'Thanks',
    autoReplyDailyLimit: 2,
    notify: ['ada@example.com'],
  });
  const post = (name: string) => instance.post(form.id, { email: `${name}@visitor.example`, message: name });
  await post('a');
  await run();
  expect(await alarms()).toEqual([]);
  for (const name of ['b', 'c']) await post(name);
  for (let hour = 0; hour < 5; hour++) {
    await run();
    now += HOUR;
  }
  const mails = (await store.mails.list({ state: null, limit: 1_000 })).filter(({ formId }) => formId === form.id);
  expect(mails.filter(({ kind }) => kind === 'auto_reply')).toHaveLength(2);
  expect(mails.filter(({ kind }) => kind === 'replies_limited').map(({ recipient }) => recipient)).toEqual([
    'ada@example.com',
  ]);
});
