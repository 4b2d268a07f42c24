import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Form } from '../../../src/domain/forms/form.ts';
import { startInstance } from '../../support/instance.ts';
import { Receiver } from '../../support/receiver.ts';
import { dataOf, refused, rows, TIMESTAMP, tamper } from './support.ts';

const instance = await startInstance({ webhookMs: 1_000 });
afterAll(instance.stop);
const { api, context, owner, post } = instance;
const { readKey, writeKey } = owner;
const other = await instance.makeOwner();

let receiver: Receiver;
let form: Form;
beforeEach(async () => {
  receiver = new Receiver();
  form = await instance.makeForm(owner);
});
afterEach(() => receiver.stop());

type Webhook = { id: string; form_id: string; host: string; secret?: string } & Record<string, unknown>;

const TOKEN = 'tokenofthepath';
const HEADER = 'valueoftheheader';

const create = (body: unknown, key = writeKey, id = form.id) => api('POST', `/v1/forms/${id}/webhooks`, { key, body });
const created = (more: object = {}) =>
  dataOf<Webhook>(create({ url: `${receiver.url}/${TOKEN}`, headers: [`X-Token: ${HEADER}`], ...more }), 201);
const read = (id: string) => dataOf<Webhook>(api('GET', `/v1/webhooks/${id}`, { key: readKey }));
const patch = (id: string, body: unknown) => api('PATCH', `/v1/webhooks/${id}`, { key: writeKey, body });
const act = (id: string, action: string, body?: unknown) =>
  api('POST', `/v1/webhooks/${id}/${action}`, { key: writeKey, body });
const list = () => dataOf<Webhook[]>(api('GET', `/v1/forms/${form.id}/webhooks`, { key: readKey }));

describe('POST /v1/forms/:formId/webhooks', () => {
  test('returns 201 with the webhook and its signing secret, which verifies a delivery', async () => {
    const webhook = await created();
    expect(webhook).toMatchObject({
      form_id: form.id,
      kind: 'standard',
      name: '',
      host: new URL(receiver.url).host,
      header_names: ['X-Token'],
      events: ['submission.created'],
      body: 'full',
      include_spam: false,
      when: [],
      is_active: true,
      disabled_reason: null,
      failing_since: null,
    });
    expect(webhook.created_at).toMatch(TIMESTAMP);
    await post(form.id, { note: 'hello' });
    await context.webhooks.drain();
    const [delivery] = receiver.received;
    expect(delivery?.path).toBe(`/${TOKEN}`);
    expect(delivery?.headers.get('x-token')).toBe(HEADER);
    const event = new Verifier(webhook.secret ?? '').verify(delivery?.body ?? '', headersOf(delivery?.headers));
    expect(event).toMatchObject({ type: 'submission.created', data: { submission: { data: { note: 'hello' } } } });
  });

  test('takes all settings', async () => {
    const settings = {
      name: 'Orders',
      events: ['submission.deleted', 'form.cap_reached'],
      body: 'thin',
      include_spam: true,
      when: [{ field: 'topic', is_one_of: ['sales', 'press'] }],
      is_active: false,
    };
    expect(await created(settings)).toMatchObject(settings);
  });

  test('takes other kinds, which have no secret', async () => {
    const webhook = await created({ kind: 'template', template: '{"text": "{{note}}"}', template_format: 'json' });
    expect(webhook).toMatchObject({ kind: 'template' });
    expect(webhook).not.toHaveProperty('secret');
    await post(form.id, { note: 'hello' });
    await context.webhooks.drain();
    expect(receiver.events).toEqual([{ text: 'hello' }]);
  });

  test.each([
    [{}, 'at least one of'],
    [{ kind: 'standard' }, 'URL'],
    [{ url: 'https://user:secret@example.com/' }, 'URL'],
    [{ url: 'http://192.168.0.1/' }, 'https'],
    [{ url: 'https://192.168.0.1/' }, 'ALLOWED_PRIVATE_HOSTS'],
    [{ url: 'https://example.com/', kind: 'fax' }, 'kind'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: ['submission.created', 'x'] }, 'events'],
    [{ url: 'https://example.com/', events: [[['submission.created']]] }, 'events'],
    [{ url: 'https://example.com/', body: 'fat' }, 'body'],
    [{ url: 'https://example.com/', include_spam: 1 }, 'include_spam'],
    [{ url: 'https://example.com/', when: [{ field: 'a' }] }, 'condition'],
    [{ url: 'https://example.com/', when: { field: 'a', is: 'b' } }, 'list of conditions'],
    [{ url: 'https://example.com/', headers: 'X-Token: abc' }, 'headers'],
    [{ url: 'https://example.com/', headers: ['Host: x'] }, 'Host'],
    [{ url: 'https://example.com/', headers: ['Proxy-Authorization: Basic eA=='] }, 'Proxy-Authorization'],
    [{ url: 'https://example.com/', headers: ['X-A: b\r\nX-C: d'] }, 'header'],
    [{ url: 'https://example.com/', headers: ['X-Token: ••••••'] }, 'header'],
    [{ url: 'https://example.com/', chat: '1' }, 'chat'],
    [{ url: 'https://example.com/', secret: 'mine' }, '"secret"'],
    ['[]', 'object'],
  ])('with %j returns 400', async (body, part) => {
    expect((await refused(create(body), 400)).error).toContain(part);
    expect(await list()).toEqual([]);
  });

  test('with values as deep as 64 KiB allow returns 400', async () => {
    const nested = '['.repeat(30_000) + ']'.repeat(30_000);
    for (const name of ['events', 'headers', 'when', 'url', 'kind']) {
      await refused(create(`{"url":"https://example.com/","${name}":${nested}}`), 400);
    }
  });

  test('of the eleventh webhook returns 409', async () => {
    for (let number = 0; number < 10; number++) await created();
    expect((await refused(create({ url: receiver.url }), 409)).error).toContain('at most 10');
  });

  test('for a form of another team returns 404', async () => {
    await refused(create({ url: receiver.url }, other.writeKey), 404);
    await refused(create({ url: receiver.url }, other.writeKey, form.shortId), 404);
    expect(await list()).toEqual([]);
  });
});

