import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { SETTINGS_TEXTS } from '../../../src/dashboard/forms/settings/texts.ts';
import { STATUS_TEXTS } from '../../../src/dashboard/instance/texts.ts';
import { CATALOG } from '../../../src/dashboard/ui/texts.ts';
import { WEBHOOKS_TEXTS } from '../../../src/dashboard/webhooks/texts.ts';
import type { Form } from '../../../src/domain/forms/form.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { FAILING_AFTER } from '../../../src/domain/webhooks/webhook.ts';
import { DAY, HOUR, MINUTE, SECOND, systemClock } from '../../../src/lib/clock.ts';
import { getKind, type WebhookInput } from '../../../src/outbox/targets/index.ts';
import { createWebhook, KEPT_VALUE } from '../../../src/services/webhooks/webhooks.ts';
import { queryDatabase } from '../../support/database-rows.ts';
import { startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { VENDORS } from '../../support/vendors.ts';
import { type SignedIn, signIn } from './signed-in.ts';

const EN = CATALOG.textsIn('en');

let ahead = 0;
const instance = await startInstance({ clock: () => systemClock() + ahead, webhookMs: 1_000 });
const { context, owner, post } = instance;
const { store } = context;
afterAll(instance.stop);

const t = WEBHOOKS_TEXTS.en;
let receiver: Receiver;
let form: Form;
let me: SignedIn;
let path: string;
beforeEach(async () => {
  ahead = 0;
  receiver = new Receiver();
  form = await instance.makeForm(owner);
  me = await signIn(instance, owner);
  path = `/dashboard/forms/${form.id}/webhooks`;
});
afterEach(() => receiver.stop());

const subscribe = async (input: WebhookInput = {}) =>
  (await createWebhook(context, form.id, 'standard', { url: `${receiver.url}/hook`, ...input })).webhook;
const only = async (): Promise<Webhook> => {
  const [webhook, ...others] = await store.webhooks.list(form.id);
  if (!webhook || others.length > 0) throw new Error(`${others.length + 1} webhooks`);
  return webhook;
};
/** Delivers all that is due, after moving the clock. */
const deliver = async (later = 0) => {
  ahead += later;
  await context.webhooks.drain();
};

/** The text of a page or of a part of it, as a browser shows it. */
const textOf = (markup: string) =>
  markup
    .replace(/<\/(?:p|th|td|pre|h2|dt|dd)>/g, ' ')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');
const rowsIn = (markup: string) =>
  Array.from(markup.matchAll(/<li class="(?:entry|folding)">[\s\S]*?<\/li>/g), ([row]) => row);
const listed = async () => rowsIn(await me.page(path)).map(textOf);
const log = async ({ id }: Webhook) => rowsIn(await me.page(`${path}/${id}`));
const errorsIn = (markup: string) =>
  Array.from(markup.matchAll(/<p class="(?:field-)?error"[^>]*>([^<]+)</g), ([, text = '']) => text);
const secretIn = (markup: string) => /value="(whsec_[^"]+)"/.exec(markup)?.[1] ?? '';
const inputs = (more: Readonly<Record<string, string | readonly string[]>> = {}) => ({
  kind: 'standard',
  url: `${receiver.url}/hook`,
  event: 'submission.created',
  ...more,
});

