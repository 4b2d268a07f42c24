import { expect, test } from 'bun:test';
import { AppError } from '../../../src/domain/errors.ts';
import { type Job, startLoop } from '../../../src/jobs/loop.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { until } from '../../support/until.ts';

function run(...jobs: Job[]) {
  const logs: string[] = [];
  const log = createLogger({ level: 'info', isPretty: false, write: (line) => logs.push(line) });
  return { ...startLoop(jobs, log), logs };
}

/** Creates a job that counts its steps, with a promise for a number of steps. */
function counting(everyMs = 1) {
  let count = 0;
  const step = async () => {
    count += 1;
  };
  const reached = (steps: number) => until(() => count >= steps, `${steps} steps`);
  return { job: { name: 'counting', everyMs, step }, reached, count: () => count };
}

test('skips runs of a job during a long step and delays no other job', async () => {
  const held = Promise.withResolvers<void>();
  let calls = 0;
  const slow: Job = {
    name: 'slow',
    everyMs: 1,
    step: (signal) => {
      calls += signal.aborted ? 0 : 1;
      return held.promise;
    },
  };
  const other = counting();
  const { stop } = run(slow, other.job);
  await other.reached(20);
  expect(calls).toBe(1);
  const stopped = stop();
  held.resolve();
  await stopped;
  expect(calls).toBe(1);
});

test('runs a failed step again, and logs the first failure and the first success after it', async () => {
  const steps = counting();
  const flaky: Job = {
    name: 'flaky',
    everyMs: 1,
    step: async () => {
      await steps.job.step();
      if (steps.count() % 5 !== 0) throw new Error('out of paper');
    },
  };
  const { stop, logs } = run(flaky);
  await steps.reached(12);
  await stop();
  const failed = { level: 'error', message: 'flaky failed', error: 'Error: out of paper' };
  const works = { level: 'info', message: 'flaky succeeded again' };
  expect(logs.slice(0, 5).map((line) => JSON.parse(line))).toMatchObject([failed, works, failed, works, failed]);
});

test('logs the cause of a database that is not available', async () => {
  const steps = counting();
  const step = async () => {
    await steps.job.step();
    throw new AppError('storage_unavailable', 'Try again.', { cause: new Error('connect ECONNREFUSED') });
  };
  const { stop, logs } = run({ name: 'offline', everyMs: 1, step });
  await steps.reached(2);
  await stop();
  expect(logs.map((line) => JSON.parse(line))).toMatchObject([{ error: 'Error: connect ECONNREFUSED' }]);
});

test('stop waits for the running step and then runs the jobs with atStop once more', async () => {
  const began = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const seen: string[] = [];
  const job: Job = {
    name: 'job',
    everyMs: 1,
    atStop: true,
    step: async (signal) => {
      seen.push(signal.aborted ? 'begins at the end' : 'begins');
      if (signal.aborted) return;
      began.resolve();
      await held.promise;
      seen.push('ends');
    },
  };
  const other = counting();
  const { stop } = run(job, other.job);
  await began.promise;
  await other.reached(10);
  const stopped = stop();
  held.resolve();
  await stopped;
  const steps = other.count();
  expect(seen).toEqual(['begins', 'ends', 'begins at the end']);
  // Another loop with the same interval.
  const later = counting();
  const { stop: stopLater } = run(later.job);
  await later.reached(10);
  await stopLater();
  expect(other.count()).toBe(steps);
});
