import { afterEach, describe, expect, test } from 'bun:test';
import { DEFAULT_SETTINGS } from '../../../src/domain/forms/form.ts';
import { HOUR, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { mailReasonAad } from '../../../src/vault/vault.ts';
import { placesOf } from '../../fast/visitor/canary.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, startInstance } from '../../support/instance.ts';
import { type Moment, type SmtpSink, startSmtp, type Verdict } from '../../support/smtp.ts';
import { until } from '../../support/until.ts';

const JULY = Date.UTC(2026, 6, 1) * 1000;
const LANES = 8;

const cleanups: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of cleanups.splice(0).reverse()) await close();
});

/** Starts an instance with a mail server and a clock that the test moves. */
async function start(url?: (smtp: SmtpSink) => string, options?: Parameters<typeof startSmtp>[0]) {
  const smtp = await startSmtp(options);
  const time = { now: JULY as Micros };
  const env = { SMTP_URL: url?.(smtp) ?? smtp.url, MAIL_FROM: 'forms@mail.example' };
  const instance = await startInstance({ env, clock: () => time.now });
  cleanups.push(smtp.stop, instance.stop);
  const { store, mail } = instance.context;
  const postTo = async (recipient: string) => {
    const form = await instance.makeForm(instance.owner, { ...DEFAULT_SETTINGS, notify: [recipient] });
    expect((await instance.post(form.id, { message: `for ${recipient}` })).status).toBe(200);
    return form;
  };
  return {
    instance,
    smtp,
    time,
    postTo,
    drain: async () => mail?.outbox.drain(),
    fill: async () => mail?.outbox.fill(),
    mails: () => store.mails.list({ state: null, limit: 1_000 }),
    mailTo: async (recipient: string) => {
      const found = (await store.mails.list({ state: null, limit: 1_000 })).find(
        (each) => each.recipient === recipient,
      );
      if (found) return found;
      throw new Error(`no mail to ${recipient}`);
    },
  };
}

function reasonOf(
  { context }: Instance,
  { id, formId, reason }: { id: string; formId: string | null; reason: Uint8Array | null },
) {
  return reason && context.vault.open(reason, mailReasonAad(id, formId)).toString();
}

/** Changes the database directly, as a fault would. */
function tamper({ dataDir }: Instance, sql: string): void {
  queryDatabase(dataDir, sql);
}

/** Suspends SMTP conversations at matching moments until `letGo` is called. */
function hold(smtp: SmtpSink, matches: (moment: Moment) => boolean) {
  const held = Promise.withResolvers<undefined>();
  smtp.onMoment((moment) => (matches(moment) ? held.promise : undefined));
  return { letGo: () => held.resolve(undefined) };
}