describe('the name of a webhook', () => {
  test('is chosen in the editor, and tells hooks apart in the list, the strip, Status and the audit log', async () => {
    await me.post(
      `${path}/new`,
      inputs({ kind: 'slack', url: `${receiver.url}/services/T0/B0/abcdef7Qk9`, name: 'Orders' }),
    );
    await me.post(`${path}/new`, inputs({ kind: 'slack', url: `${receiver.url}/services/T0/B0/abcdefPPzz` }));
    const host = new URL(receiver.url).host;
    const rows = await listed();
    expect(rows[0]).toContain(`Orders ${t.delivering} Slack · ${host}`);
    expect(rows[1]).toContain(`Slack · ${host} …PPzz ${t.delivering}`);
    expect(rows.join()).not.toContain('abcdef');
    const [named] = await store.webhooks.list(form.id);
    await me.post(`${path}/${named?.id}/settings`, inputs({ url: '', name: 'Sales' }));
    expect((await listed())[0]).toContain('Sales');
    receiver.usual = () => new Response('', { status: 500 });
    for (let round = 0; round < FAILING_AFTER; round++) {
      await post(form.id, { round });
      await deliver(HOUR);
    }
    const one = STATUS_TEXTS.en.webhooks;
    expect(textOf(await me.page('/dashboard/status'))).toContain(
      `${one.failing} Sales (Contact), ${host} …PPzz (Contact)`,
    );
    const [, other] = await store.webhooks.list(form.id);
    await store.webhooks.delete(other?.id ?? '', owner.teamId);
    expect(textOf(await me.page('/dashboard/forms'))).toContain(one.one('Sales', 'Contact'));
    const entries = textOf(await me.page('/dashboard/audit'));
    expect(entries).toContain('Webhook: Sales');
    expect(entries).not.toContain(named?.id ?? '');
    await store.webhooks.delete(named?.id ?? '', owner.teamId);
  });

  test('shows nothing of a short path, which may be a secret', async () => {
    await me.post(`${path}/new`, inputs({ kind: 'ntfy', url: `${receiver.url}/my-topic` }));
    expect((await listed())[0]).not.toContain('opic');
  });
});

test('a chat’s address is refused for the kind Webhook, at its input', async () => {
  for (const [url, name] of [
    ['https://hooks.slack.com/services/T0/B0/x', 'Slack'],
    ['discord.com/api/webhooks/1/x', 'Discord'],
    ['https://api.telegram.org/bot1:x', 'Telegram'],
  ] as const) {
    const answer = await me.post(`${path}/new`, inputs({ url }));
    expect(errorsIn(await answer.text()).at(-1)).toContain(`an address of ${name}`);
  }
  expect(await store.webhooks.list(form.id)).toEqual([]);
});

describe('a new webhook', () => {
  test('delivers, and its secret is shown once', async () => {
    expect(await me.page(path)).toContain(t.none);
    const created = await me.post(`${path}/new`, inputs({ headers: 'Authorization: Bearer s3cret' }));
    expect(created.status).toBe(200);
    const markup = await created.text();
    const secret = secretIn(markup);
    expect(markup).toContain(t.done.created);
    await post(form.id, { name: 'Ada' });
    await deliver();
    const [request] = receiver.received;
    expect(new Verifier(secret).verify(request?.body ?? '', Object.fromEntries(request?.headers ?? []))).toBeDefined();
    expect(request?.headers.get('authorization')).toBe('Bearer s3cret');
    const page = await me.page(`${path}/${(await only()).id}`);
    expect(page).not.toContain(secret);
    expect(page).not.toContain('Bearer s3cret');
    expect(page).toContain('Authorization');
    const [row] = await listed();
    expect(row).toContain(`Webhook · ${new URL(receiver.url).host} ${t.delivering}`);
    expect(row).toContain(t.states.delivered);
  });

  test('has all settings of the editor', async () => {
    const input = inputs({
      event: ['submission.deleted', 'form.cap_reached'],
      body: 'thin',
      includeSpam: 'yes',
      field: ['topic', 'country', '', 'note'],
      test: ['is', 'is_one_of', 'is', 'contains'],
      value: ['sales', 'SE\r\n NO \r\n', '', ''],
    });
    expect((await me.post(`${path}/new`, input)).status).toBe(200);
    const when = [
      { field: 'topic', is: 'sales' },
      { field: 'country', is_one_of: ['SE', 'NO'] },
      { field: 'note', contains: '' },
    ];
    const events = ['submission.deleted', 'form.cap_reached'];
    expect(await only()).toMatchObject({ events, body: 'thin', includeSpam: true, when });
    expect((await listed())[0]).toContain(
      'Submission deleted, Plan limit reached · if topic is sales and country is one of SE, NO and note contains empty',
    );
  });

  test.each([
    ...Object.values(VENDORS).map(({ kind, settings: { url: _, ...options } }) => [kind, options] as const),
    ['ntfy', { headers: 'Authorization: Bearer tk_1' }],
    ['template', { template: '{"text": "{{message}}"}', templateFormat: 'json' }],
  ] as const)('can be of the kind %s', async (kind, more) => {
    const editor = await me.page(`${path}/new?kind=${kind}`);
    expect(editor).toContain(getKind(kind).hint.en);
    for (const name of Object.keys(more)) expect(editor).toContain(`name="${name}"`);
    const created = await me.post(`${path}/new`, inputs({ kind, ...more }));
    expect([created.status, created.headers.get('location')]).toEqual([303, expect.stringContaining('?done=created')]);
    expect((await only()).kind).toBe(kind);
    await post(form.id, { message: 'Hello there' });
    await deliver();
    expect(receiver.received[0]?.body).toContain('Hello there');
  });

  test('with wrong input shows the errors and keeps the input', async () => {
    const wrong = inputs({ url: 'https://10.0.0.1/hook', field: ['', 'topic'], test: ['is', 'is'], value: ['x', 'y'] });
    const first = await me.post(`${path}/new`, wrong);
    expect(first.status).toBe(400);
    const markup = await first.text();
    expect(errorsIn(markup)).toEqual([SETTINGS_TEXTS.en.notSaved, t.noField]);
    expect(markup).toContain('value="topic"');
    const second = await me.post(`${path}/new`, inputs({ url: 'https://10.0.0.1/hook' }));
    const page = await second.text();
    expect(errorsIn(page)).toEqual([SETTINGS_TEXTS.en.notSaved, EN.errors.private_host('10.0.0.1')]);
    expect(page).toContain('value="https://10.0.0.1/hook"');
    expect(await store.webhooks.list(form.id)).toEqual([]);
  });

  test('gets https:// if its URL was typed without', async () => {
    const answer = await me.post(`${path}/new`, inputs({ url: '10.0.0.1/hook' }));
    expect(await answer.text()).toContain('value="https://10.0.0.1/hook"');
    for (const url of ['ftp://example.com/hook', 'javascript:alert(1)', '']) {
      expect((await me.post(`${path}/new`, inputs({ url }))).status).toBe(400);
    }
    expect(await store.webhooks.list(form.id)).toEqual([]);
  });

  test('is no longer offered for a form that has ten', async () => {
    for (let count = 0; count < 9; count++) await subscribe();
    expect(await me.page(path)).toContain(`${path}/new`);
    await subscribe();
    const full = await me.page(path);
    expect(full).not.toContain(`${path}/new`);
    expect(full).toContain(t.full(10));
    const refused = await me.post(`${path}/new`, inputs());
    expect(errorsIn(await refused.text())).toEqual([EN.errors.too_many_webhooks(10)]);
  });
});

