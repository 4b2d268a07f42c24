import { afterAll, describe, expect, test } from 'bun:test';
import { parseTime } from '../../../src/lib/clock.ts';
import { type Owner, startInstance } from '../../support/instance.ts';
import { dataOf, keep, refused } from './support.ts';

let now = 0;
const at = (text: string) => {
  now = parseTime(text) ?? 0;
};
at('2026-11-21T08:00:00Z');
const PLANS = JSON.stringify({
  tiny: { api_access: true, submissions_limit: 2 },
  pro: { api_access: true, submissions_limit: 7 },
});
const instance = await startInstance({ clock: () => now, env: { PLANS } });
const plain = await startInstance();
afterAll(async () => {
  await instance.stop();
  await plain.stop();
});

const usageOf = ({ readKey }: Owner) => dataOf(instance.api('GET', '/v1/usage', { key: readKey }));
const periodOf = async () => {
  const { period_start, period_end } = await usageOf(instance.owner);
  return [period_start, period_end];
};

// In chronological order.
describe('the period is the calendar month in UTC', () => {
  const november = ['2026-11-01T00:00:00.000000Z', '2026-12-01T00:00:00.000000Z'];
  const december = ['2026-12-01T00:00:00.000000Z', '2027-01-01T00:00:00.000000Z'];
  const january = ['2027-01-01T00:00:00.000000Z', '2027-02-01T00:00:00.000000Z'];
  const february = ['2028-02-01T00:00:00.000000Z', '2028-03-01T00:00:00.000000Z'];
  test.each([
    ['2026-11-30T23:59:59.999999Z', november],
    ['2026-12-01T00:00:00Z', december],
    ['2026-12-31T23:59:59.999999Z', december],
    ['2027-01-01T00:00:00Z', january],
    ['2028-02-01T00:00:00Z', february],
    ['2028-02-29T23:59:59.999999Z', february],
    ['2028-03-01T00:00:00Z', ['2028-03-01T00:00:00.000000Z', '2028-04-01T00:00:00.000000Z']],
  ])('at %s', async (time, period) => {
    at(time);
    expect(await periodOf()).toEqual(period);
  });

  test('and the count restarts with it', async () => {
    const team = await instance.makeOwner('tiny');
    at('2028-12-31T23:59:59.999998Z');
    await keep(instance, team);
    await keep(instance, team);
    expect(await usageOf(team)).toMatchObject({ submissions_used: 2, remaining: 0 });
    at('2029-01-01T00:00:00Z');
    expect(await usageOf(team)).toMatchObject({ submissions_used: 0, remaining: 2 });
    await keep(instance, team);
    expect(await usageOf(team)).toMatchObject({ submissions_used: 1, remaining: 1 });
  });
});

describe('the count', () => {
  test('includes submissions flagged as spam', async () => {
    const team = await instance.makeOwner('tiny');
    await keep(instance, team, { note: 'buy' }, { isSpam: true });
    await keep(instance, team);
    expect(await usageOf(team)).toMatchObject({ submissions_used: 2, remaining: 0 });
  });

  test('covers all forms of the team and no other team', async () => {
    const team = await instance.makeOwner('tiny');
    const second = await instance.makeForm(team);
    await keep(instance, team);
    await keep(instance, team, {}, { formId: second.id });
    await keep(instance, await instance.makeOwner('tiny'));
    expect(await usageOf(team)).toMatchObject({ submissions_used: 2 });
  });

  test('includes accepted posts, but neither refusals nor honeypot hits', async () => {
    const team = await instance.makeOwner('unlimited');
    expect((await instance.post(team.form.id, { note: 'yes' })).status).toBe(200);
    expect((await instance.post(team.form.id, { _honey: 'bot', note: 'no' })).status).toBe(200);
    expect((await instance.post(team.form.id, {})).status).toBe(400);
    expect(await usageOf(team)).toMatchObject({ submissions_used: 1 });
  });

  test('stays at the limit, and posts are refused until the month ends', async () => {
    const team = await instance.makeOwner('tiny');
    const statuses = [];
    for (let n = 0; n < 3; n++) statuses.push((await instance.post(team.form.id, { n })).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(await usageOf(team)).toMatchObject({ submissions_used: 2, submissions_limit: 2, remaining: 0 });
    at('2029-02-01T00:00:00Z');
    expect((await instance.post(team.form.id, { n: 3 })).status).toBe(200);
    expect(await usageOf(team)).toMatchObject({ submissions_used: 1, remaining: 1 });
  });
});

describe('a plan', () => {
  test('without a limit has null as limit and remaining', async () => {
    await keep(plain, plain.owner);
    const usage = await dataOf(plain.api('GET', '/v1/usage', { key: plain.owner.readKey }));
    expect(usage).toMatchObject({ submissions_used: 1, submissions_limit: null, remaining: null });
  });

  test.each([
    ['pro', 5_000],
    ['business', 50_000],
  ])('%s has API access and includes %i submissions a month', async (plan, limit) => {
    const team = await plain.makeOwner(plan);
    await keep(plain, team);
    const usage = await dataOf(plain.api('GET', '/v1/usage', { key: team.readKey }));
    expect(usage).toMatchObject({ submissions_used: 1, submissions_limit: limit, remaining: limit - 1 });
  });

  test('free has no API access for keys of any scope', async () => {
    const team = await plain.makeOwner('free');
    await refused(plain.api('GET', '/v1/usage', { key: team.readKey }), 403);
    await refused(plain.api('GET', '/v1/usage', { key: team.writeKey }), 403);
  });

  test('is checked on each request, so an upgrade or downgrade takes effect at once', async () => {
    const team = await plain.makeOwner('free');
    const call = () => plain.api('GET', '/v1/usage', { key: team.readKey });
    await plain.context.store.teams.update(team.teamId, { plan: 'pro' });
    expect(await dataOf(call())).toMatchObject({ submissions_limit: 5_000 });
    await plain.context.store.teams.update(team.teamId, { plan: 'free' });
    await refused(call(), 403);
  });

  test('with a limit below the current usage has 0 remaining', async () => {
    const team = await instance.makeOwner('pro');
    for (let n = 0; n < 3; n++) await keep(instance, team);
    expect(await usageOf(team)).toMatchObject({ submissions_limit: 7, remaining: 4 });
    await instance.context.store.teams.update(team.teamId, { plan: 'tiny' });
    expect(await usageOf(team)).toMatchObject({ submissions_used: 3, submissions_limit: 2, remaining: 0 });
  });

  test('that is not defined, or named like a property of Object, has no API access', async () => {
    const team = await plain.makeOwner('pro');
    for (const plan of ['gone', 'toString', '__proto__', 'constructor']) {
      await plain.context.store.teams.update(team.teamId, { plan });
      await refused(plain.api('GET', '/v1/usage', { key: team.readKey }), 403);
      expect((await plain.post(team.form.id, { plan })).status).toBe(200);
    }
  });
});
