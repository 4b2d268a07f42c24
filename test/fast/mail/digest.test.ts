import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { digestJob } from '../../../src/jobs/digests.ts';
import { DAY, HOUR, MINUTE, type Micros } from '../../../src/lib/clock.ts';
import { deleteSubmission } from '../../../src/services/submissions/delete-submission.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { ownAddress, startOnFreePort } from '../../support/free-port.ts';
import { MAYBE_SPAM } from '../spam/maybe-spam.ts';
import { newCanary, placesOf } from '../visitor/canary.ts';
import { type Arrived, header, OWNER, only, SENDER, startMailing } from './mailing.ts';

let noon: Micros = Date.UTC(2026, 6, 1, 12) * 1000;
let now = noon;
const mailing = await startMailing({}, () => now);
const linked = await startOnFreePort((port) => startMailing(ownAddress(port), () => now));
const baseUrl = linked.instance.url;
afterAll(async () => {
  await mailing.stop();
  await linked.stop();
});
const { context, owner } = mailing.instance;

/** Gives each test a time of its own in which no digest is due. */
beforeEach(async () => {
  noon += 100 * DAY;
  now = noon;
  await runDigests();
  await runDigests(linked);
});

/** Runs the digest job and returns the mails it sends. */
async function runDigests({ instance, drained } = mailing): Promise<Arrived[]> {
  const { mail } = instance.context;
  if (!mail) throw new Error('mail is not configured');
  await digestJob({ ...instance.context, ...mail }).step(new AbortController().signal);
  return drained();
}

/** Creates a form whose first digest period has begun. */
async function formWithDigest(settings: Parameters<typeof mailing.form>[0] = {}, of = mailing): Promise<Form> {
  const form = await of.form({ digest: 'hourly', ...settings });
  await runDigests(of);
  return form;
}

async function pathIds(form: Form): Promise<string[]> {
  const found = (await context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1_000 })) ?? [];
  return found.map(({ id }) => id);
}

const post = (form: Form, message: string) => mailing.sent(form, { message });