describe('the editor', () => {
  test('adds and removes conditions without saving or losing input', async () => {
    const filled = inputs({
      headers: 'X-Token: abc',
      field: ['topic', 'b'],
      test: ['is', 'contains'],
      value: ['x', 'y'],
    });
    const fieldsOn = (markup: string) =>
      Array.from(markup.matchAll(/name="field" [^>]*?value="([^"]*)"/g), ([, value = '']) => value);
    const added = await (await me.post(`${path}/new`, { ...filled, add: 'yes' })).text();
    expect(fieldsOn(added)).toEqual(['topic', 'b', '']);
    expect(added).toContain('X-Token: abc');
    expect(added).toContain('<option value="contains" selected');
    const removed = await (await me.post(`${path}/new`, { ...filled, remove: '0' })).text();
    expect(fieldsOn(removed)).toEqual(['b']);
    expect(await store.webhooks.list(form.id)).toEqual([]);
  });

  test('suggests the fields of the form', async () => {
    const fields = [{ name: 'topic', label: 'What is it <about>?', type: 'text', required: false }];
    await store.forms.update(form.id, { fields });
    expect(await me.page(`${path}/new`)).toContain('<option value="topic">What is it &lt;about&gt;?</option>');
  });

  test('keeps saved secrets unless they are replaced', async () => {
    const { id } = await subscribe({ headers: ['Authorization: Bearer s3cret', 'X-Old: 1'] });
    const editor = await me.page(`${path}/${id}/settings`);
    expect(editor).toContain(`Authorization: ${KEPT_VALUE}`);
    expect(editor).not.toContain('Bearer s3cret');
    expect(editor).not.toContain('/hook');
    const headers = `Authorization: ${KEPT_VALUE}\r\nX-New: 2`;
    const saved = await me.post(`${path}/${id}/settings`, inputs({ url: '', headers }));
    expect(saved.headers.get('location')).toBe(`${path}/${id}?done=saved`);
    await post(form.id, { n: 1 });
    await deliver();
    const [request] = receiver.received;
    expect(request?.path).toBe('/hook');
    const [kept, added, dropped] = ['authorization', 'x-new', 'x-old'].map((name) => request?.headers.get(name));
    expect([kept, added, dropped]).toEqual(['Bearer s3cret', '2', null]);
    const elsewhere = { url: 'https://other.example/hook', headers };
    const moved = await me.post(`${path}/${id}/settings`, inputs(elsewhere));
    expect(errorsIn(await moved.text())).toContain(EN.errors.headers_of_another_host());
    const entered = await me.post(`${path}/${id}/settings`, inputs({ ...elsewhere, headers: 'X-New: 3' }));
    expect(entered.headers.get('location')).toBe(`${path}/${id}?done=saved`);
    const unknown = await me.post(`${path}/${id}/settings`, inputs({ url: '', headers: `X-Other: ${KEPT_VALUE}` }));
    expect(errorsIn(await unknown.text())).toContain(EN.errors.invalid_header());
  });

  test('shows what conditions would have done, and neither saves nor sends anything', async () => {
    const { id } = await subscribe();
    await store.webhooks.update(id, { isActive: false });
    await subscribe({ isActive: false, when: [{ field: 'topic', is: 'support' }] });
    for (let n = 0; n < 30; n++) await post(form.id, { name: `Visitor ${n}`, topic: n % 3 ? 'support' : 'sales' });
    const input = inputs({ field: 'topic', test: 'is', value: 'SALES', try: 'yes' });
    const answer = await me.post(`${path}/${id}/settings`, input);
    expect(answer.status).toBe(200);
    const text = textOf(await answer.text());
    expect(text).toContain(t.triedCount('10', '30'));
    expect(text).toMatch(/Visitor 28[^V]*Not sent/);
    expect(text).toMatch(/Visitor 27[^V]*Sent/);
    expect(text).not.toContain('Visitor 9');
    expect((await store.webhooks.find(id))?.when).toEqual([]);
    expect(receiver.received).toEqual([]);
    expect(await auditEntries()).toEqual([]);
  });

  test('says which submissions it would get only because nobody else does', async () => {
    await subscribe({ isActive: false, when: [{ field: 'topic', is: 'none' }] });
    for (const topic of ['sales', 'support', 'press']) await post(form.id, { topic });
    const answer = await me.post(`${path}/new`, inputs({ field: 'topic', test: 'is', value: 'sales', try: 'yes' }));
    const text = textOf(await answer.text());
    expect(text).toContain(t.triedCount('3', '3'));
    expect(text).toContain(t.triedFallback(2, '2'));
  });

  test('tries conditions on no submissions', async () => {
    const answer = await me.post(`${path}/new`, inputs({ try: 'yes' }));
    expect(await answer.text()).toContain(t.nothingToTry);
  });

  test('tries large submissions page by page', async () => {
    const { id } = await subscribe({ isActive: false });
    const large = Object.fromEntries(Array.from({ length: 4 }, (_, n) => [`f${n}`, 'x'.repeat(250_000)]));
    for (let n = 0; n < 6; n++) await post(form.id, large);
    const answer = await me.post(`${path}/${id}/settings`, inputs({ try: 'yes' }));
    expect(textOf(await answer.text())).toContain(t.triedCount('6', '6'));
    expect((await me.post(`${path}/${id}/send`, { past: '100' })).headers.get('location')).toContain('queued=6');
  });
});

