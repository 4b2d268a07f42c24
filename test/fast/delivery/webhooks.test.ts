import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';
import type { WebhookInput } from '../../../src/delivery/targets/index.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { DAY, HOUR, SECOND, systemClock } from '../../../src/lib/clock.ts';
import { markSubmission } from '../../../src/services/submissions/mark-submission.ts';
import { testWebhook } from '../../../src/services/webhooks/test-webhook.ts';
import { createWebhook, rotateSecret, updateWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { openAttempt } from '../../../src/vault/open-webhook.ts';
import { startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';

let ahead = 0;
const instance = await startInstance({ clock: () => systemClock() + ahead, webhookMs: 1_000 });
const { context, owner, post, makeForm, api } = instance;
const deps = { ...context, plans: context.config.plans };
afterAll(instance.stop);

let receiver: Receiver;
let form: Form;
beforeEach(async () => {
  ahead = 0;
  receiver = new Receiver();
  form = await makeForm(owner);
});
afterEach(() => receiver.stop());

const subscribe = (input: WebhookInput = {}) =>
  createWebhook(deps, form.id, 'standard', { url: `${receiver.url}/hook`, ...input });
/** Delivers all that is due, after moving the clock. */
const deliver = async (later = 0) => {
  ahead += later;
  await context.webhooks.drain();
};
const log = async ({ id }: Webhook) => {
  const deliveries = await context.store.deliveries.list(id, { before: null, limit: 100 });
  return deliveries.map(({ id: delivery, state, attempts, lastStatus, dueAt, reason }) => {
    const record = openAttempt(context.vault, delivery, reason);
    return { state, attempts, lastStatus, dueAt, reason: record?.reason ?? null, answer: record?.answer ?? '' };
  });
};
const verify = (secret: string | null, { body, headers }: Receiver['received'][number]) =>
  new Verifier(secret ?? '').verify(body, Object.fromEntries(headers));

describe('a standard webhook', () => {
  test('gets a signed event with the submission as the management API shows it', async () => {
    const { secret } = await subscribe({ headers: ['Authorization: Bearer abc'] });
    await post(form.id, { name: 'Ada', card: '4242 4242 4242 4242' });
    await deliver();
    const [request] = receiver.received;
    const shown = (await instance.stored(owner, form))[0];
    expect(verify(secret, request as never)).toEqual({
      type: 'submission.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      version: 1,
      data: { form: { id: form.id, short_id: form.shortId, name: form.name }, submission: shown },
    });
    expect(request?.body).toContain('************4242');
    expect(request?.headers.get('authorization')).toBe('Bearer abc');
    expect([request?.path, request?.headers.get('content-type')]).toEqual(['/hook', 'application/json']);
  });

  test('is signed with both secrets for a day after a rotation', async () => {
    const { webhook, secret: old } = await subscribe();
    const renewed = await rotateSecret(deps, webhook.id);
    await post(form.id, { n: 1 });
    await deliver();
    const [during] = receiver.received;
    for (const secret of [old, renewed]) expect(verify(secret, during as never)).toBeDefined();
    ahead += DAY;
    await post(form.id, { n: 2 });
    await deliver();
    const [, after] = receiver.received;
    expect(after?.headers.get('webhook-signature')?.split(' ')).toHaveLength(1);
    expect(() => verify(old, after as never)).toThrow();
  });

  test('is tried again with the same id and a new signature', async () => {
    const { webhook, secret } = await subscribe();
    receiver.next.push(() => new Response('busy', { status: 503 }));
    await post(form.id, { n: 1 });
    await deliver();
    expect((await log(webhook))[0]).toMatchObject({ state: 'retrying', attempts: 1, lastStatus: 503, answer: 'busy' });
    await deliver(6 * SECOND);
    const [first, second] = receiver.received;
    expect(second?.headers.get('webhook-id')).toBe(first?.headers.get('webhook-id') ?? '');
    expect(second?.headers.get('webhook-timestamp')).not.toBe(first?.headers.get('webhook-timestamp') ?? '');
    expect(verify(secret, second as never)).toBeDefined();
    expect((await log(webhook))[0]).toMatchObject({ state: 'delivered', attempts: 2, lastStatus: 200 });
  });

  test('is thin if asked for, and above 256 KiB', async () => {
    await subscribe({ body: 'thin' });
    await post(form.id, { n: 1 });
    await deliver();
    const other = await makeForm(owner);
    await createWebhook(deps, other.id, 'standard', { url: receiver.url });
    await post(other.id, { a: 'x'.repeat(140_000), b: 'y'.repeat(140_000) });
    await deliver();
    for (const { data } of receiver.events) expect(Object.keys(data.submission)).toEqual(['id', 'created_at']);
    expect(receiver.events.length).toBe(2);
  });

  test('gets spam only if asked for, and what is released', async () => {
    await context.store.forms.update(form.id, { blockedWords: ['casino'] });
    const all = await subscribe({ includeSpam: true, url: `${receiver.url}/all` });
    await subscribe({ url: `${receiver.url}/genuine` });
    await post(form.id, { message: 'casino' });
    await deliver();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/all']);
    const id = (await instance.stored(owner, form))[0]?.id ?? '';
    await markSubmission(deps, id, false);
    await deliver();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/all', '/genuine']);
    expect((await log(all.webhook)).length).toBe(1);
  });

  test('gets a submission once that was spam when it was due, and is genuine again', async () => {
    const { webhook } = await subscribe({ isActive: false });
    await post(form.id, { message: 'Hello' });
    const id = (await instance.stored(owner, form))[0]?.id ?? '';
    await markSubmission(deps, id, true);
    await updateWebhook(deps, webhook.id, { isActive: true });
    await deliver();
    expect((await log(webhook)).map(({ state }) => state)).toEqual(['canceled']);
    for (const isSpam of [false, false]) await markSubmission(deps, id, isSpam);
    await deliver();
    for (const isSpam of [true, false]) await markSubmission(deps, id, isSpam);
    await deliver();
    expect(receiver.events).toHaveLength(1);
    expect(await log(webhook)).toHaveLength(1);
  });

  test('is told of deleted submissions, by id and time', async () => {
    await subscribe({ events: ['submission.deleted'] });
    await post(form.id, { n: 1 });
    const id = (await instance.stored(owner, form))[0]?.id ?? '';
    await api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey });
    await deliver();
    expect(receiver.events).toMatchObject([{ type: 'submission.deleted', data: { submission: { id } } }]);
    expect(Object.keys(receiver.events[0].data.submission)).toEqual(['id', 'created_at']);
  });

  test('gets only submissions that meet its conditions', async () => {
    await subscribe({ when: [{ field: 'topic', is: 'sales' }], url: `${receiver.url}/sales` });
    await subscribe({ when: [{ field: 'topic', is: 'support' }], url: `${receiver.url}/support` });
    await post(form.id, { topic: 'support' });
    await post(form.id, { topic: 'Sales' });
    await deliver();
    const got = receiver.received.map(({ path, body }) => [path, JSON.parse(body).data.submission.data.topic]);
    expect(got.toSorted()).toEqual([
      ['/sales', 'Sales'],
      ['/support', 'support'],
    ]);
  });

  test('gets submissions that meet no conditions if the form has no mail recipients, also when released', async () => {
    await context.store.forms.update(form.id, { blockedWords: ['casino'] });
    await subscribe({ when: [{ field: 'topic', is: 'sales' }], url: `${receiver.url}/sales` });
    await subscribe({ when: [{ field: 'topic', is: 'support' }], url: `${receiver.url}/support`, includeSpam: true });
    const paths = async () => {
      await deliver();
      const requests = receiver.received.splice(0);
      return requests.map(({ path }) => path).toSorted();
    };
    await post(form.id, { topic: 'press' });
    expect(await paths()).toEqual(['/sales', '/support']);
    await post(form.id, { topic: 'casino' });
    expect(await paths()).toEqual(['/support']);
    await markSubmission(deps, (await instance.stored(owner, form))[0]?.id ?? '', false);
    expect(await paths()).toEqual(['/sales']);
  });

  test('gets deliveries in order, one at a time', async () => {
    let running = 0;
    let most = 0;
    receiver.usual = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return new Response();
    };
    await subscribe();
    for (let n = 0; n < 20; n++) await post(form.id, { n });
    await deliver();
    expect(receiver.events.map(({ data }) => data.submission.data.n)).toEqual([...Array(20).keys()]);
    expect(most).toBe(1);
  });
});

