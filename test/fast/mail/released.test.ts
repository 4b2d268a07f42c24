import { afterAll, expect, test } from 'bun:test';
import { deleteSubmission } from '../../../src/services/delete-submission.ts';
import { markSubmission } from '../../../src/services/mark-submission.ts';
import { type Arrived, OWNER, only, startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);
const { context, owner } = mailing.instance;

const SPAM = { email: 'ada@home.example', message: 'win at our casino' };
const spamTrap = () => mailing.form({ blockedWords: ['casino'], autoReplyText: 'Thanks' });
const receivers = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const laterPlease = () =>
  mailing.smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
const now = () => mailing.smtp.onMoment(() => undefined);

async function newestOf({ id }: Readonly<{ id: string }>): Promise<string> {
  const [newest] = (await context.store.listRecentSubmissions(id, { onlySpam: false, limit: 1 })) ?? [];
  return newest?.id ?? '';
}

async function retryAll(): Promise<Arrived[]> {
  const mails = await context.store.listMails({ state: null, limit: 1000 });
  for (const { id } of mails) await context.store.retryMails({ id });
  return mailing.drained();
}

test('what was held back as spam is released once it is marked as genuine', async () => {
  const form = await spamTrap();
  expect(await mailing.sent(form, SPAM)).toEqual([]);
  await markSubmission(context, await newestOf(form), false);
  const mails = await mailing.drained();
  expect(receivers(mails)).toEqual(['ada@home.example', OWNER]);
  expect(mails.map(({ mail }) => mail.text).join()).toContain('win at our casino');
});

test('it is released once, however often it is marked', async () => {
  const form = await spamTrap();
  await mailing.sent(form, SPAM);
  const id = await newestOf(form);
  for (const isSpam of [true, false, false, true, false]) await markSubmission(context, id, isSpam);
  expect(receivers(await mailing.drained())).toEqual(['ada@home.example', OWNER]);
  for (const isSpam of [true, false]) await markSubmission(context, id, isSpam);
  expect(await mailing.drained()).toEqual([]);
});

test('two who release it at the same time release it once', async () => {
  const form = await spamTrap();
  await mailing.sent(form, SPAM);
  const id = await newestOf(form);
  await Promise.all([1, 2, 3].map(() => markSubmission(context, id, false)));
  expect(receivers(await mailing.drained())).toEqual(['ada@home.example', OWNER]);
});

test('what was told already is not told again, though it was marked as spam in between', async () => {
  const form = await mailing.form();
  expect(await mailing.sent(form, { message: 'Hello' })).toHaveLength(1);
  const id = await newestOf(form);
  await markSubmission(context, id, true);
  await markSubmission(context, id, false);
  expect(await mailing.drained()).toEqual([]);
});

test('what is marked as spam while its mail waits is not told', async () => {
  const form = await mailing.form();
  laterPlease();
  await mailing.sent(form, { message: 'Hello' });
  now();
  await markSubmission(context, await newestOf(form), true);
  expect(await retryAll()).toEqual([]);
});

test('nothing is told of what was deleted while its mail waited', async () => {
  const form = await mailing.form({ autoReplyText: 'Thanks' });
  laterPlease();
  await mailing.sent(form, { email: 'bob@home.example', message: 'Hello' });
  now();
  await deleteSubmission(context, await newestOf(form), owner.teamId);
  expect(await retryAll()).toEqual([]);
  const mails = await context.store.listMails({ state: null, limit: 1000 });
  expect(mails.filter(({ formId }) => formId === form.id)).toEqual([]);
});

test('what was deleted while its mail was on its way is no fault', async () => {
  const form = await mailing.form();
  const held = Promise.withResolvers<undefined>();
  mailing.smtp.onMoment(({ stage }) => (stage === 'BODY' ? held.promise : undefined));
  const reached = mailing.smtp.reached('BODY', (mailing.smtp.seen.get('BODY') ?? 0) + 1);
  await mailing.instance.post(form.id, { message: 'Hello' });
  await reached;
  await deleteSubmission(context, await newestOf(form), owner.teamId);
  const arrived = mailing.drained();
  held.resolve(undefined);
  now();
  expect(only(await arrived).envelope.to).toEqual([OWNER]);
  expect(await retryAll()).toEqual([]);
});
