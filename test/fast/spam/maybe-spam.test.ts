import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import type { WebhookInput } from '../../../src/delivery/targets/index.ts';
import type { Form, FormSettings } from '../../../src/domain/forms/form.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { parseExposition } from '../instance/exposition.ts';
import { type Arrived, OWNER, startMailing } from '../mail/mailing.ts';
import { placesOf } from '../visitor/canary.ts';
import { easyToken } from '../visitor/challenge/solver.ts';
import { MAYBE_SPAM, MAYBE_SPAM_DATA } from './maybe-spam.ts';

const mailing = await startMailing();
const receiver = new Receiver();
afterAll(async () => {
  await mailing.stop();
  await receiver.stop();
});
// Keeps mails from the next test.
afterEach(() => mailing.drained());
const { instance } = mailing;
const { context, owner } = instance;
const { store } = context;

const recipients = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const newForm = (settings: Partial<FormSettings> = {}) => mailing.form({ autoReplyText: 'Thanks', ...settings });
const BOTH = ['ada@home.example', OWNER];

async function newestOf({ id }: Form) {
  const [newest] = (await store.submissions.listRecent(id, { onlySpam: false, limit: 1 })) ?? [];
  if (!newest) throw new Error('not stored');
  return newest;
}

/** Returns the events that a webhook of the form has received. */
async function eventsOf(form: Form, input: WebhookInput = {}) {
  const deps = { ...context, plans: context.config.plans };
  await createWebhook(deps, form.id, 'standard', { url: receiver.url, ...input });
  return async () => {
    await context.webhooks.drain();
    return receiver.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.form.id === form.id);
  };
}

async function count(form: Form): Promise<number> {
  return ((await store.submissions.listRecent(form.id, { onlySpam: false, limit: 10 })) ?? []).length;
}

describe('delivered', () => {
  test('it is stored with a mark and sealed reasons, and everybody is notified', async () => {
    const form = await newForm();
    const events = await eventsOf(form);
    const mails = await mailing.sent(form, MAYBE_SPAM);
    expect(recipients(mails)).toEqual(BOTH);
    const notification = mails.find(({ envelope }) => envelope.to.includes(OWNER))?.mail;
    expect(notification?.text).toContain('Suspected spam: a forged page timestamp');
    expect(notification?.html).toContain('Suspected spam: a forged page timestamp');
    expect(notification?.subject).not.toContain('Suspected spam');
    expect(await newestOf(form)).toMatchObject({ isSpam: false, isMaybeSpam: true });
    const [shown] = await instance.stored(owner, form);
    expect(shown).toMatchObject({ is_spam: false, maybe_spam: true, data: MAYBE_SPAM_DATA });
    expect((await events())[0].data.submission).toEqual(shown);
    expect(await placesOf('the same text in 3 fields', instance)).toEqual([]);
  });

  test('marking it as genuine or as spam removes the mark and notifies nobody again', async () => {
    const form = await newForm();
    const events = await eventsOf(form);
    await mailing.sent(form, MAYBE_SPAM);
    const { id } = await newestOf(form);
    for (const isSpam of [false, true, false]) {
      expect(await markSubmission(context, id, isSpam)).toMatchObject({ isSpam, isMaybeSpam: false });
    }
    expect(await mailing.drained()).toEqual([]);
    expect(await events()).toHaveLength(1);
    expect((await instance.stored(owner, form))[0]).not.toHaveProperty('maybe_spam');
  });

  test('each later mark is learned', async () => {
    const form = await newForm();
    await mailing.sent(form, MAYBE_SPAM);
    const { id } = await newestOf(form);
    const learned = () => until(async () => (await store.spam.findWork(1, owner.teamId)) === null, 'the learning job');
    await learned();
    const before = await store.spam.countLessons(owner.teamId);
    for (const isSpam of [false, true, false]) {
      await markSubmission(context, id, isSpam);
      await learned();
      expect(await store.spam.findLearned([id])).toEqual([id]);
    }
    expect((await store.spam.countLessons(owner.teamId)).genuine).toBe(before.genuine + 1);
  });

  test('the management API takes the mark away', async () => {
    const form = await newForm();
    await mailing.sent(form, MAYBE_SPAM);
    const path = `/v1/submissions/${(await newestOf(form)).id}`;
    const answer = await instance.api('PATCH', path, { key: owner.writeKey, body: { is_spam: false } });
    expect(answer.status).toBe(200);
    expect((await instance.stored(owner, form))[0]).not.toHaveProperty('maybe_spam');
    expect(await mailing.drained()).toEqual([]);
  });

  test('the metrics count it apart from spam', async () => {
    const counted = async () => {
      const { values } = parseExposition(await (await fetch(`${instance.url}/metrics`)).text());
      return ['maybe_spam', 'flagged'].map((name) => values.get(`formstead_submissions_${name}_total`) ?? -1);
    };
    const [maybe = 0, flagged = 0] = await counted();
    await mailing.sent(await newForm(), MAYBE_SPAM);
    expect(await counted()).toEqual([maybe + 1, flagged]);
  });

  test('exports have a column for it', async () => {
    const form = await newForm();
    await mailing.sent(form, { message: 'Do you repair harps?' });
    await mailing.sent(form, MAYBE_SPAM);
    const path = `/v1/forms/${form.id}/export`;
    const lines = async (format: string) => {
      const answer = await instance.api('GET', `${path}?format=${format}`, { key: owner.readKey });
      return (await answer.text()).trim().split(/\r?\n/);
    };
    const csv = (await lines('csv')).map((line) => line.split(',')[4]);
    expect(csv).toEqual(['maybe_spam', 'false', 'true']);
    const json = (await lines('jsonl')).map((line) => JSON.parse(line).maybe_spam);
    expect(json).toEqual([undefined, true]);
  });

  test('a second mark after it was marked as spam notifies nobody either', async () => {
    const form = await newForm();
    await mailing.sent(form, MAYBE_SPAM);
    const { id } = await newestOf(form);
    await markSubmission(context, id, true);
    await markSubmission(context, id, false);
    expect(await mailing.drained()).toEqual([]);
  });
});

