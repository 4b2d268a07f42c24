import { afterAll, beforeEach, describe, expect, test } from 'bun:test';
import { startInstance } from '../../support/instance.ts';
import { expectAccepted, expectNothingKept, expectRefused, kept, timesOf, used } from './helpers.ts';

const SECOND = 1_000_000;

const plan = (submissions_limit: number | null) => ({ api_access: true, submissions_limit });
const PLANS = JSON.stringify({ closed: plan(0), two: plan(2), three: plan(3), hundred: plan(100) });

/** Month of the current test. Each test has its own, since creation times never go backwards. */
let month = 0;
let monthStart = 0;
let monthEnd = 0;
/** Time of the test clock, and its advance with each reading. */
let now = Date.UTC(2026, 0, 1) * 1_000;
let tick = 0;

const instance = await startInstance({
  env: { PLANS },
  clock: () => {
    now += tick;
    return now;
  },
});
afterAll(instance.stop);

beforeEach(() => {
  month += 1;
  monthStart = Date.UTC(2026, month, 1) * 1_000;
  monthEnd = Date.UTC(2026, month + 1, 1) * 1_000;
  now = monthEnd - 10 * SECOND;
  tick = 0;
});

const postMany = (id: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => instance.post(id, { index })));

const withStatus = (responses: readonly Response[], status: number) =>
  responses.filter((response) => response.status === status);

describe('a team at its cap', () => {
  test('gets 429 with the seconds until the end of the month in Retry-After, and nothing is stored or counted', async () => {
    const owner = await instance.makeOwner('two');
    await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
    await expectAccepted(await instance.post(owner.form.id, { a: '2' }));
    const refused = await instance.post(owner.form.id, { a: '3' });
    expect(refused.headers.get('retry-after')).toBe('10');
    await expectRefused(refused, 429, 'submission_cap_reached');
    expect(await kept(instance, owner)).toEqual([[['a', '2']], [['a', '1']]]);
    expect(await used(instance, owner)).toBe(2);
  });

  test('gets Retry-After in whole seconds, rounded up, from 1 second to the whole month', async () => {
    const { form } = await instance.makeOwner('closed');
    const wholeMonth = (monthEnd - monthStart) / SECOND;
    const waits = [
      [1, 1],
      [SECOND, 1],
      [SECOND + 1, 2],
      [wholeMonth * SECOND, wholeMonth],
    ] as const;
    for (const [left, wait] of waits) {
      now = monthEnd - left;
      const refused = await instance.post(form.id, { a: '1' });
      expect(refused.headers.get('retry-after')).toBe(String(wait));
    }
  });

  test('accepts nothing with a limit of 0', async () => {
    const owner = await instance.makeOwner('closed');
    await expectRefused(await instance.post(owner.form.id, { a: '1' }), 429, 'submission_cap_reached');
    await expectNothingKept(instance, owner);
  });

  test('accepts submissions again from the first microsecond of the next month', async () => {
    const owner = await instance.makeOwner('two');
    await postMany(owner.form.id, 3);
    now = monthEnd - 1_000;
    await expectRefused(await instance.post(owner.form.id, { a: '1' }), 429, 'submission_cap_reached');
    now = monthEnd;
    expect(await used(instance, owner)).toBe(0);
    expect(withStatus(await postMany(owner.form.id, 3), 200)).toHaveLength(2);
    expect(await used(instance, owner)).toBe(2);
    expect(await kept(instance, owner)).toHaveLength(4);
  });

  test('accepts submissions again on a larger plan', async () => {
    const owner = await instance.makeOwner('two');
    await postMany(owner.form.id, 3);
    await instance.context.store.teams.update(owner.teamId, { plan: 'three' });
    expect(withStatus(await postMany(owner.form.id, 2), 200)).toHaveLength(1);
    expect(await used(instance, owner)).toBe(3);
  });

  test('gets no quota back for a deleted submission', async () => {
    const owner = await instance.makeOwner('two');
    await postMany(owner.form.id, 2);
    for (const { id } of await instance.stored(owner)) {
      await instance.api('DELETE', `/v1/submissions/${id}`, { key: owner.writeKey });
    }
    await expectRefused(await instance.post(owner.form.id, { a: '1' }), 429, 'submission_cap_reached');
    expect(await kept(instance, owner)).toEqual([]);
    expect(await used(instance, owner)).toBe(2);
  });
});

test('all forms of a team share its cap, and other teams are not affected', async () => {
  const owner = await instance.makeOwner('two');
  const second = await instance.makeForm(owner);
  const stranger = await instance.makeOwner('two');
  await expectAccepted(await instance.post(owner.form.id, { a: '1' }));
  await expectAccepted(await instance.post(second.id, { a: '2' }));
  await expectRefused(await instance.post(owner.form.id, { a: '3' }), 429, 'submission_cap_reached');
  await expectAccepted(await instance.post(stranger.form.id, { a: '4' }));
  expect([await used(instance, owner), await used(instance, stranger)]).toEqual([2, 1]);
});

test('refused posts and honeypot hits do not count toward the cap', async () => {
  const owner = await instance.makeOwner('two');
  for (const fields of [{}, { _honey: 'x' }, { a: ' ' }, { ['x'.repeat(257)]: 'x' }]) {
    await instance.post(owner.form.id, fields);
  }
  await expectNothingKept(instance, owner);
  expect(withStatus(await postMany(owner.form.id, 3), 200)).toHaveLength(2);
});

describe('1,000 posts at once', () => {
  test('at a cap of 100 store exactly 100 and count exactly 100', async () => {
    const owner = await instance.makeOwner('hundred');
    const responses = await postMany(owner.form.id, 1_000);
    expect(withStatus(responses, 200)).toHaveLength(100);
    expect(withStatus(responses, 429)).toHaveLength(900);
    expect(await kept(instance, owner)).toHaveLength(100);
    expect(await used(instance, owner)).toBe(100);
  });

  test.each([
    ['hundred', 200],
    ['unlimited', 1_000],
  ])('at the turn of the month each count in the month of their created_at: %s', async (name, accepted) => {
    const owner = await instance.makeOwner(name);
    // Each post reads the clock two or three times, the last time when it is stored, and 256 run concurrently:
    // more than a hundred are stored before the end of the month, and more than a hundred after it.
    now = monthEnd - 600;
    tick = 1;
    const responses = await postMany(owner.form.id, 1_000);
    expect(withStatus(responses, 200)).toHaveLength(accepted);

    const times = await timesOf(instance, owner);
    const before = times.filter((time) => time < monthEnd).length;
    const { store } = instance.context;
    expect(await store.usage.count(owner.teamId, monthStart)).toBe(before);
    expect(await store.usage.count(owner.teamId, monthEnd)).toBe(times.length - before);
    expect([times.length, before > 0, before < times.length]).toEqual([accepted, true, true]);
  });
});

test('the plan at the time of storage counts, also if it changes while the body arrives', async () => {
  const owner = await instance.makeOwner();
  const arrived = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(Buffer.from('a='));
      await arrived.promise;
      controller.enqueue(Buffer.from('1'));
      controller.close();
    },
  });
  const slow = fetch(`${instance.url}/v1/forms/${owner.form.id}/submissions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body,
  });
  await instance.post(owner.form.id, { first: 1 });
  await instance.context.store.teams.update(owner.teamId, { plan: 'closed' });
  arrived.resolve();
  expect((await slow).status).toBe(429);
  expect((await instance.stored(owner)).length).toBe(1);
});