describe('a digest', () => {
  test('says which submissions may be spam, and leaves them out if the form holds them', async () => {
    for (const maybeSpamAction of ['deliver', 'hold'] as const) {
      const form = await formWithDigest({ maybeSpamAction });
      await post(form, 'Hello');
      await mailing.sent(form, MAYBE_SPAM);
      now += HOUR;
      const { mail } = only(await runDigests());
      const isHeld = maybeSpamAction === 'hold';
      expect(mail.subject).toBe(isHeld ? '1 new submission: Contact' : '2 new submissions: Contact');
      expect(mail.text?.includes('Suspected spam: a forged page timestamp')).toBe(!isHeld);
      expect(mail.html?.includes('Suspected spam: a forged page timestamp')).toBe(!isHeld);
    }
  });

  test('sends each recipient one mail per hour in place of one per submission', async () => {
    const form = await formWithDigest({ notify: [OWNER, 'bob@shop.example'] });
    for (const message of ['First', 'Second', '<b>Third</b>']) {
      expect(await mailing.sent(form, { name: 'Ada', card: '4111 1111 1111 1111', message })).toEqual([]);
    }
    expect(await runDigests()).toEqual([]);
    now += HOUR;
    const mails = await runDigests();
    expect(mails.map(({ envelope }) => envelope.to[0]).sort()).toEqual(['bob@shop.example', OWNER]);
    for (const each of mails) {
      expect(each.mail.subject).toBe('3 new submissions: Contact');
      expect(each.mail.from?.address).toBe(SENDER);
      expect(header(each, 'auto-submitted')).toEqual(['auto-generated']);
      expect(header(each, 'message-id')[0]).toMatch(/^<mail_\w+@mail\.example>$/);
      expect(each.mail.text).toMatch(/First.*Second.*<b>Third<\/b>/s);
      expect(each.mail.html).toContain('&lt;b&gt;Third&lt;/b&gt;');
      expect(each.mail.text?.match(/^Ada · /gm)).toHaveLength(3);
      expect(each.mail.html).toContain('font-weight:bold">Ada</div>');
      expect(each.mail.text).toContain('************1111');
      expect(each.mail.text).not.toContain('4111 1111');
      expect(each.mail.text).not.toContain('http');
    }
    now += 5 * HOUR;
    expect(await runDigests()).toEqual([]);
  });

  test('per day runs from midnight to midnight in the time zone of the form', async () => {
    now += 10 * HOUR + 30 * MINUTE;
    const form = await formWithDigest({ digest: 'daily', timeZone: 'Asia/Kathmandu' });
    await post(form, 'Namaste');
    now += 19 * HOUR;
    expect(await runDigests()).toEqual([]);
    now += 44 * MINUTE;
    expect(await runDigests()).toEqual([]);
    now += MINUTE;
    const { mail } = only(await runDigests());
    expect(mail.subject).toBe('1 new submission: Contact');
    expect(mail.text).toMatch(/From \d+ \w+ \d{4}, \d\d:\d\d to \d+ \w+ \d{4}, 00:00, Asia\/Kathmandu/);
    expect(mail.text).toMatch(/, 04:15\n/);
  });

  test('does not affect auto-replies', async () => {
    const form = await formWithDigest({ autoReplyText: 'Thanks' });
    const mails = await mailing.sent(form, { email: 'ada@home.example', message: 'Hello' });
    expect(only(mails).envelope.to).toEqual(['ada@home.example']);
  });

  test('leaves out spam, deleted submissions and those notified before', async () => {
    const form = await mailing.form({ digest: null });
    expect(await post(form, 'Singly')).toHaveLength(1);
    await context.store.forms.update(form.id, { digest: 'hourly' });
    await runDigests();
    for (const message of ['Kept', 'Spam', 'Deleted']) await post(form, message);
    const [deleted = '', spam = ''] = await pathIds(form);
    await deleteSubmission(context, deleted, owner.teamId);
    await markSubmission(context, spam, true);
    now += HOUR;
    const { mail } = only(await runDigests());
    expect(mail.subject).toBe('1 new submission: Contact');
    expect(mail.text).toContain('Kept');
    expect(mail.text).not.toMatch(/Singly|Spam|Deleted/);
  });

  test('is not sent if all its submissions were deleted, nor to removed recipients', async () => {
    const form = await formWithDigest({ notify: [OWNER, 'bob@shop.example'] });
    const gone = await formWithDigest({ name: 'Gone' });
    await post(form, 'Hello');
    await post(gone, 'Hello');
    now += HOUR;
    mailing.smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
    expect(await runDigests()).toEqual([]);
    mailing.smtp.onMoment(() => undefined);
    await context.store.forms.update(form.id, { notify: [OWNER] });
    for (const id of await pathIds(gone)) await deleteSubmission(context, id, owner.teamId);
    now += HOUR;
    expect(only(await mailing.drained()).envelope.to).toEqual([OWNER]);
  });

  test('is retried with the same Message-ID', async () => {
    const form = await formWithDigest();
    await post(form, 'Hello');
    now += HOUR;
    mailing.smtp.onMoment(({ stage }) => (stage === 'ACCEPTED' ? 'drop' : undefined));
    const first = only(await runDigests()).envelope.messageId;
    mailing.smtp.onMoment(() => undefined);
    now += HOUR;
    expect(only(await mailing.drained()).envelope.messageId).toBe(first);
  });

  test('leaves no plaintext in the data directory or the log while it waits for a retry', async () => {
    const form = await formWithDigest({ digest: 'daily', blockedWords: ['casino'] });
    const canary = newCanary();
    for (const message of [canary, `casino ${canary}`]) {
      await mailing.sent(form, { email: `${canary}@home.example`, message });
    }
    now += DAY;
    mailing.smtp.onMoment(({ stage }) => (stage === 'END' ? { code: 451, text: canary } : undefined));
    await runDigests();
    mailing.smtp.onMoment(() => undefined);
    const waiting = await context.store.mails.list({ state: 'retrying', limit: 10 });
    expect(waiting.map(({ kind }) => kind).sort()).toEqual(['digest', 'held_back']);
    expect(placesOf(canary, mailing.instance)).toEqual([]);
    now += HOUR;
    expect((await mailing.drained()).every(({ mail }) => mail.text?.includes(canary))).toBe(true);
  });

  test('lists 100 submissions and counts the others', async () => {
    const form = await formWithDigest();
    const posts = Array.from({ length: 105 }, (_, n) => ({ message: `No. ${n}.`, long: 'x'.repeat(5_000) }));
    await Promise.all(posts.map((body) => mailing.instance.post(form.id, body)));
    now += HOUR;
    const { mail } = only(await runDigests());
    expect(mail.subject).toBe('105 new submissions: Contact');
    expect(mail.text?.match(/No\. \d+\./g)).toHaveLength(100);
    expect(mail.text).toContain('… and 5 more.');
    expect(mail.text?.length).toBeLessThan(60_000);
  });

  test('reports a damaged record and lists the others', async () => {
    const form = await formWithDigest();
    await post(form, 'Whole');
    await post(form, 'Damaged');
    const [damaged] = await pathIds(form);
    queryDatabase(mailing.instance.dataDir, `UPDATE submissions SET payload = x'00' WHERE id = '${damaged}'`);
    now += HOUR;
    const { mail } = only(await runDigests());
    expect(mail.text).toMatch(new RegExp(`Whole.*${damaged} cannot be read`, 's'));
  });
});

