import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import { TEAM_TEXTS } from '../../../src/dashboard/teams/texts.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import { MINUTE, systemClock } from '../../../src/lib/clock.ts';
import type { Owner } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { startMailing } from '../mail/mailing.ts';
import { type SignedIn, signIn } from './signed-in.ts';

let ahead = 0;
const mailing = await startMailing({}, () => systemClock() + ahead);
const { instance } = mailing;
const { store, webhooks } = instance.context;
afterAll(mailing.stop);

const t = TEAM_TEXTS.en;
let receiver: Receiver;
let team: Owner;
let form: Form;
let [owner, member]: SignedIn[] = [];
beforeEach(async () => {
  receiver = new Receiver();
  team = await instance.makeOwner();
  form = await instance.makeForm(team);
  owner = await signIn(instance, team);
  member = await signIn(instance, team, {}, 'owner');
});
afterEach(() => receiver.stop());

const user = (one: SignedIn | undefined) => one as SignedIn;

const subscribe = (one: SignedIn | undefined, path: string) =>
  user(one).post(`/dashboard/forms/${form.id}/webhooks/new`, {
    kind: 'standard',
    url: receiver.url + path,
    event: 'submission.created',
    body: 'full',
  });

/** Makes the webhooks `/page`, `/key` and `/moved` of the member and `/kept` of the owner; returns the key's secret. */
async function makeAccess(): Promise<string> {
  await subscribe(member, '/page');
  await subscribe(owner, '/kept');
  const made = await user(member).post('/dashboard/keys', { name: 'Sync', scope: 'read_write' });
  const secret = /value="(fs_live_\w+)"/.exec(await made.text())?.[1] ?? '';
  const write = (method: string, path: string, body: object) => instance.api(method, path, { key: secret, body });
  const created = await write('POST', `/v1/forms/${form.id}/webhooks`, { url: `${receiver.url}/key` });
  expect(created.status).toBe(201);
  await subscribe(owner, '/before');
  const last = (await store.webhooks.list(form.id)).at(-1)?.id;
  expect((await write('PATCH', `/v1/webhooks/${last}`, { url: `${receiver.url}/moved` })).status).toBe(200);
  const notify = [user(member).user.email.toUpperCase(), 'other@shop.example'];
  await store.forms.update(form.id, { notify });
  return secret;
}

/** Posts to the form. Returns the paths and recipients that were sent to. */
async function sendOne() {
  const before = receiver.received.length;
  const mails = await mailing.released(form, { name: 'Ada' });
  await webhooks.drain();
  const paths = receiver.received.slice(before).map(({ path }) => path);
  return {
    paths: paths.sort(),
    mails: mails.flatMap(({ envelope }) => envelope.to.map((to) => to.toLowerCase())).sort(),
  };
}

const choicesOn = (markup: string) =>
  Array.from(
    markup.matchAll(/<input type="checkbox" name="(\w+)" value="(\w+)" checked/g),
    ([, name = '', value = '']) => [name, value],
  );

/** Returns the fields that a browser submits for ticked boxes. */
const fieldsOf = (ticked: string[][]) =>
  Object.fromEntries(
    ticked.map(([name = '']) => [name, ticked.flatMap(([other, id = '']) => (other === name ? [id] : []))]),
  );

test('a removal lists keys, webhooks and notifications of the member, ticked, and ends them', async () => {
  const secret = await makeAccess();
  const address = user(member).user.email;
  expect(await sendOne()).toEqual({
    paths: ['/kept', '/key', '/moved', '/page'],
    mails: [address, 'other@shop.example'].sort(),
  });
  // Deliveries that are tried again after the removal.
  receiver.usual = () => new Response(null, { status: 500 });
  await sendOne();
  receiver.usual = () => new Response('ok');
  const path = `/dashboard/team/members/${user(member).user.id}/remove`;
  const question = await user(owner).page(path);
  for (const text of [t.keysMade, t.webhooksMade, t.notifying]) expect(question).toContain(text);
  const ticked = choicesOn(question);
  expect(ticked.map(([name]) => name)).toEqual(['key', 'webhook', 'webhook', 'webhook', 'notifying']);
  expect((await user(owner).post(path, fieldsOf(ticked))).status).toBe(303);
  ahead += MINUTE;

  expect(await sendOne()).toEqual({ paths: ['/kept', '/kept'], mails: ['other@shop.example'] });
  expect((await instance.api('GET', '/v1/forms', { key: secret })).status).toBe(401);
  const entries = await store.audit.listFrom(team.teamId, { since: 0, after: 0, limit: 100 });
  expect(entries.findLast(({ action }) => action === 'member.removed')?.details).toEqual({
    user_id: user(member).user.id,
    keys_revoked: 1,
    webhooks_paused: 3,
    notifications_ended: 1,
  });
});

test('what is not ticked goes on, and a demotion keeps mails to the member', async () => {
  await makeAccess();
  const path = `/dashboard/team/members/${user(member).user.id}`;
  const question = await (await user(owner).post(path, { role: 'editor' })).text();
  expect(choicesOn(question).map(([name]) => name)).toEqual(['key', 'webhook', 'webhook', 'webhook']);
  await user(owner).post(path, { role: 'editor', confirmed: 'yes' });
  await user(owner).post(`${path}/remove`);
  expect(await sendOne()).toMatchObject({ paths: ['/kept', '/key', '/moved', '/page'], mails: { length: 2 } });
});
