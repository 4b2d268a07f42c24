import { Database } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { usageAtPercent } from '../../../src/domain/usage.ts';
import { DAY, HOUR, type Micros } from '../../../src/lib/clock.ts';
import { newId } from '../../../src/lib/ids.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { type Arrived, header, only, parsed, SENDER, startMailing } from './mailing.ts';

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

/** A team on a plan with people who sign in. */
async function teamOf(plan: string, emails: readonly string[], of: Instance = instance): Promise<Owner> {
  const owner = await of.makeOwner(plan);
  for (const email of emails) {
    const secret = newId('secret');
    const times = { createdAt: now, expiresAt: now + DAY };
    await of.context.store.createLink(secret, {
      teamId: owner.teamId,
      userId: null,
      role: 'owner',
      email: null,
      ...times,
    });
    const user = { id: newId('usr'), email, language: null, timeZone: null, createdAt: now };
    await of.context.store.createUserByLink(secret, user, 'hash');
  }
  return owner;
}

/** What is sent when so many are posted at once. */
async function posted({ form }: Owner, count: number): Promise<Arrived[]> {
  // The first may have been sent before the last post is answered.
  const before = smtp.mails.length;
  await Promise.all(Array.from({ length: count }, (_, n) => instance.post(form.id, { message: `Hello ${n}` })));
  await drained();
  return Promise.all(smtp.mails.slice(before).map(parsed));
}

const subjects = (mails: readonly Arrived[]) => mails.map(({ mail }) => mail.subject).sort();
const receivers = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const told = (percent: number) => `“Team” has used ${percent} % of its submissions this month`;

test('all members of a team are warned at 80 % and at 100 % of the limit, once a month each', async () => {
  const owner = await teamOf('five', ['ada@home.example', 'bob@home.example']);
  await teamOf('five', ['stranger@home.example']);
  expect(await posted(owner, 3)).toEqual([]);
  const first = await posted(owner, 1);
  expect(receivers(first)).toEqual(['ada@home.example', 'bob@home.example']);
  expect(subjects(first)).toEqual([told(80), told(80)]);
  expect(first[0]?.mail.text).toMatch(/“five” takes 5 submissions a month\. 4 have come.*before 2026-08-01 00:00 UTC/s);
  expect(first[0]?.mail.from?.address).toBe(SENDER);
  expect(header(first[0] as Arrived, 'auto-submitted')).toEqual(['auto-generated']);
  const second = await posted(owner, 1);
  expect(subjects(second)).toEqual([told(100), told(100)]);
  expect(second[0]?.mail.text).toMatch(/take no more until 2026-08-01 00:00 UTC.*formstead team update team_/s);
  expect(await posted(owner, 3)).toEqual([]);

  now += 31 * DAY;
  expect(await posted(owner, 3)).toEqual([]);
  expect(subjects(await posted(owner, 1))).toEqual([told(80), told(80)]);
});

test('both come where both are reached at once, and only the last where they are the same', async () => {
  const owner = await teamOf('forty', ['cleo@home.example']);
  expect(subjects(await posted(owner, 60))).toEqual([told(100), told(80)]);
  const small = await teamOf('one', ['dan@home.example']);
  expect(subjects(await posted(small, 2))).toEqual([told(100)]);
});

/** Posts so many while the mail server takes nothing. */
async function postedInVain(owner: Owner, count: number): Promise<void> {
  smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
  expect(await posted(owner, count)).toEqual([]);
  smtp.onMoment(() => undefined);
  now += HOUR;
}

test('nothing is told to who has left the team meanwhile', async () => {
  const owner = await teamOf('five', ['gil@home.example', 'hal@home.example']);
  await postedInVain(owner, 4);
  const database = new Database(join(instance.dataDir, 'formstead.db'));
  database.run("DELETE FROM members WHERE user_id = (SELECT id FROM users WHERE email = 'gil@home.example')");
  database.close();
  expect(receivers(await drained())).toEqual(['hal@home.example']);
});

test('nothing is told to a team whose plan takes more by now', async () => {
  const owner = await teamOf('five', ['eve@home.example']);
  await postedInVain(owner, 5);
  await store.updateTeam(owner.teamId, { plan: 'forty' });
  expect(await drained()).toEqual([]);
  expect(only(await posted(owner, 30)).mail.subject).toBe(told(80));
});

test('nothing is told of a month that is over', async () => {
  const owner = await teamOf('five', ['ivy@home.example']);
  now = Date.UTC(2026, 10, 30, 23, 30) * 1000;
  await postedInVain(owner, 4);
  expect(await drained()).toEqual([]);
});

test('where no mail is sent nothing is queued', async () => {
  const silent = await startInstance({ env: { PLANS } });
  const owner = await teamOf('five', ['fay@home.example'], silent);
  for (let n = 0; n < 5; n++) await silent.post(owner.form.id, { message: 'Hello' });
  expect(await silent.context.store.listMails({ state: null, limit: 10 })).toEqual([]);
  await silent.stop();
});

test.each([
  [80, 100, 80],
  [80, 7, 6],
  [80, 50_000, 40_000],
  [100, 7, 7],
])('%d %% of %d are %d', (percent, limit, used) => {
  expect(usageAtPercent(percent, limit)).toBe(used);
});
