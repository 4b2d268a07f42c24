import { afterAll, expect, test } from 'bun:test';
import { Semaphore } from '../../../src/lib/semaphore.ts';
import { erasePerson, newCounts, newSearch, searchPerson } from '../../../src/services/erasure/erasure.ts';
import { createWebhook } from '../../../src/services/webhooks/webhooks.ts';
import { startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';

const instance = await startInstance();
const { context, owner, post } = instance;
const receiver = new Receiver();
afterAll(async () => {
  await instance.stop();
  receiver.stop();
});

const ADA = 'ada@example.com';
const log = (id: string) => context.store.deliveries.list(id, { before: null, limit: 10 });

test('an erasure cancels deliveries, clears their log, and counts the one in flight', async () => {
  const held = Promise.withResolvers<Response>();
  const { form } = owner;
  const { webhook } = await createWebhook(context, form.id, 'standard', { url: `${receiver.url}/created` });
  const events = ['submission.deleted'] as const;
  const told = await createWebhook(context, form.id, 'standard', { url: `${receiver.url}/deleted`, events });
  await post(form.id, { email: ADA, n: 'delivered' });
  await context.webhooks.drain();
  receiver.next.push(() => held.promise);
  await post(form.id, { email: ADA, n: 'in flight' });
  await until(() => receiver.received.length === 2, 'the second delivery');
  await post(form.id, { email: ADA, n: 'queued' });
  await post(form.id, { email: 'bob@example.com', n: 'of another person' });

  const person = { teamId: owner.teamId, address: ADA };
  const deps = { ...context, semaphore: new Semaphore(1) };
  const search = newSearch(context.clock);
  await searchPerson(deps, person, search);
  const { facts } = await erasePerson(deps, person, search, newCounts());
  expect(facts).toMatchObject({ submissions: 3, mails: 0, deliveries: 3, deliveries_under_way: 1 });
  expect(facts.receivers).toEqual([new URL(receiver.url).host]);

  held.resolve(new Response(`Thanks, ${ADA}`));
  await context.webhooks.drain();
  const sent = receiver.received.slice(2);
  const created = sent
    .filter(({ path }) => path === '/created')
    .map(({ body }) => JSON.parse(body).data.submission.data);
  expect(created).toEqual([{ email: 'bob@example.com', n: 'of another person' }]);
  expect((await log(webhook.id)).map(({ state }) => state)).toEqual(['delivered']);
  expect(sent.filter(({ path }) => path === '/deleted')).toHaveLength(3);
  expect((await log(told.webhook.id)).map(({ state }) => state)).toEqual(['delivered', 'delivered', 'delivered']);
  expect(sent.map(({ body }) => body).join()).not.toContain(ADA);
});

test('deleting by age cancels deliveries too', async () => {
  const form = await instance.makeForm(owner);
  const { webhook } = await createWebhook(context, form.id, 'standard', { url: receiver.url, isActive: false });
  await post(form.id, { n: 1 });
  await post(form.id, { n: 2 });
  expect((await log(webhook.id)).map(({ state }) => state)).toEqual(['queued', 'queued']);
  // A batch is as large as the machine is fast.
  const next = () => context.store.retention.deleteOlder(form.id, Number.MAX_SAFE_INTEGER);
  const sums = { submissions: 0, mails: 0, deliveries: 0, deliveriesInFlight: 0 };
  for (let batch = await next(); batch.submissions > 0; batch = await next()) {
    for (const key of Object.keys(sums) as Array<keyof typeof sums>) sums[key] += batch[key];
  }
  expect(sums).toEqual({ submissions: 2, mails: 0, deliveries: 2, deliveriesInFlight: 0 });
  expect(await log(webhook.id)).toEqual([]);
});