describe('held', () => {
  test('nobody is notified until it is marked as genuine, and then once', async () => {
    const form = await newForm({ maybeSpamAction: 'hold' });
    const events = await eventsOf(form);
    expect(await mailing.sent(form, MAYBE_SPAM)).toEqual([]);
    expect(await events()).toEqual([]);
    const { id } = await newestOf(form);
    expect(await newestOf(form)).toMatchObject({ isSpam: false, isMaybeSpam: true });
    for (const isSpam of [true, false, true, false]) await markSubmission(context, id, isSpam);
    expect(recipients(await mailing.drained())).toEqual(BOTH);
    expect(await events()).toHaveLength(1);
  });

  test('concurrent marks notify once', async () => {
    const form = await newForm({ maybeSpamAction: 'hold' });
    await mailing.sent(form, MAYBE_SPAM);
    const { id } = await newestOf(form);
    await Promise.all([1, 2, 3].map(() => markSubmission(context, id, false)));
    expect(recipients(await mailing.drained())).toEqual(BOTH);
  });

  test('a webhook that includes spam gets it at once, and only once', async () => {
    const form = await newForm({ maybeSpamAction: 'hold' });
    const events = await eventsOf(form, { includeSpam: true });
    await mailing.sent(form, MAYBE_SPAM);
    expect((await events())[0].data.submission).toMatchObject({ is_spam: false, maybe_spam: true });
    await markSubmission(context, (await newestOf(form)).id, false);
    expect(await events()).toHaveLength(1);
  });

  test('genuine posts and spam are treated as before', async () => {
    const form = await newForm({ maybeSpamAction: 'hold', blockedWords: ['casino'] });
    const genuine = { email: 'ada@home.example', message: 'Do you repair harps?' };
    expect(recipients(await mailing.sent(form, genuine))).toEqual(BOTH);
    expect(await mailing.sent(form, { message: 'casino' })).toEqual([]);
    expect(await newestOf(form)).toMatchObject({ isSpam: true, isMaybeSpam: false });
  });
});

