import { afterAll, expect, test } from 'bun:test';
import { HOUR, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { only, startMailing } from '../../fast/mail/mailing.ts';

let now: Micros = Date.UTC(2026, 6, 1, 12) * 1000;
const mailing = await startMailing({}, () => now);
afterAll(mailing.stop);
const { instance, smtp } = mailing;
const { store } = instance.context;

const lines = (pattern: RegExp) =>
  instance.logs.filter((line) => pattern.test(line)).map((line) => JSON.parse(line) as Record<string, unknown>);
const failures = () => lines(/mails could not be sent/);
const recoveries = () => lines(/mails are sent again/);

/** Requeues all mails and sends them. */
async function retryAll() {
  for (const { id } of await store.mails.list({ state: 'retrying', limit: 100 })) await store.mails.retry({ id });
  return mailing.drained();
}

test('an outage is one line with the reason, one an hour, and one at its end', async () => {
  const form = await mailing.form({ notify: Array.from({ length: 20 }, (_, n) => `r${n}@shop.example`) });
  smtp.onMoment(({ stage }) => (stage === 'CONN' ? 'drop' : undefined));
  await mailing.sent(form, { message: 'Hello' });
  await mailing.sent(form, { message: 'Hello' });
  expect(failures()).toEqual([
    expect.objectContaining({ level: 'warn', failures: 1, reason: expect.stringMatching(/^the server closed the/) }),
  ]);
  now += 59 * MINUTE;
  await retryAll();
  expect(failures()).toHaveLength(1);
  now += MINUTE;
  await retryAll();
  expect(failures().map((line) => line.failures)).toEqual([1, 80]);
  expect(recoveries()).toEqual([]);

  smtp.onMoment(() => undefined);
  const sentBefore = smtp.mails.length;
  now += HOUR;
  await retryAll();
  expect(smtp.mails.length - sentBefore).toBe(40);
  expect(recoveries()).toEqual([expect.objectContaining({ level: 'info', failures: 39 })]);
  expect(lines(/mail not sent/)).toEqual([]);
});

test('a mail refused for good is a line of its own, without the words of the server', async () => {
  const form = await mailing.form({ autoReplyText: 'Thanks', notify: [] });
  smtp.onMoment(({ stage, line }) => (stage === 'RCPT' ? { code: 550, text: `No such user: ${line}` } : undefined));
  await mailing.sent(form, { email: 'ada@home.example', message: 'Hello' });
  smtp.onMoment(() => undefined);
  expect(lines(/mail not sent/)).toEqual([
    expect.objectContaining({
      kind: 'auto_reply',
      form: form.id,
      reason: expect.stringContaining('rejected the mail'),
    }),
  ]);
  expect(instance.logs.join('')).not.toContain('ada@home.example');
});

test('a mail that is not wanted any more is canceled, not failed', async () => {
  const form = await mailing.form();
  smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
  await mailing.sent(form, { message: 'Hello' });
  smtp.onMoment(() => undefined);
  const [submission] = await instance.stored(instance.owner, form);
  await markSubmission(instance.context, submission?.id ?? '', true);
  expect(await retryAll()).toEqual([]);
  const mails = await store.mails.list({ state: null, limit: 1_000 });
  expect(mails.filter(({ formId }) => formId === form.id).map(({ state }) => state)).toEqual(['canceled']);
  expect(only(await mailing.sent(form, { message: 'Another' })).mail.text).toContain('Another');
});

test('a mail whose recipient was removed is deleted, not failed', async () => {
  const form = await mailing.form();
  smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
  await mailing.sent(form, { message: 'Hello' });
  smtp.onMoment(() => undefined);
  await store.forms.update(form.id, { notify: ['other@shop.example'] });
  expect(await retryAll()).toEqual([]);
  const mails = await store.mails.list({ state: null, limit: 1_000 });
  expect(mails.filter(({ formId }) => formId === form.id)).toEqual([]);
  expect(only(await mailing.sent(form, { message: 'Another' })).mail.text).toContain('Another');
});
