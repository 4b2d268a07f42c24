import { afterAll, describe, expect, test } from 'bun:test';
import { Heartbeat } from '../../../src/jobs/heartbeat.ts';
import { SECOND } from '../../../src/lib/clock.ts';
import { Readiness, readinessChecks } from '../../../src/services/instance/readiness.ts';
import { run } from '../../cli/command-line.ts';
import { startInstance } from '../../support/instance.ts';
import { sqliteOnly } from '../../support/sqlite-only.ts';

const instance = await startInstance();
afterAll(instance.stop);

/** More than the size of any disk. */
const PEBIBYTE = String(1024 ** 5);

const health = (url: string, ...args: string[]) => run('', ['health', ...args], { PORT: new URL(url).port });

describe('an instance that can store submissions', () => {
  test('is ready, answered in the envelope and without authentication', async () => {
    const answer = await fetch(`${instance.url}/readyz`);
    expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([200, 'no-store']);
    expect(await answer.json()).toEqual({
      success: true,
      data: { status: 'ready', checks: ['database', 'loop', 'disk', 'leader'] },
    });
    expect((await fetch(`${instance.url}/readyz`, { method: 'HEAD' })).status).toBe(200);
  });

  sqliteOnly('limits the writes of readiness checks', async () => {
    const { store } = instance.context;
    await store.upkeep.purge();
    await store.queue.probe();
    const { logBytes: once } = await store.upkeep.readStats(0);
    expect(once).toBeGreaterThan(0);
    const readiness = new Readiness(readinessChecks(instance.context), () => 0);
    for (let round = 0; round < 50; round++) expect(await readiness.faults()).toEqual(new Map());
    const { logBytes: often } = await store.upkeep.readStats(0);
    expect(often).toBeGreaterThan(once);
    expect(often).toBeLessThan(2.5 * once);
  });

  test('is ready for the health command', async () => {
    const ready = await health(instance.url, '--ready');
    expect(ready).toEqual({ code: 0, stdout: expect.stringMatching(/^url .*\/readyz\nstatus +ready\n$/), stderr: '' });
  });
});

test.each([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['127.0.0.1', '127.0.0.1'],
])('the health command with HOST=%s asks %s', async (HOST, host) => {
  const { stderr } = await run('', ['health'], { HOST, PORT: '1' });
  expect(stderr).toStartWith(`formstead: http://${host}:1/healthz does not answer`);
});

test('an instance with too little disk space is live but not ready', async () => {
  const full = await startInstance({ env: { MIN_FREE_BYTES: PEBIBYTE } });
  const answer = await fetch(`${full.url}/readyz`);
  expect([answer.status, answer.headers.get('Cache-Control')]).toEqual([503, 'no-store']);
  expect(await answer.json()).toEqual({
    success: false,
    error: expect.stringMatching(
      /^Not ready\. disk: \d+ MiB are free, less than the 1073741824 MiB of MIN_FREE_BYTES\.$/,
    ),
    statusCode: 503,
  });
  expect((await fetch(`${full.url}/healthz`)).status).toBe(200);
  expect(await health(full.url)).toMatchObject({ code: 0 });
  const { code, stdout, stderr } = await health(full.url, '--ready');
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^formstead: .*\/readyz does not answer with 200 \(Not ready\. disk: .*\)\.\n$/);
  await full.stop();
});

test('an instance is not ready while its jobs are stuck', async () => {
  let now = 0;
  const heartbeat = new Heartbeat(() => now);
  const readiness = new Readiness(readinessChecks({ ...instance.context, heartbeat }), () => now);
  now = 10 * SECOND;
  expect(await readiness.faults()).toEqual(new Map());
  now = 30 * SECOND;
  expect(await readiness.faults()).toEqual(new Map([['loop', 'no job has run for 30 s']]));
  await heartbeat.job().step(new AbortController().signal);
  now += SECOND;
  expect(await readiness.faults()).toEqual(new Map());
});

test('a check that throws counts as a fault', async () => {
  const freeBytes = () => {
    throw new Error('a word from inside');
  };
  const faults = await new Readiness(readinessChecks({ ...instance.context, freeBytes }), () => 0).faults();
  expect(faults).toEqual(new Map([['disk', 'check failed']]));
});
