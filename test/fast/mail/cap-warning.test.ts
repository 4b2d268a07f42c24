import { afterAll, expect, test } from 'bun:test';
import { usageAtPercent } from '../../../src/domain/usage.ts';
import { DAY, HOUR, type Micros } from '../../../src/lib/clock.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { type Arrived, addMember, header, only, parsed, SENDER, startMailing } from './mailing.ts';

const PLANS = JSON.stringify({
  five: { api_access: true, submissions_limit: 5 },
  forty: { api_access: true, submissions_limit: 40 },
  one: { api_access: true, submissions_limit: 1 },
});

let now: Micros = Date.UTC(2026, 6, 1, 12) * 1000;
const mailing = await startMailing({ PLANS }, () => now);
afterAll(mailing.stop);
const { instance, smtp, drained } = mailing;
const { store } = instance.context;

/** Creates a team on a plan with members who have these addresses. */
async function teamOf(plan: string, emails: readonly string[], of: Instance = instance): Promise<Owner> {
  const owner = await of.makeOwner(plan);
  for (const email of emails) await addMember(of, owner.teamId, email);
  return owner;
}

/** Posts `count` submissions at once and returns the mails sent. */
async function mailsAfter({ form }: Owner, count: number): Promise<Arrived[]> {
  // The first mail may be sent before the last response.
  const before = smtp.mails.length;
  await Promise.all(Array.from({ length: count }, (_, n) => instance.post(form.id, { message: `Hello ${n}` })));
  await drained();
  return Promise.all(smtp.mails.slice(before).map(parsed));
}

const subjects = (mails: readonly Arrived[]) => mails.map(({ mail }) => mail.subject).sort();
const recipients = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const subject = (percent: number) => `“Team” has used ${percent}% of its submissions this month`;

test('all members of a team are warned at 80% and at 100% of the limit, once a month each', async () => {
  const owner = await teamOf('five', ['ada@home.example', 'bob@home.example']);
  await teamOf('five', ['stranger@home.example']);
  expect(await mailsAfter(owner, 3)).toEqual([]);
  const first = await mailsAfter(owner, 1);
  expect(recipients(first)).toEqual(['ada@home.example', 'bob@home.example']);
  expect(subjects(first)).toEqual([subject(80), subject(80)]);
  expect(first[0]?.mail.text).toMatch(
    /“five” includes 5 submissions a month\. 4 are used.*until 1 Aug 2026, 00:00 UTC/s,
  );
  expect(first[0]?.mail.from?.address).toBe(SENDER);
  expect(header(first[0] as Arrived, 'auto-submitted')).toEqual(['auto-generated']);
  const second = await mailsAfter(owner, 1);
  expect(subjects(second)).toEqual([subject(100), subject(100)]);
  expect(second[0]?.mail.text).toMatch(/accept submissions until 1 Aug 2026, 00:00 UTC.*formstead team update team_/s);
  expect(await mailsAfter(owner, 3)).toEqual([]);

  now += 31 * DAY;
  expect(await mailsAfter(owner, 3)).toEqual([]);
  expect(subjects(await mailsAfter(owner, 1))).toEqual([subject(80), subject(80)]);
});

test('both warnings are sent if both thresholds are reached at once, and one if they are equal', async () => {
  const owner = await teamOf('forty', ['cleo@home.example']);
  expect(subjects(await mailsAfter(owner, 60))).toEqual([subject(100), subject(80)]);
  const small = await teamOf('one', ['dan@home.example']);
  expect(subjects(await mailsAfter(small, 2))).toEqual([subject(100)]);
});

/** Posts `count` submissions while the mail server rejects all mail. */
async function postDuringOutage(owner: Owner, count: number): Promise<void> {
  smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
  expect(await mailsAfter(owner, count)).toEqual([]);
  smtp.onMoment(() => undefined);
  now += HOUR;
}

test('a member who left the team is not warned', async () => {
  const owner = await teamOf('five', ['gil@home.example', 'hal@home.example']);
  await postDuringOutage(owner, 4);
  queryDatabase(
    instance.dataDir,
    "DELETE FROM members WHERE user_id = (SELECT id FROM users WHERE email = 'gil@home.example')",
  );
  expect(recipients(await drained())).toEqual(['hal@home.example']);
});

test('no warning is sent after the team got a larger plan', async () => {
  const owner = await teamOf('five', ['eve@home.example']);
  await postDuringOutage(owner, 5);
  await store.teams.update(owner.teamId, { plan: 'forty' });
  expect(await drained()).toEqual([]);
  expect(only(await mailsAfter(owner, 30)).mail.subject).toBe(subject(80));
});

test('no warning is sent after the month ended', async () => {
  const owner = await teamOf('five', ['ivy@home.example']);
  now = Date.UTC(2026, 10, 30, 23, 30) * 1000;
  await postDuringOutage(owner, 4);
  expect(await drained()).toEqual([]);
});

test('nothing is queued without a mail server', async () => {
  const silent = await startInstance({ env: { PLANS } });
  const owner = await teamOf('five', ['fay@home.example'], silent);
  for (let n = 0; n < 5; n++) await silent.post(owner.form.id, { message: 'Hello' });
  expect(await silent.context.store.mails.list({ state: null, limit: 10 })).toEqual([]);
  await silent.stop();
});

test.each([
  [80, 100, 80],
  [80, 7, 6],
  [80, 50_000, 40_000],
  [100, 7, 7],
])('%d%% of %d is %d', (percent, limit, used) => {
  expect(usageAtPercent(percent, limit)).toBe(used);
});
