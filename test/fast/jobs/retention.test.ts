import { afterAll, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { retentionJob } from '../../../src/jobs/retention.ts';
import { DAY, HOUR, type Micros, systemClock } from '../../../src/lib/clock.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { recordsOf, tracesOf } from '../../support/traces.ts';
import { keepMany } from '../dashboard/list-page.ts';
import { blobNames, formData } from '../visitor/files.ts';

type House = Readonly<{
  instance: Instance;
  owner: Owner;
  form: Form;
  /** Advances the clock in steps of an hour or of `step` and runs the job after each. */
  pass: (time: Micros, step?: Micros) => Promise<void>;
  /** Makes the clock jump without running the job. */
  leap: (time: Micros) => void;
  run: () => Promise<void>;
  ids: (form?: Form) => Promise<string[]>;
}>;

const started: Instance[] = [];
afterAll(async () => {
  for (const { stop } of started) await stop();
});

/** Starts an instance with a form with this retention. */
async function house(retentionDays: number | null = 2, env: Record<string, string> = {}): Promise<House> {
  let ahead = 0;
  const clock = () => systemClock() + ahead;
  const instance = await startInstance({ clock, env });
  started.push(instance);
  const { owner, context } = instance;
  const form = await instance.makeForm(owner, { retentionDays });
  const job = retentionJob(context);
  const run = () => job.step(new AbortController().signal);
  return {
    instance,
    owner,
    form,
    run,
    leap: (time) => {
      ahead += time;
    },
    pass: async (time, step = HOUR) => {
      for (let left = time; left > 0; left -= step) {
        ahead += Math.min(left, step);
        await run();
      }
    },
    ids: async (one = form) => {
      const found = await context.store.submissions.listRecent(one.id, { onlySpam: false, limit: 1000 });
      return (found ?? []).map(({ id }) => id).reverse();
    },
  };
}

async function post({ instance, form }: House, ...texts: string[]): Promise<void> {
  for (const text of texts) expect((await instance.post(form.id, { text })).status).toBe(200);
}

describe('submissions of a form with a retention', () => {
  test('are purged from the database once a day, also if nothing expired that hour', async () => {
    const here = await house(2);
    const { store } = here.instance.context;
    const purgedAt = async () => (await store.upkeep.readPurges()).purgedAt;
    await post(here, 'first');
    await here.pass(5 * HOUR);
    await post(here, 'second');
    await here.pass(2 * DAY - 4 * HOUR);
    expect(await here.ids()).toHaveLength(1);
    const first = await purgedAt();
    expect(first).toBeGreaterThan(0);
    await here.pass(6 * HOUR);
    expect(await here.ids()).toEqual([]);
    expect(await purgedAt()).toBe(first);
    await here.pass(DAY);
    expect(await purgedAt()).toBeGreaterThan(first);
  });

  test('are deleted when they are older, and not before', async () => {
    const here = await house(2);
    await post(here, 'old');
    await here.pass(DAY);
    await post(here, 'young');
    const [old, young] = await here.ids();
    await here.pass(DAY - HOUR);
    expect(await here.ids()).toEqual([String(old), String(young)]);
    await here.pass(HOUR);
    expect(await here.ids()).toEqual([String(young)]);
    await here.pass(DAY);
    expect(await here.ids()).toEqual([]);
  });

  test('are deleted with spam, files and mails and leave no trace in the data directory', async () => {
    const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'forms@mail.example' };
    const here = await house(2, env);
    const { instance, owner } = here;
    const settings = { retentionDays: 2, notify: ['ada@home.example'], blockedWords: ['casino'] };
    const form = await instance.makeForm(owner, settings);
    const body = formData([
      ['text', 'x'.repeat(20_000)],
      ['cv', new File(['y'.repeat(10_000)], 'cv.txt')],
    ]);
    await instance.post(form.id, body);
    await instance.post(form.id, { text: 'casino' });
    await instance.context.mail?.outbox.drain();
    const ids = await here.ids(form);
    const records = await recordsOf(instance, ids);
    expect(records).toHaveLength(6);
    for (const record of records) expect(await tracesOf(instance.dataDir, [record])).not.toEqual([]);
    expect(blobNames(instance)).toHaveLength(1);

    await here.pass(2 * DAY);
    expect(await here.ids(form)).toEqual([]);
    expect(blobNames(instance)).toEqual([]);
    expect(await instance.context.store.mails.list({ state: null, limit: 10 })).toEqual([]);
    expect(await tracesOf(instance.dataDir, records)).toEqual([]);
  });

  test('do not reduce usage when they are deleted', async () => {
    const here = await house(1);
    await post(here, 'a', 'b');
    const used = async () =>
      (await here.instance.context.store.usage.list(here.owner.teamId, 100)).reduce(
        (sum, month) => sum + month.used,
        0,
      );
    await here.pass(DAY);
    expect([await here.ids(), await used()]).toEqual([[], 2]);
  });

  test("are recorded as counts in the team's audit log", async () => {
    const here = await house(1);
    await post(here, 'a', 'b');
    await here.pass(DAY);
    const entries = await here.instance.context.store.audit.listFrom(here.owner.teamId, {
      since: 0,
      after: 0,
      limit: 100,
    });
    const ours = entries.filter(({ action }) => action === 'submissions.expired');
    expect(ours).toMatchObject([
      { actor: { kind: 'system' }, details: { form_id: here.form.id, submissions: 2, files: 0, mails: 0 } },
    ]);
  });

  test('are all deleted, even if there are many', async () => {
    const here = await house(1);
    await keepMany(here.instance.context, here.form.id, 500, (n) => ({ text: `${n}`.padEnd(500) }));
    await here.pass(DAY);
    expect(await here.ids()).toEqual([]);
  });
});

