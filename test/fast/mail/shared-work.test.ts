import { afterAll, expect, spyOn, test } from 'bun:test';
import { deleteSubmission } from '../../../src/services/submissions/delete-submission.ts';
import { startMailing } from './mailing.ts';

const mailing = await startMailing();
afterAll(mailing.stop);
const { context, owner } = mailing.instance;
const RECIPIENTS = Array.from({ length: 20 }, (_, n) => `r${n}@shop.example`);

test('a submission is opened once for its twenty recipients, and again for the next attempt', async () => {
  const form = await mailing.form({ notify: RECIPIENTS });
  const opened = spyOn(context.vault, 'openPayload');
  const isLast = (line: string) => line.includes('r19@');
  mailing.smtp.onMoment(({ stage, line }) =>
    stage === 'RCPT' && isLast(line) ? { code: 451, text: 'Later' } : undefined,
  );
  const mails = await mailing.sent(form, { message: 'Hello' });
  mailing.smtp.onMoment(() => undefined);
  expect(mails).toHaveLength(19);
  expect(new Set(mails.map(({ mail }) => mail.text)).size).toBe(1);
  expect(opened).toHaveBeenCalledTimes(1);

  await context.store.forms.update(form.id, { name: 'Renamed' });
  const [failed] = await context.store.mails.list({ state: 'retrying', limit: 1 });
  await context.store.mails.retry({ id: failed?.id ?? '' });
  expect((await mailing.drained()).map(({ mail }) => mail.subject)).toEqual(['Hello']);
  expect(opened).toHaveBeenCalledTimes(2);
  opened.mockRestore();
});

test('no mail of a submission is composed after its deletion', async () => {
  const form = await mailing.form({ notify: RECIPIENTS });
  const held = Promise.withResolvers<undefined>();
  const before = mailing.smtp.mails.length;
  const claimed = mailing.smtp.seen.get('RCPT') ?? 0;
  mailing.smtp.onMoment(({ stage }) => (stage === 'RCPT' ? held.promise : undefined));
  await mailing.instance.post(form.id, { message: 'Hello' });
  await mailing.smtp.reached('RCPT', claimed + 8);
  const [row] = await mailing.instance.stored(owner, form);
  await deleteSubmission(context, row?.id ?? '', owner.teamId);
  mailing.smtp.onMoment(() => undefined);
  held.resolve(undefined);
  await mailing.drained();
  expect(mailing.smtp.mails.length - before).toBe(8);
});

test('a mail shows the beginning of a large value, with all card numbers masked', async () => {
  const form = await mailing.form({ autoReplyText: '{{cards}}' });
  const cards = '4242 4242 4242 4242, '.repeat(10_000);
  const mails = await mailing.released(form, { cards, nested: { cards: [cards] }, email: 'ada@home.example' });
  expect(mails).toHaveLength(2);
  for (const { mail } of mails) {
    const written = mail.text?.replace(/^Received .*$/m, '');
    expect(written?.replaceAll(/\*{12}[42]{0,4}/g, '')).not.toMatch(/\b(?:42)+\b/);
    expect(mail.text).toContain('************4242, ************4242');
  }
  expect(mails.find(({ mail }) => mail.text?.startsWith('New'))?.mail.text?.match(/shortened/g)).toHaveLength(2);
});