/** Audit entries of the user about webhooks, newest first. */
function auditEntries() {
  return store.audit.list(owner.teamId, { before: null, limit: 50, actorId: me.user.id, action: null });
}

describe('the state is shown in words', () => {
  test('paused and resumed', async () => {
    const { id } = await subscribe();
    const paused = await me.post(`${path}/${id}/active`, { active: 'no' });
    expect(paused.headers.get('location')).toBe(`${path}/${id}?done=paused`);
    expect((await listed())[0]).toContain(t.paused);
    await post(form.id, { n: 1 });
    await deliver();
    expect(receiver.received).toEqual([]);
    await me.post(`${path}/${id}/active`, { active: 'yes' });
    await deliver();
    expect(receiver.received.length).toBe(1);
    expect((await listed())[0]).toContain(t.delivering);
  });

  test('failing, resting and disabled', async () => {
    const webhook = await subscribe();
    receiver.usual = () => new Response('busy', { status: 503 });
    await post(form.id, { n: 1 });
    await deliver();
    expect((await listed())[0]).toMatch(/Active one failure/);
    const named = STATUS_TEXTS.en.webhooks.one(new URL(receiver.url).host, form.name);
    const alarms = async () => [
      (await listed())[0]?.includes(t.failingSince),
      textOf(await me.page('/dashboard/status')).includes(form.name),
      textOf(await me.page('/dashboard/inbox')).includes(textOf(named)),
    ];
    for (let attempt = 2; attempt <= 12; attempt++) {
      const hasFailed = attempt - 1 >= FAILING_AFTER;
      expect(await alarms()).toEqual([hasFailed, hasFailed, hasFailed]);
      await deliver(7 * HOUR);
    }
    expect((await listed())[0]).toMatch(/Failing since .* after 12 failures, next try at /);
    await store.webhooks.update(webhook.id, { isActive: true });
    receiver.usual = () => new Response('', { status: 410 });
    await deliver(7 * HOUR);
    expect((await listed())[0]).toContain(t.gone);
  });

  test('disabled after five days of failures', async () => {
    await subscribe();
    receiver.usual = () => new Response('busy', { status: 503 });
    for (let round = 0; round < 60; round++) {
      await post(form.id, { round });
      await deliver(6 * HOUR + MINUTE);
    }
    me = await signIn(instance, owner);
    expect((await listed())[0]).toContain(t.failing);
  });

  test('waiting because the endpoint limits the rate', async () => {
    await subscribe();
    receiver.usual = () => new Response('', { status: 429, headers: { 'Retry-After': '3600' } });
    await post(form.id, { n: 1 });
    await deliver();
    expect((await listed())[0]).toContain(t.waitingUntil);
  });
});