test('GET lists the webhooks of a form and returns one, without secrets', async () => {
  const { secret, ...first } = await created();
  const { secret: _, ...second } = await created({ is_active: false });
  expect(await list()).toEqual([first, second]);
  expect(await read(first.id)).toEqual(first);
  const text = JSON.stringify([await list(), await read(first.id)]);
  for (const value of [TOKEN, HEADER, secret ?? '']) expect(text).not.toContain(value);
});

describe('PATCH /v1/webhooks/:webhookId', () => {
  test('changes what the body names and nothing else', async () => {
    const { secret: _, ...webhook } = await created();
    const when = [{ field: 'topic', is: 'sales' }];
    const changed = await dataOf<Webhook>(patch(webhook.id, { when, include_spam: true }));
    expect(changed).toEqual({ ...webhook, when, include_spam: true });
    await post(form.id, { topic: 'other' });
    await post(form.id, { topic: 'sales' });
    await context.webhooks.drain();
    expect(receiver.events.map(({ data }) => data.submission.data)).toEqual([{ topic: 'sales' }]);
    expect(receiver.received[0]?.headers.get('x-token')).toBe(HEADER);
  });

  test('pauses and resumes deliveries', async () => {
    const { id } = await created();
    await dataOf(patch(id, { is_active: false }));
    await post(form.id, { note: 'waits' });
    await context.webhooks.drain();
    expect(receiver.received).toEqual([]);
    await dataOf(patch(id, { is_active: true }));
    await context.webhooks.drain();
    expect(receiver.received).toHaveLength(1);
  });

  test('does not send stored headers to another host', async () => {
    const { id, host } = await created();
    const url = 'https://example.com/hook';
    expect((await refused(patch(id, { url }), 400)).error).toContain('another host');
    expect((await refused(patch(id, { url, headers: ['X-Token: ••••••'] }), 400)).error).toContain('header');
    expect((await read(id)).host).toBe(host);
    expect(await dataOf(patch(id, { url, headers: [] }))).toMatchObject({ host: 'example.com', header_names: [] });
  });

  test('refuses another kind and unknown properties', async () => {
    const { id } = await created();
    for (const body of [{}, { kind: 'slack' }, { form_id: owner.form.id }, { is_active: null }]) {
      await refused(patch(id, body), 400);
    }
  });
});

describe('DELETE /v1/webhooks/:webhookId', () => {
  test('deletes the webhook, once, and later submissions are not delivered', async () => {
    const { id } = await created();
    expect(await dataOf(api('DELETE', `/v1/webhooks/${id}`, { key: writeKey }))).toEqual({ id, deleted: true });
    await refused(api('DELETE', `/v1/webhooks/${id}`, { key: writeKey }), 404);
    await refused(api('GET', `/v1/webhooks/${id}`, { key: readKey }), 404);
    await post(form.id, { note: 'late' });
    await context.webhooks.drain();
    expect(receiver.received).toEqual([]);
  });
});

