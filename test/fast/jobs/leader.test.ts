import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { serverJobs } from '../../../src/jobs/index.ts';
import { mapMethods } from '../../../src/storage/map-methods.ts';
import type { Store } from '../../../src/storage/store.ts';
import { type Instance, startInstance } from '../../support/instance.ts';

let instance: Instance;
beforeAll(async () => {
  instance = await startInstance({ env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'forms@mail.example' } });
});
afterAll(() => instance.stop());

/** Runs one step of each job and returns the names of the store methods that it called, by the name of the job. */
async function callsOfJobs(isLeader: boolean): Promise<Record<string, string[]>> {
  const { context } = instance;
  const called: string[] = [];
  const { close, ...stores } = context.store;
  const recorded = mapMethods<typeof stores>(stores, (method, noun, name) => async (...args) => {
    called.push(name === 'lead' ? name : `${noun}.${name}`);
    return name === 'lead' ? isLeader : method(...args);
  });
  const store: Store = { ...recorded, close };
  const backups = { program: ['false'], env: {}, folder: join(instance.dataDir, 'backups'), hours: 24, keep: 1 };
  const engine = { fill: async () => {}, wake: () => {}, stop: async () => {} };
  const jobs = serverJobs({
    ...context,
    ...context.config,
    store,
    backups: { ...backups, withKey: true },
    mail: { outbox: engine, sender: 'forms@mail.example' },
    webhooks: engine,
    beat: async () => {},
  });
  const calls: Record<string, string[]> = {};
  for (const { name, step } of jobs) {
    await step(new AbortController().signal);
    calls[name] = called.splice(0);
  }
  return calls;
}

test('jobs that must run once do so only in the leader', async () => {
  const calls = await callsOfJobs(false);
  const ofLeader = Object.entries(calls).filter(([, names]) => names.includes('lead'));
  expect(Object.fromEntries(ofLeader)).toEqual({
    'key rotation': ['vaultKeys.list', 'lead'],
    'clock check': ['lead'],
    'cleanup of expired records': ['lead'],
    'deletion of old submissions': ['lead'],
    'database purge': ['lead'],
    backup: ['lead'],
    'spam learning': ['lead'],
    'checks of forms': ['lead'],
    'summary mails': ['lead'],
  });
  const ofAll = Object.keys(calls).filter((name) => !calls[name]?.includes('lead'));
  expect(ofAll.sort()).toEqual([
    'cleanup of unused files',
    'database maintenance',
    'disk check',
    'durability check',
    'heartbeat',
    'last use of keys',
    'last use of sessions',
    'mail delivery',
    'process registration',
    'webhook delivery',
  ]);
});

test('the leader runs them', async () => {
  const calls = await callsOfJobs(true);
  for (const name of [
    'clock check',
    'cleanup of expired records',
    'deletion of old submissions',
    'spam learning',
    'summary mails',
  ]) {
    expect([name, calls[name]?.length]).not.toEqual([name, 1]);
  }
});