describe('the log of deliveries', () => {
  test('shows time, result, duration, reason, answer and next attempt', async () => {
    const webhook = await subscribe();
    receiver.next.push(() => new Response('too <b>busy</b>', { status: 503 }));
    await post(form.id, { n: 1 });
    await deliver();
    const [row = '', ...others] = await log(webhook);
    expect(others).toEqual([]);
    for (const text of [t.states.retrying, t.events['submission.created'], 'status 503', '1 attempt', t.nextTry]) {
      expect(textOf(row)).toContain(text);
    }
    expect(row).toMatch(/\d ms/);
    expect(row).toContain('The endpoint failed (status 503).');
    expect(row).toContain('too &lt;b&gt;busy&lt;/b&gt;');
    expect(row).toMatch(/href="\/dashboard\/submissions\/sub_/);
  });

  test('shows the body as it was sent, also after changes, and nothing of it is stored in the clear', async () => {
    const template = '{"text": "{{name}} wrote:\\n{{message}}"}';
    const input = { url: `${receiver.url}/t`, template };
    const { webhook } = await createWebhook(context, form.id, 'template', input);
    const standard = await subscribe();
    const long = 'é'.repeat(20_000);
    await post(form.id, { name: '<b>Ada</b> & co', message: long });
    await deliver();
    await store.forms.update(form.id, { name: 'Renamed since' });
    for (const { id } of [webhook, standard]) {
      const [delivery] = await store.deliveries.list(id, { before: null, limit: 1 });
      expect(await me.page(`${path}/${id}`)).toContain(`href="${path}/${id}/deliveries/${delivery?.id}"`);
      const page = await me.page(`${path}/${id}/deliveries/${delivery?.id}`);
      const [, colored = ''] = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(page) ?? [];
      const shown = colored.replace(/<[^>]*>/g, '');
      const { body = '' } = receiver.received.find((one) => one.path === (id === webhook.id ? '/t' : '/hook')) ?? {};
      expect(body.length).toBeGreaterThan(10_000);
      const text = shown
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      expect(body).toStartWith(text);
      expect(Buffer.byteLength(text)).toBeGreaterThan(16_000);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(16 * 1024);
      expect(page).toContain(t.bodyCut(Buffer.byteLength(body).toLocaleString('en')));
      expect(page).toContain('&lt;b&gt;Ada');
      expect(page).not.toContain('Renamed since</pre>');
      expect(Buffer.from(delivery?.reason ?? []).includes('Ada')).toBe(false);
    }
  });

  test('shows the beginning of the body in the list', async () => {
    const webhook = await subscribe();
    await post(form.id, { message: `hello ${'x'.repeat(5_000)}` });
    await deliver();
    const [row = ''] = await log(webhook);
    expect(row).toContain(`<h3>${t.bodySent}</h3>`);
    expect(row).toContain(`<h3>${t.answer}</h3>`);
    expect(row).toContain('submission.created');
    expect(row).not.toContain('x'.repeat(2_000));
  });

  test('sends one delivery again under its id', async () => {
    const webhook = await subscribe();
    await post(form.id, { n: 1 });
    await deliver();
    const [, address = ''] = /action="([^"]+\/deliveries\/[^"]+\/send)"/.exec((await log(webhook))[0] ?? '') ?? [];
    const again = await me.post(address);
    expect(again.headers.get('location')).toBe(`${path}/${webhook.id}?queued=1`);
    expect(await me.page(`${path}/${webhook.id}?queued=1`)).toContain(t.queued('1'));
    await deliver();
    const [first, second] = receiver.received.map(({ headers }) => headers.get('webhook-id'));
    expect(second).toBe(first ?? '');
  });

  test('sends all failed deliveries again', async () => {
    const webhook = await subscribe();
    receiver.usual = () => new Response('', { status: 500 });
    for (let n = 0; n < 3; n++) await post(form.id, { n });
    for (let round = 0; round < 90; round++) {
      await deliver(6 * HOUR + MINUTE);
      await store.webhooks.update(webhook.id, { isActive: true });
    }
    me = await signIn(instance, owner);
    expect((await log(webhook)).map(textOf).every((row) => row.startsWith(t.states.failed))).toBe(true);
    receiver.usual = () => new Response('');
    const done = await me.post(`${path}/${webhook.id}/send`, { failed: 'yes' });
    expect(done.headers.get('location')).toBe(`${path}/${webhook.id}?queued=3`);
    await deliver();
    expect((await log(webhook)).map(textOf).every((row) => row.startsWith(t.states.delivered))).toBe(true);
  });

  test('sends past submissions that meet the conditions, oldest first', async () => {
    for (let n = 0; n < 6; n++) await post(form.id, { n, topic: n % 2 ? 'a' : 'b' });
    const webhook = await subscribe({ when: [{ field: 'topic', is: 'a' }] });
    await subscribe({ when: [{ field: 'topic', is: 'b' }] });
    const done = await me.post(`${path}/${webhook.id}/send`, { past: '5' });
    expect(done.headers.get('location')).toBe(`${path}/${webhook.id}?queued=3`);
    await deliver();
    expect(receiver.events.map(({ data }) => data.submission.data.n)).toEqual([1, 3, 5]);
    for (const past of ['0', '1001', 'all', '']) {
      const wrong = await me.post(`${path}/${webhook.id}/send`, { past });
      expect([wrong.status, errorsIn(await wrong.text())]).toEqual([400, [t.wrongCount]]);
    }
  });

  test('is paged', async () => {
    const webhook = await subscribe({ isActive: false });
    await Promise.all(Array.from({ length: 60 }, (_, n) => post(form.id, { n })));
    const newest = await me.page(`${path}/${webhook.id}`);
    const [, older = ''] = /href="([^"]+)" rel="next"/.exec(newest) ?? [];
    const last = await me.page(older);
    const ids = [newest, last].map((page) =>
      Array.from(page.matchAll(/\/deliveries\/([^/]+)\/send/g), ([, id = '']) => id),
    );
    expect(ids.map(({ length }) => length)).toEqual([50, 10]);
    expect(new Set(ids.flat()).size).toBe(60);
    expect(last).toContain(EN.common.newest);
  });
});