describe('POST /v1/webhooks/:webhookId/test', () => {
  test('sends the newest submission and returns the event and the answer', async () => {
    const { id } = await created();
    await post(form.id, { note: 'My card is 4242 4242 4242 4242' });
    await context.webhooks.drain();
    const result = await dataOf(act(id, 'test'));
    expect(result).toMatchObject({ delivered: true, status: 200, error: null, answer: 'ok' });
    expect(result.event).toEqual(receiver.events.at(-1));
    expect(result.event).toMatchObject({ type: 'webhook.test' });
    const text = JSON.stringify(result);
    expect(text).toContain('4242');
    expect(text).not.toContain('4242 4242');
    for (const value of [TOKEN, HEADER]) expect(text).not.toContain(value);
  });

  test('sends a sample if there is no submission', async () => {
    const { id } = await created();
    const { event } = await dataOf(act(id, 'test'));
    expect(event).toMatchObject({ data: { submission: { data: { email: 'ada@example.com' } } } });
  });

  test('that fails returns 200 with the reason', async () => {
    const { id } = await created();
    receiver.usual = () => new Response('no', { status: 500 });
    expect(await dataOf(act(id, 'test'))).toMatchObject({ delivered: false, status: 500, answer: 'no' });
    receiver.stop();
    const failed = await dataOf(act(id, 'test'));
    expect(failed).toMatchObject({ delivered: false, status: null, answer: '' });
    expect(failed.error).toMatch(/\S/);
  });

  test('of another kind returns no request, which contains settings', async () => {
    const { id } = await created({ kind: 'template', template: '{"key": "templatesecret"}' });
    const result = await dataOf(act(id, 'test'));
    expect(result).toMatchObject({ delivered: true, event: null });
    expect(JSON.stringify(result)).not.toContain('templatesecret');
  });
});

describe('POST /v1/webhooks/:webhookId/rotate-secret', () => {
  test('returns the new secret once; both sign for a day', async () => {
    const { id, secret = '' } = await created();
    const rotated = await dataOf<{ id: string; secret: string }>(act(id, 'rotate-secret'));
    expect(Object.keys(rotated)).toEqual(['id', 'secret']);
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    await dataOf(act(id, 'test'));
    const [{ body, headers } = { body: '', headers: undefined }] = receiver.received;
    for (const one of [secret, rotated.secret]) new Verifier(one).verify(body, headersOf(headers));
  });

  test('of another kind returns 400', async () => {
    const { id } = await created({ kind: 'template', template: '{}' });
    await refused(act(id, 'rotate-secret'), 400);
  });
});

test('a webhook with damaged settings is listed and can be deleted, but not used', async () => {
  const { id } = await created();
  tamper(instance, 'UPDATE webhooks SET settings = ? WHERE id = ?', new Uint8Array(80), id);
  expect(await read(id)).toMatchObject({ host: null, header_names: [] });
  for (const action of ['test', 'rotate-secret']) {
    expect((await refused(act(id, action), 404)).error).toContain('damaged');
  }
  expect((await refused(patch(id, { url: receiver.url }), 404)).error).toContain('damaged');
  await dataOf(api('DELETE', `/v1/webhooks/${id}`, { key: writeKey }));
});

test('webhooks of a form in the trash return 404, until it is restored', async () => {
  const { id } = await created();
  await dataOf(api('DELETE', `/v1/forms/${form.id}`, { key: writeKey }));
  await refused(api('GET', `/v1/webhooks/${id}`, { key: readKey }), 404);
  await refused(act(id, 'test'), 404);
  await refused(api('DELETE', `/v1/webhooks/${id}`, { key: writeKey }), 404);
  await dataOf(api('POST', `/v1/forms/${form.id}/restore`, { key: writeKey }));
  expect(await read(id)).toMatchObject({ id });
});

test('the audit log has each change with the id of the webhook, and no settings', async () => {
  const { id } = await created();
  await dataOf(patch(id, { url: `${receiver.url}/${TOKEN}/2`, is_active: true }));
  await dataOf(act(id, 'test'));
  await dataOf(act(id, 'rotate-secret'));
  await dataOf(act(id, 'redeliver', { failed: true }));
  await dataOf(api('DELETE', `/v1/webhooks/${id}`, { key: writeKey }));
  const sql = `SELECT action, details FROM audit WHERE CAST(details AS TEXT) LIKE '%' || ? || '%' ORDER BY id`;
  const entries = rows<{ action: string; details: string }>(instance, sql, id);
  expect(entries.map(({ action }) => action)).toEqual([
    'webhook.created',
    'webhook.changed',
    'webhook.tested',
    'webhook.secret_rotated',
    'webhook.redelivered',
    'webhook.deleted',
  ]);
  expect(JSON.parse(entries[1]?.details ?? '{}')).toEqual({ webhook_id: id, settings: 'url, isActive' });
  for (const value of [TOKEN, HEADER, 'whsec_']) expect(JSON.stringify(entries)).not.toContain(value);
});

function headersOf(headers: Headers = new Headers()): Record<string, string> {
  return Object.fromEntries(headers as unknown as Iterable<[string, string]>);
}
