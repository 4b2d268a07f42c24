import { expect, test } from 'bun:test';
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

test('logs a failed step and runs it again', async () => {
  const good = counting();
  const bad: Job = {
    name: 'bad',
    everyMs: 1,
    step: async () => {
      await good.job.step();
      throw new Error('out of paper');
    },
  };
  const { stop, logs } = run(bad);
  await good.reached(3);
  await stop();
  expect(JSON.parse(logs[0] ?? '')).toMatchObject({
    level: 'error',
    message: 'bad failed',
    error: 'Error: out of paper',
  });
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