describe('a test', () => {
  test('shows request and answer, without secrets', async () => {
    const { id } = await subscribe({ headers: ['Authorization: Bearer s3cret'] });
    await store.webhooks.update(id, { isActive: false });
    await post(form.id, { name: 'Ada <script>' });
    receiver.next.push(() => new Response(`nice ${'x'.repeat(2_000)} last`));
    const answer = await me.post(`${path}/${id}/test`);
    const text = textOf(await answer.text());
    expect(text).toContain(t.accepted);
    expect(text).toContain(`POST ${receiver.url} `);
    expect(text).toContain('"name": "Ada <script>"');
    expect(text).toMatch(/webhook-signature: v1,/);
    expect(text).toContain('status 200');
    expect(text).toContain('nice xxx');
    for (const hidden of ['Bearer s3cret', '/hook', ' last']) expect(text).not.toContain(hidden);
    expect(receiver.events).toMatchObject([
      { type: 'webhook.test', data: { submission: { data: { name: 'Ada <script>' } } } },
    ]);
  });

  test('has a sample if there is no submission', async () => {
    const fields = [
      { name: 'email', label: '', type: 'email', required: true },
      { name: 'files', label: '', type: 'file', required: false },
    ];
    await store.forms.update(form.id, { fields });
    const { id } = await subscribe();
    await me.post(`${path}/${id}/test`);
    expect(receiver.events[0].data.submission).toMatchObject({ data: { email: 'ada@example.com' }, is_spam: false });
    expect(await store.submissions.listRecent(form.id, { onlySpam: false, limit: 1 })).toEqual([]);
  });

  test('shows the reason of a failure', async () => {
    const { id } = await subscribe({ url: 'http://127.0.0.1:1/' });
    const text = textOf(await (await me.post(`${path}/${id}/test`)).text());
    expect(text).toContain(`${t.refused} The endpoint refused the connection.`);
    expect(text).toContain(t.noAnswer);
  });
});

