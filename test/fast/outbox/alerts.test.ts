import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test';
import type { Form } from '../../../src/domain/forms/form.ts';
import { DAY, HOUR, MINUTE, systemClock } from '../../../src/lib/clock.ts';
import { createWebhook, updateWebhook } from '../../../src/services/webhooks/webhooks.ts';
import type { Owner } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Arrived, addMember, only, parsed, startMailing } from '../mail/mailing.ts';

let ahead = 0;
const mailing = await startMailing({ BASE_URL: 'https://forms.example' }, () => systemClock() + ahead);
const { instance, smtp, drained } = mailing;
const { context } = instance;
const deps = { ...context, plans: context.config.plans };
afterAll(mailing.stop);

let receiver: Receiver;
let owner: Owner;
let form: Form;
let owners: readonly string[];
let round = 0;
beforeEach(async () => {
  round += 1;
  receiver = new Receiver();
  receiver.usual = () => new Response('', { status: 503 });
  owner = await instance.makeOwner();
  form = await instance.makeForm(owner, { name: 'Orders' });
  owners = [`ada${round}@home.example`, `bob${round}@home.example`];
  const [ada = '', bob = ''] = owners;
  await addMember(instance, owner.teamId, ada);
  await addMember(instance, owner.teamId, bob, { language: 'de' });
  await addMember(instance, owner.teamId, `eve${round}@home.example`, { role: 'editor' });
});
afterEach(() => receiver.stop());

const subscribe = (url = `${receiver.url}/secret-path`) => createWebhook(deps, form.id, 'standard', { url });
const deliver = async (later = 0) => {
  ahead += later;
  await context.webhooks.drain();
};
/** Moves the clock by `span` in steps of half an hour, and returns the mails. */
const mailsDuring = async (span: number): Promise<Arrived[]> => {
  const before = smtp.mails.length;
  for (let passed = 0; passed < span; passed += 30 * MINUTE) await deliver(30 * MINUTE);
  await drained();
  return Promise.all(smtp.mails.slice(before).map(parsed));
};
const recipients = (mails: readonly Arrived[]) => mails.map(({ envelope }) => envelope.to.join()).sort();
const textTo = (mails: readonly Arrived[], email = '') =>
  only(mails.filter(({ envelope }) => envelope.to[0] === email)).mail.text ?? '';

test('owners are told of a failing endpoint after an hour, a day, and when it is disabled', async () => {
  const { webhook } = await subscribe();
  await instance.post(form.id, { name: 'Cleo' });
  await instance.post(form.id, { name: 'Dan' });
  expect(await mailsDuring(HOUR)).toEqual([]);
  const first = await mailsDuring(11 * HOUR);
  expect(recipients(first)).toEqual([...owners]);
  const english = textTo(first, owners[0]);
  expect(english).toStartWith('A webhook of “Orders” is failing\n');
  expect(english).toContain(new URL(receiver.url).host);
  expect(english).toMatch(/Failing since .* UTC\..*Last error: .*status 503.*2 deliveries are waiting\..*tried again/s);
  expect(english).toContain(`View webhooks: https://forms.example/dashboard/forms/${form.id}/webhooks`);
  expect(textTo(first, owners[1])).toMatch(/Ein Webhook von „Orders“ schlägt fehl.*2 Zustellungen warten\./s);
  for (const { envelope } of first) expect(String(envelope.raw)).not.toMatch(/secret-path|Cleo/);

  expect(recipients(await mailsDuring(DAY))).toEqual([...owners]);
  const last = await mailsDuring(5 * DAY);
  expect(recipients(last)).toEqual([...owners]);
  expect(textTo(last, owners[0])).toContain('The webhook is disabled: nothing is sent until you resume it.');
  expect((await context.store.webhooks.find(webhook.id))?.disabledReason).toBe('failing');
  expect(await mailsDuring(DAY)).toEqual([]);
});

/** Makes the endpoints of webhooks answer that they are gone while the mail server rejects all mail. */
async function disableDuringOutage(...urls: readonly string[]): Promise<string[]> {
  smtp.onMoment(({ stage }) => (stage === 'MAIL' ? { code: 451, text: 'Later' } : undefined));
  receiver.usual = () => new Response('', { status: 410 });
  const ids: string[] = [];
  for (const url of urls) ids.push((await subscribe(url)).webhook.id);
  await instance.post(form.id, { name: 'Cleo' });
  expect(await mailsDuring(MINUTE)).toEqual([]);
  smtp.onMoment(() => undefined);
  ahead += HOUR;
  return ids;
}

test('one mail to each owner names all endpoints that fail by then', async () => {
  await disableDuringOutage('http://127.0.0.1:1', receiver.url, receiver.url);
  const mails = await drained();
  // A mail that was being sent when the second endpoint failed is followed by another one.
  expect([...new Set(recipients(mails))]).toEqual([...owners]);
  const { text = '' } = mails.find(({ envelope }) => envelope.to[0] === owners[0])?.mail ?? {};
  expect(text).toStartWith('2 webhooks of “Orders” are failing\n');
  expect(text.match(/1 delivery is waiting/g)).toHaveLength(2);
  expect(text).toContain('status 410');
});

test('nothing is sent if no webhook fails any more, nor to someone who is no longer an owner', async () => {
  const [id = ''] = await disableDuringOutage(receiver.url);
  await updateWebhook(deps, id, { isActive: true });
  expect(await drained()).toEqual([]);
  await disableDuringOutage(receiver.url);
  const user = await context.store.users.findByEmail(owners[1] ?? '');
  await context.store.members.changeRole(owner.teamId, user?.id ?? '', 'editor');
  // A mail that was being sent when the second endpoint failed is followed by another one.
  expect([...new Set(recipients(await drained()))]).toEqual([owners[0] ?? '']);
});
