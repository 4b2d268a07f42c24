import { afterAll, expect, test } from 'bun:test';
import { deleteSubmission } from '../../../src/services/submissions/delete-submission.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { type Arrived, OWNER, only, startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);
const { context, owner } = mailing.instance;

const SPAM = { email: 'ada@home.example', message: 'win at our casino' };
const formWithBlockedWord = () => mailing.form({ blockedWords: ['casino'], autoReplyText: 'Thanks' });
const recipients = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const rejectMail = () =>
  mailing.smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
const acceptMail = () => mailing.smtp.onMoment(() => undefined);

async function newestOf({ id }: Readonly<{ id: string }>): Promise<string> {
  const [newest] = (await context.store.submissions.listRecent(id, { onlySpam: false, limit: 1 })) ?? [];
  return newest?.id ?? '';
}

async function retryAll(): Promise<Arrived[]> {
  const mails = await context.store.mails.list({ state: null, limit: 1000 });
  for (const { id } of mails) await context.store.mails.retry({ id });
  return mailing.drained();
}

test('marking a held back submission as genuine sends its mails', async () => {
  const form = await formWithBlockedWord();
  expect(await mailing.sent(form, SPAM)).toEqual([]);
  await markSubmission(context, await newestOf(form), false);
  const mails = await mailing.drained();
  expect(recipients(mails)).toEqual(['ada@home.example', OWNER]);
  expect(mails.map(({ mail }) => mail.text).join()).toContain('win at our casino');
});

test('its mails are sent once, however often it is marked', async () => {
  const form = await formWithBlockedWord();
  await mailing.sent(form, SPAM);
  const id = await newestOf(form);
  for (const isSpam of [true, false, true, false]) await markSubmission(context, id, isSpam);
  expect(recipients(await mailing.drained())).toEqual(['ada@home.example', OWNER]);
  for (const isSpam of [true, false, true, false]) await markSubmission(context, id, isSpam);
  expect(await mailing.drained()).toEqual([]);
});

test('its mails are sent once if it is marked concurrently', async () => {
  const form = await formWithBlockedWord();
  await mailing.sent(form, SPAM);
  const id = await newestOf(form);
  await Promise.all([1, 2, 3].map(() => markSubmission(context, id, false)));
  expect(recipients(await mailing.drained())).toEqual(['ada@home.example', OWNER]);
});

test('no second notification is sent after marking as spam and as genuine', async () => {
  const form = await mailing.form();
  expect(await mailing.sent(form, { message: 'Hello' })).toHaveLength(1);
  const id = await newestOf(form);
  await markSubmission(context, id, true);
  await markSubmission(context, id, false);
  expect(await mailing.drained()).toEqual([]);
});

test('queued mails are not sent while their submission is marked as spam, and once when the mark is undone', async () => {
  const form = await mailing.form({ autoReplyText: 'Thanks' });
  rejectMail();
  await mailing.sent(form, { email: 'bob@home.example', message: 'Hello' });
  acceptMail();
  const id = await newestOf(form);
  await markSubmission(context, id, true);
  expect(await retryAll()).toEqual([]);
  await markSubmission(context, id, false);
  expect(recipients(await mailing.drained())).toEqual(['bob@home.example', OWNER]);
  for (const isSpam of [true, false]) await markSubmission(context, id, isSpam);
  expect(await mailing.drained()).toEqual([]);
});

test('a queued mail is not sent after its submission was deleted', async () => {
  const form = await mailing.form({ autoReplyText: 'Thanks' });
  rejectMail();
  await mailing.sent(form, { email: 'bob@home.example', message: 'Hello' });
  acceptMail();
  await deleteSubmission(context, await newestOf(form), owner.teamId);
  expect(await retryAll()).toEqual([]);
  const mails = await context.store.mails.list({ state: null, limit: 1000 });
  expect(mails.filter(({ formId }) => formId === form.id)).toEqual([]);
});

test('deleting a submission while its mail is sent causes no error', async () => {
  const form = await mailing.form();
  const held = Promise.withResolvers<undefined>();
  mailing.smtp.onMoment(({ stage }) => (stage === 'BODY' ? held.promise : undefined));
  const reached = mailing.smtp.reached('BODY', (mailing.smtp.seen.get('BODY') ?? 0) + 1);
  await mailing.instance.post(form.id, { message: 'Hello' });
  await reached;
  await deleteSubmission(context, await newestOf(form), owner.teamId);
  const arrived = mailing.drained();
  held.resolve(undefined);
  acceptMail();
  expect(only(await arrived).envelope.to).toEqual([OWNER]);
  expect(await retryAll()).toEqual([]);
});
