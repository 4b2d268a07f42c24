import { expect, test } from 'bun:test';
import { type Job, startLoop } from '../../../src/jobs/loop.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { until } from '../../support/until.ts';

function run(...jobs: Job[]) {
  const logs: string[] = [];
  const log = createLogger({ level: 'info', isPretty: false, write: (line) => logs.push(line) });
  return { ...startLoop(jobs, log), logs };
}

/** A job that counts its steps, and is awaited until there were so many. */
function counting(everyMs = 1) {
  let count = 0;
  const step = async () => {
    count += 1;
  };
  const reached = (wanted: number) => until(() => count >= wanted, `${wanted} steps`);
  return { job: { name: 'counting', everyMs, step }, reached, count: () => count };
}

test('a step that takes long is not made up for afterwards, and holds up no other job', async () => {
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

test('a step that fails is logged and comes again', async () => {
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

test('stopping waits for the step under way and then calls those once more that are to be called at the end', async () => {
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
  // Another loop of the same interval runs meanwhile.
  const later = counting();
  const { stop: stopLater } = run(later.job);
  await later.reached(10);
  await stopLater();
  expect(other.count()).toBe(steps);
});
