import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Webhook as Verifier } from 'standardwebhooks';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { createTeamWithForm, instances, post, type Resource } from './command-line.ts';

const ENV = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };
const fresh = instances();

let receiver: Receiver;
let server: ServerProcess;
let form: Resource;
let secret: unknown;
beforeAll(async () => {
  receiver = new Receiver();
  const dataDir = fresh();
  const { key, ...created } = await createTeamWithForm(dataDir);
  ({ form } = created);
  ({ secret } = key);
  server = await spawnServer(dataDir, ENV);
});
afterAll(async () => {
  await server.end();
  receiver.stop();
});

type Answer<Data> = Readonly<{ status: number; data: Data }>;

async function api<Data>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
  const answer = await fetch(server.url + path, {
    method,
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const { data } = (await answer.json()) as { data: Data };
  return { status: answer.status, data };
}

type Webhook = { id: string; secret: string };

/**
 * A trigger in the way of n8n's `webhookMethods`: the platform calls `checkExists`, `create` and `delete` when a workflow
 * is activated and deactivated, and keeps static data in between.
 */
class Trigger {
  #kept: Webhook | null = null;

  constructor(
    private readonly formId: string,
    private readonly webhookUrl: string,
  ) {}

  async checkExists(): Promise<boolean> {
    if (this.#kept === null) return false;
    return (await api('GET', `/v1/webhooks/${this.#kept.id}`)).status === 200;
  }

  async create(): Promise<boolean> {
    const body = { url: this.webhookUrl, events: ['submission.created'] };
    const { status, data } = await api<Webhook>('POST', `/v1/forms/${this.formId}/webhooks`, body);
    this.#kept = status === 201 ? data : null;
    return status === 201;
  }

  async delete(): Promise<boolean> {
    const { status } = await api('DELETE', `/v1/webhooks/${this.#kept?.id}`);
    return status === 200 || status === 404;
  }

  /** Activates the workflow, as the platform does at every start too. */
  async activate(): Promise<void> {
    if (!(await this.checkExists())) expect(await this.create()).toBe(true);
  }

  verify(body: string, headers: Headers): unknown {
    return new Verifier(this.#kept?.secret ?? '').verify(body, headers.toJSON());
  }
}

type Submission = { id: string; data: Record<string, unknown> };
type Event = { type: string; data: { submission: Submission } };

test('a workflow connects, chooses a form, takes a sample, subscribes and unsubscribes', async () => {
  const me = await api<{ name: string; scope: string }>('GET', '/v1/me');
  expect([me.status, me.data.name, me.data.scope]).toEqual([200, 'CI', 'read_write']);
  const forms = await api<Array<{ id: string; name: string }>>('GET', '/v1/forms');
  expect(forms.data.map(({ id }) => id)).toEqual([form.id]);

  const trigger = new Trigger(form.id, `${receiver.url}/webhook/1f0c2d3e`);
  await trigger.activate();
  await trigger.activate();
  expect((await api<unknown[]>('GET', `/v1/forms/${form.id}/webhooks`)).data).toHaveLength(1);

  await post(server.url, form.id, 'Ada');
  const received = await until(() => receiver.received.at(0), 'the delivery');
  expect(received.path).toBe('/webhook/1f0c2d3e');
  const event = trigger.verify(received.body, received.headers) as Event;
  expect([event.type, event.data.submission.data]).toEqual(['submission.created', { name: 'Ada' }]);
  const sample = await api<{ items: Submission[] }>('GET', `/v1/forms/${form.short_id}/submissions?limit=1`);
  expect(sample.data.items).toEqual([event.data.submission]);

  expect([await trigger.delete(), await trigger.checkExists(), await trigger.delete()]).toEqual([true, false, true]);
  await post(server.url, form.id, 'Grace');
  await trigger.activate();
  await post(server.url, form.id, 'Mary');
  await until(() => receiver.received.length === 2, 'the second delivery');
  expect(receiver.events.map(({ data }) => data.submission.data.name)).toEqual(['Ada', 'Mary']);
});

test('an endpoint that answers 410 is unsubscribed', async () => {
  const { data } = await api<Webhook>('POST', `/v1/forms/${form.id}/webhooks`, { url: `${receiver.url}/gone` });
  receiver.usual = ({ path }) => new Response('', { status: path === '/gone' ? 410 : 200 });
  await post(server.url, form.id, 'Ada');
  const read = () => api<{ is_active: boolean; disabled_reason: string }>('GET', `/v1/webhooks/${data.id}`);
  await until(async () => (await read()).data.disabled_reason === 'gone', 'the webhook to be disabled');
  expect((await read()).data.is_active).toBe(false);
});