describe('a form without a retention', () => {
  test('keeps everything, as does one with a longer retention', async () => {
    const here = await house(null);
    await post(here, 'a');
    // Shorter steps than a day, which would count as a clock jump.
    await here.pass(30 * DAY, 12 * HOUR);
    expect(await here.ids()).toHaveLength(1);
  });

  test('uses the default of the instance, which its own retention overrides', async () => {
    const here = await house(null, { RETENTION_DAYS: '1' });
    const longer = await here.instance.makeForm(here.owner, { retentionDays: 3 });
    await post(here, 'a');
    await here.instance.post(longer.id, { text: 'b' });
    await here.pass(DAY);
    expect([await here.ids(), (await here.ids(longer)).length]).toEqual([[], 1]);
    await here.pass(2 * DAY);
    expect(await here.ids(longer)).toEqual([]);
  });
});

describe('a clock jump', () => {
  test('far ahead pauses retention for a day and is logged', async () => {
    const here = await house(2);
    await post(here, 'a');
    await here.run();
    here.leap(3_650 * DAY);
    await here.run();
    expect(await here.ids()).toHaveLength(1);
    expect(here.instance.logs.filter((line) => line.includes('retention paused for 24 h'))).toHaveLength(1);
    await here.pass(DAY - HOUR);
    expect(await here.ids()).toHaveLength(1);
    await here.pass(HOUR);
    expect(await here.ids()).toEqual([]);
  });

  test('that is corrected deletes nothing early and resumes on time', async () => {
    const here = await house(2);
    await post(here, 'a');
    await here.pass(DAY);
    here.leap(3_650 * DAY);
    await here.pass(5 * HOUR);
    here.leap(-3_650 * DAY);
    await here.pass(18 * HOUR);
    expect(await here.ids()).toHaveLength(1);
    await here.pass(DAY);
    expect(await here.ids()).toEqual([]);
  });
});

test('an aborted run leaves the rest to the next one', async () => {
  const here = await house(1);
  await keepMany(here.instance.context, here.form.id, 600, (n) => ({ n }));
  await here.pass(DAY - HOUR);
  here.leap(2 * HOUR);
  const ending = new AbortController();
  const { store } = here.instance.context;
  const deleteOlder: typeof store.retention.deleteOlder = async (...wanted) => {
    const deleted = await store.retention.deleteOlder(...wanted);
    ending.abort();
    return deleted;
  };
  const watched = { ...store, retention: { ...store.retention, deleteOlder } };
  const job = retentionJob({ ...here.instance.context, store: watched, config: { retentionDays: null } });
  await job.step(ending.signal);
  const left = (await here.ids()).length;
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(600);
  await here.run();
  expect(await here.ids()).toEqual([]);
});
