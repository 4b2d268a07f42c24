import { afterAll, expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from '../../support/instance.ts';
import { spawnServer } from '../../support/process.ts';
import { Receiver } from '../../support/receiver.ts';
import { until } from '../../support/until.ts';
import { createTeamWithForm, instances, json, post } from '../command-line.ts';
import type { BackupResult } from './backup-server.ts';

const ENV = { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' };
const fresh = instances();
const folder = temporaryDir();
const receiver = new Receiver();
afterAll(() => {
  receiver.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('a restored backup sends the deliveries that were queued or in flight, once each and under their ids', async () => {
  const dataDir = fresh();
  const { form } = await createTeamWithForm(dataDir);
  const create = ['webhook', 'create', '--form', form.id, '--url', receiver.url];
  const { id } = await json<{ id: string }>(dataDir, create, ENV);
  const server = await spawnServer(dataDir, ENV);
  receiver.usual = () => new Promise<Response>(() => {});
  for (const name of ['in flight', 'queued']) expect((await post(server.url, form.id, name)).status).toBe(200);
  await until(() => receiver.received.length === 1, 'the delivery in flight');
  const { path } = await json<BackupResult>(dataDir, ['backup', folder, '--with-key']);
  await server.end('SIGKILL');

  receiver.usual = () => new Response();
  const restored = join(folder, 'restored');
  await json(restored, ['restore', path]);
  const next = await spawnServer(restored, ENV);
  type Delivery = Readonly<{ id: string; state: string; attempts: number }>;
  const deliveries = () => json<Delivery[]>(restored, ['webhook', 'deliveries', id], ENV);
  await until(async () => (await deliveries()).every(({ state }) => state === 'delivered'), 'both deliveries');
  expect(await next.end()).toBe(0);
  const [lost, ...sent] = receiver.received.map(({ headers }) => headers.get('webhook-id') ?? '');
  expect(sent.toSorted()).toEqual((await deliveries()).map((delivery) => delivery.id).toSorted());
  expect(sent[0]).toBe(lost ?? '');
  expect(receiver.events.slice(1).map(({ data }) => data.submission.data.name)).toEqual(['in flight', 'queued']);
});