const names = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@x.example`);
const refusing = (name: string, answer: Verdict) => (moment: Moment) =>
  moment.stage === 'RCPT' && moment.line.includes(name) ? answer : undefined;

describe('a claimed mail', () => {
  test.each([
    ['forward by a day', 24 * HOUR],
    ['back by two hours', -2 * HOUR],
    ['back by a year', -365 * 24 * HOUR],
  ])('is not sent by another lane when the clock jumps %s', async (_, jump) => {
    const { smtp, time, postTo, fill, drain, mailTo } = await start();
    const { letGo } = hold(smtp, ({ stage }) => stage === 'END');
    await postTo('ada@x.example');
    await smtp.reached('END');
    time.now += jump;
    await fill();
    time.now += MINUTE;
    await fill();
    letGo();
    await drain();
    expect(smtp.mails).toHaveLength(1);
    expect((await mailTo('ada@x.example')).state).toBe('sent');
  });

  test('that is requeued while it is sent is sent once', async () => {
    const { instance, smtp, postTo, fill, drain, mailTo } = await start();
    const { letGo } = hold(smtp, ({ stage }) => stage === 'END');
    await postTo('ada@x.example');
    await smtp.reached('END');
    await instance.context.store.mails.retry({ id: (await mailTo('ada@x.example')).id });
    await fill();
    letGo();
    await drain();
    expect(smtp.mails).toHaveLength(1);
    expect((await mailTo('ada@x.example')).state).toBe('sent');
  });

  test('that the server accepted is not sent again while the result cannot be written', async () => {
    const { instance, smtp, postTo, drain, mailTo } = await start();
    const { letGo } = hold(smtp, ({ stage }) => stage === 'END');
    await postTo('ada@x.example');
    await smtp.reached('END');
    tamper(instance, 'ALTER TABLE outbox RENAME TO gone');
    letGo();
    await until(() => instance.logs.some((line) => line.includes('could not be recorded')), 'the failed write');
    tamper(instance, 'ALTER TABLE gone RENAME TO outbox');
    await drain();
    expect(smtp.mails).toHaveLength(1);
    expect((await mailTo('ada@x.example')).state).toBe('sent');
  });

  test('of a submission deleted in the meantime leaves no row', async () => {
    const { instance, smtp, postTo, drain, mails, mailTo } = await start();
    const { letGo } = hold(smtp, ({ stage }) => stage === 'END');
    await postTo('ada@x.example');
    await smtp.reached('END');
    const { submissionId } = await mailTo('ada@x.example');
    await instance.context.store.retention.deleteSubmission(submissionId ?? '', instance.owner.teamId);
    letGo();
    await drain();
    expect([await mails(), smtp.mails.length]).toEqual([[], 1]);
  });

  test('is one of at most eight', async () => {
    const { smtp, postTo, fill, drain } = await start();
    const { letGo } = hold(smtp, ({ stage }) => stage === 'RCPT');
    for (const name of names(3 * LANES)) await postTo(name);
    await smtp.reached('RCPT', LANES);
    await Promise.all([fill(), fill(), fill()]);
    await fill();
    expect(smtp.seen.get('CONN')).toBe(LANES);
    letGo();
    await drain();
    expect(smtp.mails).toHaveLength(3 * LANES);
    expect(new Set(smtp.mails.map(({ to }) => to[0])).size).toBe(3 * LANES);
  });
});

describe('a mail that fails', () => {
  test('because the server hangs does not delay others', async () => {
    const { smtp, postTo } = await start();
    const { letGo } = hold(smtp, ({ stage, line }) => stage === 'RCPT' && line.includes('slow@'));
    await postTo('slow@x.example');
    for (const name of names(20)) await postTo(name);
    await smtp.arrived(20);
    expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual(names(20).toSorted());
    letGo();
    await smtp.arrived(21);
  });

  test('with a permanent error is dead at once, and the others are sent', async () => {
    const { instance, smtp, postTo, drain, mailTo, time } = await start();
    smtp.onMoment(refusing('gone@x.example', { code: 550, text: '5.1.1 No such mailbox here' }));
    for (const name of ['a@x.example', 'gone@x.example', 'b@x.example']) await postTo(name);
    await drain();
    const gone = await mailTo('gone@x.example');
    expect(gone).toMatchObject({ state: 'dead', settledAt: time.now });
    expect(reasonOf(instance, gone)).toContain('550 5.1.1 No such mailbox here');
    expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual(['a@x.example', 'b@x.example']);
  });

  test('because its submission is damaged is dead at once, and the others are sent', async () => {
    const { instance, smtp, postTo, drain, mailTo } = await start();
    smtp.onMoment(refusing('@', { code: 451, text: 'Later' }));
    const damaged = await postTo('damaged@x.example');
    await postTo('ada@x.example');
    await drain();
    tamper(
      instance,
      `UPDATE submissions SET payload = x'${'00'.repeat(100)}' WHERE form_key = (SELECT key FROM forms WHERE id = '${damaged.id}')`,
    );
    smtp.onMoment(() => undefined);
    await instance.context.store.mails.retry({ id: (await mailTo('damaged@x.example')).id });
    await instance.context.store.mails.retry({ id: (await mailTo('ada@x.example')).id });
    await drain();
    expect((await mailTo('damaged@x.example')).state).toBe('dead');
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@x.example']]);
  });

  test('with an internal error is counted and retried later, and the others are sent', async () => {
    const { instance, smtp, time, postTo, drain, mailTo } = await start();
    smtp.onMoment(refusing('@', { code: 451, text: 'Later' }));
    const poisoned = await postTo('poisoned@x.example');
    await postTo('ada@x.example');
    await drain();
    tamper(instance, `UPDATE forms SET fields = '{}' WHERE id = '${poisoned.id}'`);
    smtp.onMoment(() => undefined);
    time.now += 2 * MINUTE;
    await drain();
    expect(await mailTo('poisoned@x.example')).toMatchObject({ state: 'retrying', failures: 2 });
    expect(smtp.mails.map(({ to }) => to)).toEqual([['ada@x.example']]);
    tamper(instance, `UPDATE forms SET fields = '[]' WHERE id = '${poisoned.id}'`);
    time.now += 10 * MINUTE;
    await drain();
    expect(smtp.mails).toHaveLength(2);
  });
});

test('the response of the server is stored sealed, and only until the mail is sent', async () => {
  const { instance, smtp, time, postTo, drain, mailTo } = await start();
  smtp.onMoment(refusing('@', { code: 451, text: '4.2.2 CANARYWORDS full is the box' }));
  await postTo('ada@x.example');
  await drain();
  const waiting = await mailTo('ada@x.example');
  expect(waiting).toMatchObject({ state: 'retrying', failures: 1 });
  expect(reasonOf(instance, waiting)).toContain('451 4.2.2 CANARYWORDS full is the box');
  expect(placesOf('CANARYWORDS', instance)).toEqual([]);
  smtp.onMoment(() => undefined);
  time.now += 2 * MINUTE;
  await drain();
  expect(await mailTo('ada@x.example')).toMatchObject({ state: 'sent', reason: null });
});

describe('credentials that the server refuses', () => {
  const login = { user: 'forms', pass: 'right' };
  const complaints = ({ logs }: Instance) => logs.filter((line) => line.includes('rejected the credentials'));
  const wrong = ({ stage }: Moment) => (stage === 'AUTH' ? { code: 535, text: '5.7.8 Wrong password' } : undefined);

  test('pause all mails for five minutes without counting a failure, and are logged once', async () => {
    const { instance, smtp, time, postTo, drain, fill, mails } = await start(undefined, { login });
    smtp.onMoment(wrong);
    for (const name of names(20)) await postTo(name);
    await drain();
    await fill();
    const tried = smtp.seen.get('AUTH') ?? 0;
    expect(tried).toBeLessThanOrEqual(LANES);
    expect(complaints(instance)).toHaveLength(1);
    expect(JSON.parse(complaints(instance)[0] ?? '')).toMatchObject({ level: 'error' });
    expect((await mails()).every(({ state, failures }) => state === 'queued' && failures === 0)).toBe(true);

    time.now += 5 * MINUTE - 1;
    await drain();
    expect(smtp.seen.get('AUTH')).toBe(tried);
    time.now += 1;
    await drain();
    expect(smtp.seen.get('AUTH')).toBe(tried + 1);
    expect(complaints(instance)).toHaveLength(2);
  });

  test('are tried once after each pause, also if some mails are no longer wanted', async () => {
    const { instance, smtp, time, postTo, drain, mailTo, mails } = await start(undefined, { login });
    smtp.onMoment(wrong);
    for (const name of names(20)) await postTo(name);
    await drain();
    for (const name of names(10)) {
      await markSubmission(instance.context, (await mailTo(name)).submissionId ?? '', true);
    }
    const countCanceled = async () => (await mails()).filter(({ state }) => state === 'canceled').length;
    for (let round = 0; round < 20 && (await countCanceled()) < 10; round++) {
      const tried = smtp.seen.get('AUTH') ?? 0;
      time.now += 5 * MINUTE;
      await drain();
      expect((smtp.seen.get('AUTH') ?? 0) - tried).toBeLessThanOrEqual(1);
    }
    expect(await countCanceled()).toBe(10);
  });

  test('that work again let all mails be sent after the pause', async () => {
    const { smtp, time, postTo, drain, mails } = await start(undefined, { login });
    smtp.onMoment(wrong);
    for (const name of names(20)) await postTo(name);
    await drain();
    smtp.onMoment(() => undefined);
    time.now += 5 * MINUTE;
    await drain();
    expect(smtp.mails.map(({ to }) => to[0]).toSorted()).toEqual(names(20).toSorted());
    expect((await mails()).every(({ state }) => state === 'sent')).toBe(true);
  });

  test('are treated alike if there are none', async () => {
    const { instance, postTo, drain, mailTo } = await start(({ port }) => `smtp://127.0.0.1:${port}`, { login });
    await postTo('ada@x.example');
    await drain();
    const mail = await mailTo('ada@x.example');
    expect(mail).toMatchObject({ state: 'queued', failures: 0 });
    expect(reasonOf(instance, mail)).toContain('530');
    expect(complaints(instance)).toHaveLength(1);
  });
});
