import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { When } from '../../../src/domain/forms/condition.ts';
import { digestJob } from '../../../src/jobs/digests.ts';
import { DAY, HOUR, type Micros } from '../../../src/lib/clock.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Arrived, OWNER, only, startMailing } from './mailing.ts';

let noon: Micros = Date.UTC(2026, 6, 1, 12) * 1000;
let now = noon;
const mailing = await startMailing({}, () => now);
const receiver = new Receiver();
afterAll(async () => {
  receiver.stop();
  await mailing.stop();
});
const { instance, sent, released, form } = mailing;
const { context } = instance;

const SALES = 'sales@shop.example';
const SUPPORT = 'support@shop.example';
const topic = (is: string): When => [{ field: 'topic', is }];
const BY_TOPIC = { notify: [SALES, SUPPORT], notifyWhen: { [SALES]: topic('sales'), [SUPPORT]: topic('support') } };

const recipients = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();

describe('a recipient with conditions', () => {
  test('gets only the submissions that meet them, and a recipient without gets all', async () => {
    const { id, ...routed } = await form({ ...BY_TOPIC, notify: [...BY_TOPIC.notify, OWNER] });
    const to = async (fields: Record<string, string>) => recipients(await sent({ id, ...routed }, fields));
    expect(await to({ topic: 'Sales' })).toEqual([OWNER, SALES]);
    expect(await to({ topic: 'support' })).toEqual([OWNER, SUPPORT]);
    expect(await to({ message: 'Hello' })).toEqual([OWNER]);
  });

  test('is chosen by the value as sent, which mails show masked', async () => {
    const card = '4242424242424242';
    const notifyWhen = { [SALES]: [{ field: 'card', is: card }], [SUPPORT]: topic('support') };
    const mails = await sent(await form({ ...BY_TOPIC, notifyWhen }), { card });
    expect(only(mails).envelope.to).toEqual([SALES]);
    expect(only(mails).mail.text).not.toContain(card);
  });

  test('gets a released submission that meets them', async () => {
    const held = await form({ ...BY_TOPIC, blockedWords: ['casino'] });
    expect(recipients(await released(held, { topic: 'support', message: 'casino' }))).toEqual([SUPPORT]);
    expect(recipients(await released(held, { message: 'casino' }))).toEqual([SALES, SUPPORT]);
  });

  test('does not change the automatic reply', async () => {
    const replying = await form({ ...BY_TOPIC, autoReplyText: 'Thanks' });
    const mails = await sent(replying, { topic: 'sales', email: 'ada@home.example' });
    expect(recipients(mails)).toEqual(['ada@home.example', SALES]);
    expect(recipients(await sent(replying, { topic: 'sales', email: SUPPORT }))).toEqual([SALES]);
  });
});

describe('a submission that meets no conditions', () => {
  test('goes to all recipients', async () => {
    expect(recipients(await sent(await form(BY_TOPIC), { topic: 'other' }))).toEqual([SALES, SUPPORT]);
  });

  test('goes to no recipient if a webhook takes it, and to recipients if no webhook does', async () => {
    const routed = await form(BY_TOPIC);
    const input = { url: receiver.url, when: topic('press') };
    await createWebhook(context, routed.id, 'standard', input);
    expect(await sent(routed, { topic: 'press' })).toEqual([]);
    expect(recipients(await sent(routed, { topic: 'other' }))).toEqual([SALES, SUPPORT]);
    await context.webhooks.drain();
    expect(receiver.events.map(({ data }) => data.submission.data)).toEqual([{ topic: 'press' }]);
  });
});

describe('a summary', () => {
  beforeEach(async () => {
    noon += 100 * DAY;
    now = noon;
    await runSummaries();
  });

  async function runSummaries(): Promise<Arrived[]> {
    await digestJob(context).step(new AbortController().signal);
    return mailing.drained();
  }
  const mailTo = (mails: readonly Arrived[], address: string) =>
    only(mails.filter(({ envelope }) => envelope.to[0] === address)).mail;

  test('counts and lists for each recipient the submissions that meet the conditions', async () => {
    const digested = await form({ ...BY_TOPIC, notify: [...BY_TOPIC.notify, OWNER], digest: 'hourly' });
    await runSummaries();
    // More than one page of submissions.
    for (let n = 0; n < 24; n++)
      await sent(digested, { topic: n % 2 === 0 ? 'sales' : 'other', message: `Number ${n}.` });
    now += HOUR;
    const mails = await runSummaries();
    expect(recipients(mails)).toEqual([OWNER, SALES]);
    expect(mailTo(mails, OWNER).subject).toBe('24 new submissions: Contact');
    const { subject, text } = mailTo(mails, SALES);
    expect(subject).toBe('12 new submissions: Contact');
    expect([...(text?.match(/Number \d+\./g) ?? [])]).toEqual(Array.from({ length: 12 }, (_, n) => `Number ${2 * n}.`));
  });

  test('has for all recipients what meets no conditions', async () => {
    const digested = await form({ ...BY_TOPIC, digest: 'hourly' });
    await runSummaries();
    await sent(digested, { topic: 'sales', message: 'To one.' });
    await sent(digested, { topic: 'other', message: 'To both.' });
    now += HOUR;
    const mails = await runSummaries();
    expect(mailTo(mails, SALES).text).toMatch(/To one\..*To both\./s);
    expect(mailTo(mails, SUPPORT).text).toMatch(/To both\./);
    expect(mailTo(mails, SUPPORT).subject).toBe('1 new submission: Contact');
  });

  test('lists at most 100 of more submissions, and counts the others', async () => {
    const digested = await form({ ...BY_TOPIC, digest: 'hourly' });
    await runSummaries();
    for (let n = 0; n < 120; n++) await instance.post(digested.id, { topic: n < 105 ? 'sales' : 'support' });
    now += HOUR;
    const mails = await runSummaries();
    expect(mailTo(mails, SALES).subject).toBe('105 new submissions: Contact');
    expect(mailTo(mails, SALES).text).toContain('… and 5 more.');
    expect(mailTo(mails, SUPPORT).subject).toBe('15 new submissions: Contact');
  });

  test('of spam covers what would go to the recipient', async () => {
    const held = await form({ ...BY_TOPIC, blockedWords: ['casino'] });
    await sent(held, { topic: 'sales', message: 'casino' });
    now += DAY;
    const mails = await runSummaries();
    expect(only(mails).envelope.to).toEqual([SALES]);
    expect(only(mails).mail.subject).toBe('1 submission held back as spam: Contact');
  });
});