test('the signing secret is replaced, and the new one shown once', async () => {
  const created = await me.post(`${path}/new`, inputs());
  const old = secretIn(await created.text());
  const { id } = await only();
  const renewed = secretIn(await (await me.post(`${path}/${id}/secret`)).text());
  expect(renewed).not.toBe(old);
  await post(form.id, { n: 1 });
  await deliver(SECOND);
  const [request] = receiver.received;
  for (const secret of [old, renewed]) {
    expect(new Verifier(secret).verify(request?.body ?? '', Object.fromEntries(request?.headers ?? []))).toBeDefined();
  }
  expect(await me.page(`${path}/${id}`)).not.toContain(renewed);
});

test('a webhook is deleted after a confirmation, and its waiting deliveries with it', async () => {
  const { id } = await subscribe({ isActive: false });
  await post(form.id, { n: 1 });
  const question = await me.page(`${path}/${id}/delete`);
  expect(question).toContain(t.deleteTitle);
  expect(await store.webhooks.list(form.id)).toHaveLength(1);
  const done = await me.post(`${path}/${id}/delete`);
  expect(done.headers.get('location')).toBe(`${path}?done=deleted`);
  expect(await me.page(`${path}?done=deleted`)).toContain(t.done.deleted);
  expect((await me.get(`${path}/${id}`)).status).toBe(404);
  await deliver(DAY);
  expect(receiver.received).toEqual([]);
});

test('an editor pauses, tests and sends again, and cannot change where submissions go', async () => {
  const { id } = await subscribe();
  const editor = await signIn(instance, owner, {}, 'editor');
  for (const below of ['', `/${id}`]) {
    const page = await editor.page(path + below);
    expect(page).toContain(`${path}/${id}/test`);
    for (const hidden of ['/new"', '/settings"', '/secret"', '/delete"']) {
      expect(page).not.toContain(`webhooks${hidden}`);
      expect(page).not.toContain(id + hidden);
    }
  }
  for (const below of ['settings', 'secret', 'delete']) {
    expect((await editor.post(`${path}/${id}/${below}`, inputs())).status).toBe(403);
  }
});

