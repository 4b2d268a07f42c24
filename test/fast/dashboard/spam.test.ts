import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AUDIT_TEXTS } from '../../../src/dashboard/audit/texts.ts';
import { SPAM_TEXTS } from '../../../src/dashboard/spam/texts.ts';
import { DAY } from '../../../src/lib/clock.ts';
import { type Instance, type Owner, startInstance } from '../../support/instance.ts';
import { until } from '../../support/until.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const PATH = '/dashboard/spam';
let instance: Instance;
let owner: Owner;
let me: SignedIn;
const clock = { now: Date.UTC(2026, 6, 1) * 1000 };

beforeAll(async () => {
  instance = await startInstance({ clock: () => clock.now++ });
  ({ owner } = instance);
  me = await signIn(instance, owner);
});
afterAll(() => instance.stop());

async function postAll(text: string, count: number): Promise<string[]> {
  for (let n = 0; n < count; n++) await instance.post(owner.form.id, { message: `${n} ${text} ${n}` });
  return (await instance.stored(owner)).slice(0, count).map(({ id }) => id);
}

const figure = async (label: string) => {
  const [, value] =
    new RegExp(`<dt>${RegExp.escape(label)}</dt><dd[^>]*>([^<]*)</dd>`).exec(await me.page(`${PATH}?compare=yes`)) ??
    [];
  return value;
};

test('the page shows what was caught and marked with reasons, compares, and forgets', async () => {
  const t = SPAM_TEXTS.en;
  expect(await me.page('/dashboard/team')).toContain(`href="${PATH}"`);
  expect(await me.page(PATH)).toContain(t.nothing);

  const genuine = await postAll('Is the hall free on Saturday for our choir?', 20);
  await instance.context.store.inbox.markRead(genuine, owner.teamId, clock.now);
  clock.now += 8 * DAY;
  const spam = await postAll('We sell printing presses at a special price, reply for our catalog.', 7);
  // Signed in again, because the session has expired.
  me = await signIn(instance, owner);
  for (const id of spam) expect((await me.post(`/dashboard/submissions/${id}/spam`)).status).toBe(303);
  const isLearned = async () => (await figure(t.compared)) === '27' && (await figure(t.missed)) === '7';
  await until(isLearned, 'the learning job');
  expect([await figure(t.caught), await figure(t.missed), await figure(t.rescued)]).toEqual(['0', '7', '0']);
  expect((await me.page(PATH)).match(new RegExp(t.byHand, 'g'))?.length).toBe(7);
  expect(await me.page(PATH, { 'Accept-Language': 'de' })).toContain(SPAM_TEXTS.de.active);

  expect(await me.page(`${PATH}/forget`)).toContain(t.forgetTitle);
  expect((await me.post(`${PATH}/forget`)).headers.get('location')).toBe(`${PATH}?done=forgotten`);
  expect(await me.page(`${PATH}?done=forgotten`)).toContain(t.done.forgotten);
  expect(await me.page(PATH)).toContain(t.inactive(5));
});

test('learning is turned off and on, which the audit log shows', async () => {
  const audit = AUDIT_TEXTS.en;
  const t = SPAM_TEXTS.en;
  await me.post(PATH, { learns: 'no' });
  expect(await me.page(PATH)).toContain(t.isOff);
  expect((await instance.context.store.teams.find(owner.teamId))?.learnsSpam).toBe(false);
  await me.post(PATH, { learns: 'yes' });
  expect(await me.page(`${PATH}?done=on`)).toContain(t.done.on);
  const log = await me.page('/dashboard/audit');
  expect(log).toContain(audit.actions['spam.learning_changed']);
  expect(log).toContain(audit.actions['spam.forgotten']);
});

test('only owners see the page', async () => {
  const editor = await signIn(instance, owner, {}, 'editor');
  expect((await editor.get(PATH)).status).toBe(403);
  expect((await editor.post(`${PATH}/forget`)).status).toBe(403);
});