describe('digests', () => {
  test('after days of downtime are one mail', async () => {
    const form = await formWithDigest();
    await post(form, 'First');
    now += 2 * HOUR;
    await post(form, 'Second');
    now += 3 * DAY;
    expect(only(await runDigests()).mail.subject).toBe('2 new submissions: Contact');
  });

  test('are queued once if the job runs concurrently', async () => {
    const form = await formWithDigest();
    await post(form, 'Hello');
    now += HOUR;
    expect(
      await Promise.all([runDigests(), runDigests(), runDigests()]).then((all) => all.flat().length),
    ).toBeGreaterThan(0);
    const mails = await context.store.mails.list({ state: null, limit: 1_000 });
    expect(mails.filter(({ formId }) => formId === form.id)).toHaveLength(1);
  });

  test.each([-2 * HOUR, -40 * DAY])(
    'neither repeat nor lose a submission when the clock is set back by %d',
    async (jump) => {
      const form = await formWithDigest();
      await post(form, 'Before');
      now += HOUR;
      expect(await runDigests()).toHaveLength(1);
      const then = now;
      now += jump;
      expect(await runDigests()).toEqual([]);
      expect(await post(form, 'After')).toEqual([]);
      expect(await runDigests()).toEqual([]);
      now = then + HOUR;
      const { mail } = only(await runDigests());
      expect(mail.subject).toBe('1 new submission: Contact');
      expect(mail.text).toContain('After');
    },
  );

  test('that are turned off send the open period, then single mails follow', async () => {
    const form = await formWithDigest();
    await post(form, 'Gathered');
    await context.store.forms.update(form.id, { digest: null });
    const { mail } = only(await runDigests());
    expect(mail.text).toContain('Gathered');
    expect(only(await post(form, 'Singly')).mail.subject).toBe('Singly');
    now += DAY;
    expect(await runDigests()).toEqual([]);
  });

  test('that are turned off and on again lose nothing', async () => {
    const form = await formWithDigest();
    await post(form, 'Before');
    await context.store.forms.update(form.id, { digest: null });
    await context.store.forms.update(form.id, { digest: 'hourly' });
    await post(form, 'After');
    now += HOUR;
    expect(only(await runDigests()).mail.text).toMatch(/Before.*After/s);
  });

  test('continue where the last one ended after a change of interval or time zone', async () => {
    const form = await formWithDigest({ digest: 'daily' });
    await post(form, 'First');
    await context.store.forms.update(form.id, { digest: 'hourly', timeZone: 'Australia/Adelaide' });
    now += HOUR;
    expect(only(await runDigests()).mail.text).toContain('First');
    await post(form, 'Second');
    await context.store.forms.update(form.id, { digest: 'daily' });
    now += DAY;
    const { mail } = only(await runDigests());
    expect(mail.text).toContain('Second');
    expect(mail.text).not.toContain('First');
  });
});