test('a webhook of another form or team, and a delivery of another webhook, is not found', async () => {
  const { id } = await subscribe({ isActive: false });
  await post(form.id, { n: 1 });
  const [delivery] = await store.deliveries.list(id, { before: null, limit: 1 });
  const other = await instance.makeForm(owner);
  const elsewhere = `/dashboard/forms/${other.id}/webhooks`;
  for (const below of ['', '/settings', '/delete'])
    expect((await me.get(`${elsewhere}/${id}${below}`)).status).toBe(404);
  const second = await createWebhook(context, other.id, 'standard', { url: receiver.url, isActive: false });
  const wrong = await me.post(`${elsewhere}/${second.webhook.id}/deliveries/${delivery?.id}/send`);
  expect(wrong.status).toBe(404);
  expect((await me.get(`${elsewhere}/${second.webhook.id}/deliveries/${delivery?.id}`)).status).toBe(404);
  expect(await me.page(`${path}/${id}/deliveries/${delivery?.id}`)).toContain(t.noBody);
  const stranger = await signIn(instance, await instance.makeOwner());
  expect((await stranger.get(path)).status).toBe(404);
});

test('changes are in the audit log, without the URL and other values', async () => {
  await me.post(`${path}/new`, inputs({ headers: 'X-Token: abc' }));
  const { id } = await only();
  await me.post(`${path}/${id}/settings`, inputs());
  await me.post(`${path}/${id}/active`, { active: 'no' });
  await me.post(`${path}/${id}/test`);
  await me.post(`${path}/${id}/send`, { past: '10' });
  await me.post(`${path}/${id}/secret`);
  await me.post(`${path}/${id}/delete`);
  const entries = await auditEntries();
  expect(entries.map(({ action }) => action).reverse()).toEqual([
    'webhook.created',
    'webhook.changed',
    'webhook.changed',
    'webhook.tested',
    'webhook.redelivered',
    'webhook.secret_rotated',
    'webhook.deleted',
  ]);
  for (const { details } of entries) expect(details).toMatchObject({ form_id: form.id, webhook_id: id });
  const texts = entries.map(({ details }) => ({ ...details, form_id: '', webhook_id: '' }));
  expect(JSON.stringify(texts)).not.toMatch(/127|hook\b|abc/);
});

test('changes by a program are in the audit log with the names of settings', async () => {
  const { id } = await subscribe();
  const { secret } = await instance.makeKey(owner, 'read_write');
  const body = { url: `${receiver.url}/other`, include_spam: true, is_active: false };
  const answer = await instance.api('PATCH', `/v1/webhooks/${id}`, { key: secret, body });
  expect(answer.status).toBe(200);
  const words = textOf(await me.page('/dashboard/audit?action=webhook.changed'));
  expect(words).toContain(`${t.url}, `);
  expect(words).not.toMatch(/includeSpam|isActive|include_spam/);
});

test('a webhook with damaged settings can be paused and deleted', async () => {
  const { id } = await subscribe();
  queryDatabase(instance.dataDir, 'UPDATE webhooks SET settings = ? WHERE id = ?', [new Uint8Array(80), id]);
  expect(await me.page(path)).toContain(getKind('standard').name.en);
  expect(await me.page(`${path}/${id}`)).toContain(t.damaged);
  expect((await me.post(`${path}/${id}/active`, { active: 'no' })).status).toBe(303);
  for (const below of ['test', 'settings', 'secret']) {
    expect((await me.post(`${path}/${id}/${below}`, inputs())).status).toBe(404);
  }
  expect((await me.post(`${path}/${id}/delete`)).status).toBe(303);
});

describe('tests of webhooks', () => {
  test('of a team run one at a time, also by a key, and further ones are refused at once', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.usual = async () => {
      await released;
      return new Response();
    };
    const { id } = await subscribe();
    const first = me.post(`${path}/${id}/test`, {});
    await until(() => receiver.received.length > 0, 'the first test to arrive');
    const second = await me.post(`${path}/${id}/test`, {});
    expect([second.status, await second.text()]).toEqual([429, expect.stringContaining(EN.errors.test_running())]);
    const byKey = await instance.api('POST', `/v1/webhooks/${id}/test`, { key: owner.writeKey });
    expect([byKey.status, byKey.headers.get('retry-after')]).toEqual([429, '15']);
    release();
    expect((await first).status).toBe(200);
    expect(receiver.received).toHaveLength(1);
  });

  test('are limited to five a minute for a person', async () => {
    const { id } = await subscribe();
    const codes: number[] = [];
    for (let count = 0; count < 6; count++) codes.push((await me.post(`${path}/${id}/test`, {})).status);
    expect(codes).toEqual([200, 200, 200, 200, 200, 429]);
  });
});
