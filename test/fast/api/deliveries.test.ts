import { afterAll, describe, expect, test } from 'bun:test';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { dataOf, refused, TIMESTAMP, tamper } from './support.ts';

const instance = await startInstance({ webhookMs: 1_000 });
const receiver = new Receiver();
afterAll(async () => {
  await instance.stop();
  await receiver.stop();
});
const { api, context, owner, post } = instance;
const { readKey, writeKey } = owner;
const other = await instance.makeOwner();

type Delivery = { id: string; submission_id: string; state: string } & Record<string, unknown>;
type Page = { items: Delivery[]; next_cursor: string | null };

/** Creates a form with a webhook that got `count` submissions. */
async function withDeliveries(count: number) {
  const form = await instance.makeForm(owner);
  // Separate path: other webhooks may repeat a failed delivery at any time.
  const { webhook } = await createWebhook(context, form.id, 'standard', { url: `${receiver.url}/${form.id}` });
  for (let number = 1; number <= count; number++) await post(form.id, { number });
  await context.webhooks.drain();
  return { form, id: webhook.id };
}

const list = (id: string, query = '') => api('GET', `/v1/webhooks/${id}/deliveries${query}`, { key: readKey });
const redeliver = (id: string, body: unknown) => api('POST', `/v1/webhooks/${id}/redeliver`, { key: writeKey, body });

describe('GET /v1/webhooks/:webhookId/deliveries', () => {
  test('returns deliveries with state, status and answer', async () => {
    const { id, form } = await withDeliveries(1);
    const [stored] = await instance.stored(owner, form);
    const { items, next_cursor } = await dataOf<Page>(list(id));
    expect(next_cursor).toBeNull();
    expect(items).toEqual([
      {
        id: expect.stringMatching(/^dlv_/),
        event: 'submission.created',
        submission_id: stored?.id ?? '',
        state: 'delivered',
        attempts: 1,
        last_status: 200,
        last_error: null,
        last_answer: 'ok',
        duration_ms: expect.any(Number),
        next_attempt_at: null,
        created_at: expect.stringMatching(TIMESTAMP),
      },
    ]);
  });

  test('returns the reason of a failure and the next attempt', async () => {
    receiver.next.push(() => new Response('busy', { status: 503 }));
    const { id } = await withDeliveries(1);
    const [item] = (await dataOf<Page>(list(id))).items;
    expect(item).toMatchObject({ state: 'retrying', attempts: 1, last_status: 503, last_answer: 'busy' });
    expect(item?.last_error).toMatch(/503/);
    expect(item?.next_attempt_at).toMatch(TIMESTAMP);
  });

  test('pages newest first: each delivery once, and none is lost when new ones arrive', async () => {
    const { id, form } = await withDeliveries(7);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await dataOf<Page>(list(id, `?limit=2${cursor === null ? '' : `&before=${cursor}`}`));
      found.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor;
      await post(form.id, { number: 'late' });
    } while (cursor !== null);
    expect(found).toHaveLength(7);
    expect(found).toEqual([...new Set(found)].sort().reverse());
  });

  test('has no cursor on a last page that is full', async () => {
    const { id } = await withDeliveries(2);
    const page = await dataOf<Page>(list(id, '?limit=2'));
    expect([page.items.length, page.next_cursor]).toEqual([2, null]);
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'limit=', 'before=', 'before=x', 'before=dlv_', 'before=2026-01-01'])(
    '?%s returns 400',
    async (query) => {
      await refused(list('whk_unknown', `?${query}`), 400);
    },
  );

  test('of another team returns 404', async () => {
    const { id } = await withDeliveries(1);
    await refused(api('GET', `/v1/webhooks/${id}/deliveries`, { key: other.readKey }), 404);
  });
});

describe('POST /v1/webhooks/:webhookId/redeliver', () => {
  const numbers = ({ id }: Readonly<{ id: string }>) =>
    receiver.received
      .filter(({ path }) => path === `/${id}`)
      .map(({ body }) => JSON.parse(body).data.submission.data.number);

  test('repeats one delivery', async () => {
    const { id, form } = await withDeliveries(2);
    const { items } = await dataOf<Page>(list(id));
    receiver.received.length = 0;
    expect(await dataOf(redeliver(id, { delivery_id: items[1]?.id }))).toEqual({ queued: 1 });
    await context.webhooks.drain();
    expect(numbers(form)).toEqual([1]);
  });

  test('repeats all failed ones', async () => {
    const { usual } = receiver;
    receiver.usual = () => new Response('', { status: 500 });
    const { id } = await withDeliveries(1);
    const state = async () => (await dataOf<Page>(list(id))).items[0]?.state;
    // Retries take four days.
    tamper(instance, "UPDATE outbox SET state = 'dead' WHERE webhook_id = ?", id);
    expect(await state()).toBe('failed');
    receiver.usual = usual;
    expect(await dataOf(redeliver(id, { failed: true }))).toEqual({ queued: 1 });
    await context.webhooks.drain();
    expect(await state()).toBe('delivered');
  });

  test('sends past submissions, oldest first', async () => {
    const { id, form } = await withDeliveries(3);
    receiver.received.length = 0;
    expect(await dataOf(redeliver(id, { past: 2 }))).toEqual({ queued: 2 });
    await context.webhooks.drain();
    expect(numbers(form)).toEqual([2, 3]);
  });

  test.each([
    [{}],
    [{ failed: false }],
    [{ past: 0 }],
    [{ past: 1_001 }],
    [{ past: 1.5 }],
    [{ past: '5' }],
    [{ delivery_id: 1 }],
    [{ failed: true, past: 5 }],
    [{ failed: true, all: true }],
  ])('with %j returns 400', async (body) => {
    await refused(redeliver('whk_unknown', body), 400);
  });

  test('of a delivery of another webhook returns 404', async () => {
    const [one, two] = [await withDeliveries(1), await withDeliveries(0)];
    const { items } = await dataOf<Page>(list(one.id));
    await refused(redeliver(two.id, { delivery_id: items[0]?.id }), 404);
    await refused(redeliver(two.id, { delivery_id: 'dlv_0' }), 404);
  });
});