describe('the summary of submissions held back as spam', () => {
  const SPAM = { email: 'eve@evil.example', message: 'win at our casino' };
  const formWithBlockedWord = (settings: Parameters<typeof mailing.form>[0] = {}, of = mailing) =>
    of.form({ blockedWords: ['casino'], ...settings });

  test('is sent once a day with the reasons and how to mark one as genuine', async () => {
    const form = await formWithBlockedWord({ notify: [OWNER, 'bob@shop.example'] });
    await mailing.sent(form, SPAM);
    await mailing.sent(form, { ...SPAM, message: `casino ${'x'.repeat(10_000)} 4111 1111 1111 1111` });
    await post(form, 'Hello');
    expect(await runDigests()).toEqual([]);
    now += DAY;
    const mails = await runDigests();
    expect(mails.map(({ envelope }) => envelope.to[0]).sort()).toEqual(['bob@shop.example', OWNER]);
    const [first] = mails;
    const [, id = ''] = await pathIds(form);
    expect(first?.mail.subject).toBe('2 submissions held back as spam: Contact');
    expect(first?.mail.text).toMatch(/From: eve@evil\.example\n.*win at our casino\n.*Why: .*casino/);
    expect(first?.mail.text).toContain(id);
    expect(first?.mail.text).toContain('formstead submission mark <id> --genuine');
    expect(first?.mail.text).not.toContain('Hello');
    expect(first?.mail.text?.length).toBeLessThan(3_000);
    expect(header(first as Arrived, 'auto-submitted')).toEqual(['auto-generated']);
    now += DAY;
    expect(await runDigests()).toEqual([]);
  });

  test('leaves out submissions that the owner marked as spam or as genuine', async () => {
    const form = await formWithBlockedWord();
    await mailing.sent(form, SPAM);
    await post(form, 'Hello');
    const [mine = '', flagged = ''] = await pathIds(form);
    await markSubmission(context, mine, true);
    await markSubmission(context, flagged, false);
    await mailing.drained();
    now += DAY;
    expect(await runDigests()).toEqual([]);
  });

  test('lists 20 submissions and counts the others', async () => {
    const form = await formWithBlockedWord();
    for (let n = 0; n < 23; n++) await mailing.instance.post(form.id, { message: `casino no. ${n}` });
    now += DAY;
    const { mail } = only(await runDigests());
    expect(mail.subject).toStartWith('23 submissions');
    expect(mail.text?.match(/casino no\. \d/g)).toHaveLength(20);
    expect(mail.text).toContain('… and 3 more.');
  });

  test('neither repeats nor loses a submission when the clock is set back', async () => {
    const form = await formWithBlockedWord();
    await mailing.sent(form, SPAM);
    now += DAY;
    expect(await runDigests()).toHaveLength(1);
    now -= 20 * HOUR;
    await mailing.sent(form, { ...SPAM, message: 'another casino' });
    expect(await runDigests()).toEqual([]);
    now += 2 * DAY;
    const { mail } = only(await runDigests());
    expect(mail.subject).toStartWith('1 submission');
    expect(mail.text).toContain('another casino');
  });

  test('counts to 1000 at most', async () => {
    const form = await formWithBlockedWord();
    await mailing.sent(form, SPAM);
    const [first = ''] = await pathIds(form);
    queryDatabase(
      mailing.instance.dataDir,
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
       INSERT INTO submissions (created_at, id, form_key, is_spam, payload, spam_reasons)
       SELECT created_at + i, id || i, form_key, is_spam, x'00', x'00' FROM submissions, n WHERE id = ?`,
      [first],
    );
    now += DAY;
    const { mail } = only(await runDigests());
    expect(mail.subject).toBe('1,000 or more submissions held back as spam: Contact');
    expect(mail.text).toContain('… and at least 980 more.');
  });

  test('a submission marked as genuine is in the digest if that is still due, else it gets a mail of its own', async () => {
    const form = await formWithDigest({ blockedWords: ['casino'] });
    await mailing.sent(form, SPAM);
    const [early = ''] = await pathIds(form);
    await markSubmission(context, early, false);
    expect(await mailing.drained()).toEqual([]);
    await mailing.sent(form, { ...SPAM, message: 'casino, late' });
    now += HOUR;
    const digest = only(await runDigests());
    expect(digest.mail.text).toContain('win at our casino');
    expect(digest.mail.text).not.toContain('late');
    const [late = ''] = await pathIds(form);
    await markSubmission(context, late, false);
    expect(only(await mailing.drained()).mail.text).toContain('casino, late');
    now += HOUR;
    expect(await runDigests()).toEqual([]);
  });
});

describe('links to the dashboard', () => {
  test('are in notifications, also below a shortened value', async () => {
    const form = await linked.form();
    const { mail } = only(await linked.sent(form, { message: 'x'.repeat(5_000) }));
    const [{ id = '' } = {}] =
      (await linked.instance.context.store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })) ?? [];
    const url = `${baseUrl}/dashboard/submissions/${id}`;
    expect(mail.text).toMatch(new RegExp(`… \\(shortened\\)\\n  Open in the dashboard: ${url}\\n`));
    expect(mail.text).toContain(`\n\nOpen submission: ${url}\nMark as spam: ${url}/spam\n\n-- \n`);
    expect(mail.html?.split(`href="${url}"`)).toHaveLength(3);
  });

  test('are in digests and in spam summaries', async () => {
    const form = await formWithDigest({ digest: 'daily', blockedWords: ['casino'] }, linked);
    for (const message of ['Hello', 'casino']) await linked.sent(form, { message });
    now += DAY;
    const mails = await runDigests(linked);
    expect(mails.map(({ mail }) => mail.subject).sort()).toEqual([
      '1 new submission: Contact',
      '1 submission held back as spam: Contact',
    ]);
    for (const { mail } of mails) {
      expect(mail.text).toMatch(new RegExp(`Open in the dashboard: ${baseUrl}/dashboard/submissions/sub_\\w+\\n`));
      expect(mail.text?.includes('Not spam: ')).toBe(mail.subject?.includes('spam') === true);
      expect(mail.text).toContain(`${baseUrl}/dashboard/forms/${form.id}`);
      expect(mail.html).toContain(`href="${baseUrl}/dashboard/forms/${form.id}"`);
    }
  });
});