describe('asked for a proof of work', () => {
  const asking = (settings: Partial<FormSettings> = {}) => newForm({ maybeSpamAction: 'challenge', ...settings });
  const json = { Accept: 'application/json' };
  const NOTE = '"><b>Bold</b> & \'\nsecond line';
  const page = { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' };

  test('a script learns the address of the challenge, and nothing is stored', async () => {
    const form = await asking();
    const answer = await instance.post(form.id, MAYBE_SPAM, json);
    expect(answer.status).toBe(400);
    const path = `/v1/forms/${form.shortId}/challenge`;
    expect(await answer.json()).toMatchObject({ success: false, code: 'challenge_missing', challenge_url: path });
    expect((await instance.api('GET', path)).status).toBe(200);
    expect(await count(form)).toBe(0);
  });

  test('a solution delivers the post once, with the mark', async () => {
    const form = await asking();
    await instance.post(form.id, MAYBE_SPAM, json);
    const solved = { ...MAYBE_SPAM, altcha: await easyToken(instance, form.id) };
    expect(recipients(await mailing.sent(form, solved))).toEqual(BOTH);
    expect((await instance.stored(owner, form))[0]).toMatchObject({ maybe_spam: true, data: MAYBE_SPAM_DATA });
    const again = await instance.post(form.id, solved, json);
    expect(await again.json()).toMatchObject({ code: 'challenge_failed', challenge_url: expect.any(String) });
    expect(await count(form)).toBe(1);
  });

  test('genuine posts need no solution', async () => {
    const form = await asking();
    expect(await mailing.sent(form, { message: 'Do you repair harps?' })).toHaveLength(1);
    expect(await newestOf(form)).toMatchObject({ isMaybeSpam: false });
  });

  test('a browser without script gets a page with its entries and the widget', async () => {
    const form = await asking({ allowedOrigins: ['https://shop.example'], redirectUrl: 'https://shop.example/thanks' });
    const body = new URLSearchParams({ ...MAYBE_SPAM, note: NOTE, _gotcha: '' });
    body.append('topic', 'x');
    body.append('topic', 'y');
    body.append('one[]', 'z');
    const answer = await instance.post(form.id, body, { ...page, Origin: 'https://shop.example' });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example;");
    expect(answer.headers.get('referrer-policy')).toBe('same-origin');
    const markup = await answer.text();
    expect(markup).not.toContain('<b>');
    expect(markup).toContain(`action="/v1/forms/${form.shortId}/submissions"`);
    expect(markup).toContain(`challenge="/v1/forms/${form.shortId}/challenge"`);
    const fields = await hiddenFields(markup);
    fields.append('altcha', await easyToken(instance, form.id));
    const own = { ...page, Origin: instance.url, 'Sec-Fetch-Site': 'same-origin' };
    const sent = await fetch(`${instance.url}/v1/forms/${form.shortId}/submissions`, {
      method: 'POST',
      body: fields,
      headers: own,
      redirect: 'manual',
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, 'https://shop.example/thanks']);
    const [stored] = await instance.stored(owner, form);
    expect(stored?.data).toEqual({ ...MAYBE_SPAM_DATA, note: NOTE, topic: ['x', 'y'], one: ['z'] });
  });

  test('an expired or wrong solution gets the page again', async () => {
    const form = await asking();
    const wrong = new URLSearchParams({ ...MAYBE_SPAM, altcha: 'wrong' });
    const markup = await (await instance.post(form.id, wrong, page)).text();
    expect(markup).toContain('The spam check failed or has expired.');
    expect(markup).not.toContain('value="wrong"');
    expect(markup).toContain('<altcha-widget');
  });

  test('a page of another origin may not post', async () => {
    const form = await asking({ allowedOrigins: ['https://shop.example'] });
    const other = { ...json, Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' };
    expect((await instance.post(form.id, MAYBE_SPAM, other)).status).toBe(403);
  });

  test('posts with files are delivered with the mark', async () => {
    const form = await asking();
    const body = new FormData();
    for (const [name, value] of Object.entries(MAYBE_SPAM)) body.append(name, value);
    body.append('cv', new File(['Hello'], 'cv.txt', { type: 'text/plain' }));
    expect(recipients(await mailing.sent(form, body))).toEqual(BOTH);
    expect(await newestOf(form)).toMatchObject({ isMaybeSpam: true });
  });

  test('posts that passed the challenge of the form are delivered with the mark', async () => {
    const altcha = { kind: 'altcha', secret: null, verifyUrl: null } as const;
    const form = await instance.makeForm(owner, { maybeSpamAction: 'challenge' }, altcha);
    const token = await easyToken(instance, form.id);
    expect((await instance.post(form.id, { ...MAYBE_SPAM, altcha: token })).status).toBe(200);
    expect(await newestOf(form)).toMatchObject({ isMaybeSpam: true });
    const answer = await instance.post(form.id, MAYBE_SPAM, json);
    expect(await answer.json()).not.toHaveProperty('challenge_url');
  });

  test('a hosted form shows the widget beside the entries', async () => {
    const fields = ['a', 'b', 'c'].map((name) => ({ name, label: name, type: 'text', required: false }));
    const form = await asking({ fields, hasHostedPage: true });
    const path = `${instance.url}/f/${form.shortId}`;
    expect(await (await fetch(path)).text()).not.toContain('<altcha-widget');
    const { email: __, ...body } = MAYBE_SPAM;
    const own = { ...page, Origin: instance.url, 'Sec-Fetch-Site': 'same-origin' };
    const answer = await fetch(path, { method: 'POST', body: new URLSearchParams(body), headers: own });
    const markup = await answer.text();
    expect(markup).toContain('value="Flat nine"');
    expect(markup).toContain('<altcha-widget');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  });
});

/** Returns the hidden inputs of a page. */
async function hiddenFields(markup: string): Promise<URLSearchParams> {
  const fields = new URLSearchParams();
  const rewriter = new HTMLRewriter().on('input[type=hidden]', {
    element: (input) => fields.append(decode(input.getAttribute('name')), decode(input.getAttribute('value'))),
  });
  await rewriter.transform(new Response(markup)).text();
  return fields;
}

function decode(text: string | null): string {
  const entities = { quot: '"', '#39': "'", lt: '<', gt: '>', amp: '&' };
  return (text ?? '').replace(/&(quot|#39|lt|gt|amp);/g, (_, name: keyof typeof entities) => entities[name]);
}
