import { afterAll, beforeEach, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Form } from '../../../src/domain/forms/form.ts';
import { NOTIFICATIONS_PER_HOUR } from '../../../src/domain/mail/mail.ts';
import { digestJob } from '../../../src/jobs/digests.ts';
import { DAY, HOUR, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { type Arrived, only, parsed, startMailing } from '../../fast/mail/mailing.ts';
import { ownAddress, startOnFreePort } from '../../support/free-port.ts';

let now: Micros = Date.UTC(2026, 6, 1, 12) * 1000;
// With a dashboard, digests link to each submission.
const mailing = await startOnFreePort((port) => startMailing(ownAddress(port), () => now));
afterAll(mailing.stop);
const { context } = mailing.instance;

/** Gives each test a day of its own, in which no digest is due. */
beforeEach(async () => {
  now = Math.ceil(now / DAY) * DAY + DAY;
  for (let run = 0; run < 2; run++) {
    now += HOUR;
    await runDigests();
  }
});

/** Posts `count` submissions and returns the mails sent. */
async function posted(form: Form, count: number): Promise<Arrived[]> {
  const before = mailing.smtp.mails.length;
  for (let n = 0; n < count; n++) {
    if ((await mailing.instance.post(form.id, { message: `Hello ${n}` })).status !== 200) throw new Error('refused');
  }
  await mailing.drained();
  return parsedSince(before);
}

async function parsedSince(index: number): Promise<Arrived[]> {
  return Promise.all(mailing.smtp.mails.slice(index).map(parsed));
}

async function runDigests(): Promise<Arrived[]> {
  const { mail } = context;
  if (!mail) throw new Error('mail is not configured');
  await digestJob({ ...context, ...mail }).step(new AbortController().signal);
  return mailing.drained();
}

const submissionsIn = (mails: readonly Arrived[]) =>
  mails.flatMap(({ mail }) => Array.from(new Set(mail.text?.match(/(?<=\/submissions\/)sub_\w+/g) ?? [])));
const AUTOMATIC = `More than ${NOTIFICATIONS_PER_HOUR} submissions arrived within an hour`;

test('submissions beyond 60 an hour come in one digest at the end of the hour, which says so', async () => {
  const form = await mailing.form();
  const single = await posted(form, 70);
  expect(single).toHaveLength(60);
  now += 30 * MINUTE;
  expect(await runDigests()).toEqual([]);
  expect(await posted(form, 2)).toEqual([]);
  now += 30 * MINUTE;
  const { mail } = only(await runDigests());
  expect(mail.subject).toBe('12 new submissions: Contact');
  expect(mail.text).toStartWith(`12 new submissions: Contact\n\n${AUTOMATIC}`);
  expect(await posted(form, 1)).toHaveLength(1);
  now += 2 * HOUR;
  expect(await runDigests()).toEqual([]);
});

test('hourly digests go on while there are more than 60', async () => {
  const form = await mailing.form();
  expect(await posted(form, 130)).toHaveLength(60);
  now += HOUR;
  expect(only(await runDigests()).mail.subject).toStartWith('70 new');
  expect(await posted(form, 5)).toEqual([]);
  now += HOUR;
  const { mail } = only(await runDigests());
  expect(mail.subject).toStartWith('5 new');
  expect(mail.text).toContain(AUTOMATIC);
  expect(await posted(form, 61)).toHaveLength(60);
});

test('60 an hour, auto-replies and other forms are not affected', async () => {
  const [busy, other] = [await mailing.form({ autoReplyText: 'Thanks' }), await mailing.form()];
  for (let hour = 0; hour < 2; hour++) {
    expect(await posted(busy, 60)).toHaveLength(60);
    now += HOUR;
    expect(await runDigests()).toEqual([]);
  }
  await posted(busy, 61);
  expect(await posted(other, 1)).toHaveLength(1);
  const reply = await mailing.sent(busy, { email: 'ada@home.example' });
  expect(only(reply).envelope.to).toEqual(['ada@home.example']);
});

test('a digest chosen by the owner does not claim to be automatic', async () => {
  const form = await mailing.form({ digest: 'hourly' });
  await runDigests();
  expect(await posted(form, 65)).toEqual([]);
  now += HOUR;
  const { mail } = only(await runDigests());
  expect(mail.subject).toStartWith('65 new');
  expect(mail.text).not.toContain(AUTOMATIC);
});

test('every submission is in exactly one mail, whatever the pace and the times of the job', async () => {
  const step = fc.record({
    posts: fc.constantFrom(0, 1, 20, 59, 62, 90),
    minutes: fc.constantFrom(0, 1, 29, 31, 61),
    runs: fc.boolean(),
    digest: fc.constantFrom(undefined, undefined, undefined, null, 'hourly' as const, 'daily' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
      const form = await mailing.form({ timeZone: 'Asia/Kathmandu' });
      const before = mailing.smtp.mails.length;
      let expected = 0;
      for (const { posts, minutes, runs, digest } of steps) {
        expected += posts;
        await posted(form, posts);
        if (digest !== undefined) await context.store.forms.update(form.id, { digest });
        now += minutes * MINUTE;
        if (runs) await runDigests();
      }
      await context.store.forms.update(form.id, { digest: null });
      for (let hour = 0; hour < 4; hour++) {
        now += HOUR;
        await runDigests();
      }
      const mails = await parsedSince(before);
      const counts = mails.map(({ mail }) => Number(/^(\d+) new/.exec(mail.subject ?? '')?.[1] ?? 1));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(expected);
      const listed = submissionsIn(mails);
      expect(new Set(listed).size).toBe(listed.length);
    }),
    { numRuns: 4 },
  );
});