describe('an endpoint', () => {
  type Case = [
    name: string,
    answer: (signal: AbortSignal) => Response | Promise<Response>,
    state: 'retrying' | 'delivered',
    reason: RegExp,
  ];
  const forever = (signal: AbortSignal) =>
    new Promise<Response>((resolve) => signal.addEventListener('abort', () => resolve(new Response())));
  const endless = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)) }));
  const cases: Case[] = [
    ['that hangs', forever, 'retrying', /did not answer within 1 second/],
    [
      'that redirects',
      () => Response.redirect('https://example.com/elsewhere'),
      'retrying',
      /redirects to .*Redirects are not followed/,
    ],
    ['that does not exist', () => new Response('', { status: 404 }), 'retrying', /does not exist .*Check the URL/],
    ['that fails', () => new Response('', { status: 500 }), 'retrying', /failed \(status 500\)/],
    ['that answers without an end', endless, 'delivered', /^$/],
    [
      'that drips',
      () =>
        new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('x')) })),
      'delivered',
      /^$/,
    ],
  ];
  test.each(cases)('%s leaves a reason', async (_, answer, state, reason) => {
    const done = new AbortController();
    receiver.usual = () => answer(done.signal);
    const { webhook } = await subscribe();
    await post(form.id, { n: 1 });
    await deliver();
    done.abort();
    const [delivery] = await log(webhook);
    expect(delivery?.state).toBe(state);
    expect(delivery?.reason ?? '').toMatch(reason);
    expect((delivery?.answer ?? '').length).toBeLessThanOrEqual(1024);
  });

  test('that breaks off its answer has accepted the delivery', async () => {
    const server = createServer((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { webhook } = await subscribe({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
    await post(form.id, { n: 1 });
    await deliver();
    server.close();
    expect((await log(webhook))[0]).toMatchObject({ state: 'delivered', lastStatus: 200 });
  });

  test('that is down is named, and its form still accepts posts', async () => {
    const { webhook } = await subscribe({ url: 'http://127.0.0.1:1/' });
    expect((await post(form.id, { n: 1 })).status).toBe(200);
    await deliver();
    expect((await log(webhook))[0]?.reason).toMatch(/refused the connection/);
  });

  test.each([
    ['seconds', () => '7200'],
    ['a date', () => new Date(Date.now() + 7_200_000).toUTCString()],
  ])('that asks to wait by %s is not tried before', async (_, after) => {
    const { webhook } = await subscribe();
    receiver.next.push(() => new Response('', { status: 429, headers: { 'Retry-After': after() } }));
    await post(form.id, { n: 1 });
    await deliver();
    await deliver(HOUR);
    expect(receiver.received.length).toBe(1);
    expect((await log(webhook))[0]?.reason).toMatch(/limits the rate/);
    await deliver(HOUR + 2 * SECOND);
    expect(receiver.received.length).toBe(2);
  });

  test('that is gone is disabled, keeps its deliveries, and gets them when it is resumed', async () => {
    const { webhook } = await subscribe();
    receiver.next.push(() => new Response('', { status: 410 }));
    await post(form.id, { n: 1 });
    await deliver();
    await post(form.id, { n: 2 });
    await deliver(HOUR);
    expect(receiver.received.length).toBe(1);
    expect((await context.store.webhooks.find(webhook.id))?.disabledReason).toBe('gone');
    await updateWebhook(deps, webhook.id, { isActive: true });
    await deliver();
    expect(receiver.events.map(({ data }) => data.submission.data.n).sort()).toEqual([1, 1, 2]);
  });

  test('that was public and becomes private is refused at the next attempt', async () => {
    await expect(subscribe({ url: 'https://10.0.0.1/' })).rejects.toThrow(/not public.*ALLOWED_PRIVATE_HOSTS/);
    await expect(subscribe({ url: 'http://example.com/' })).rejects.toThrow('must begin with https://');
  });

  test('an outage of 80 hours loses nothing, and order returns', async () => {
    const { webhook } = await subscribe();
    receiver.usual = () => new Response('', { status: 502 });
    for (let n = 0; n < 5; n++) await post(form.id, { n });
    for (let hour = 0; hour < 80; hour++) await deliver(HOUR);
    receiver.usual = () => new Response();
    const before = receiver.received.length;
    for (let hour = 0; hour < 12; hour++) await deliver(HOUR);
    const arrived = receiver.events.slice(before).map(({ data }) => data.submission.data.n);
    expect(arrived.toSorted()).toEqual([0, 1, 2, 3, 4]);
    expect((await log(webhook)).every(({ state }) => state === 'delivered')).toBe(true);
  });
});

test('a test sends the newest submission, signed, and returns request and answer', async () => {
  const { webhook, secret } = await subscribe();
  receiver.next.push(() => new Response('nice'));
  await post(form.id, { n: 1 });
  await deliver();
  const { request, attempt } = await testWebhook(deps, webhook, 'team');
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    type: 'webhook.test',
    data: { submission: { data: { n: 1 } } },
  });
  expect([attempt.status, attempt.reason]).toEqual([200, null]);
  expect(verify(secret, receiver.received.at(-1) as never)).toBeDefined();
});
