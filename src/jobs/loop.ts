import { describeFailure } from '../domain/instance/system-fault.ts';
import type { Logger } from '../lib/log.ts';

/** A periodic job. `step` is called at every interval, never concurrently; `signal` is aborted when the loop stops. */
export type Job = Readonly<{
  name: string;
  everyMs: number;
  step: (signal: AbortSignal) => Promise<void>;
  /** True to call `step` once more after the loop has stopped. */
  atStop?: boolean;
}>;

/** Interval of jobs that would fill the log in an outage, in milliseconds. */
const FREQUENT_MS = 60_000;

/**
 * Runs each job's step now and at its interval, and skips a run while the previous one is in progress. `stop` waits for
 * steps in progress. A frequent job logs a failure once, until it succeeds again.
 */
export function startLoop(jobs: readonly Job[], log: Logger): Readonly<{ stop: () => Promise<void> }> {
  const abort = new AbortController();
  const running = new Map<Job, Promise<void>>();
  const failing = new Set<Job>();
  const succeed = (job: Job) => {
    if (failing.delete(job)) log.info(`${job.name} succeeded again`);
  };
  const fail = (job: Job, error: unknown) => {
    if (failing.has(job) && job.everyMs < FREQUENT_MS) return;
    failing.add(job);
    log.error(`${job.name} failed`, { error: describeFailure(error) });
  };
  const run = (job: Job): Promise<void> => {
    const step = job
      .step(abort.signal)
      .then(
        () => succeed(job),
        (error: unknown) => fail(job, error),
      )
      .finally(() => running.delete(job));
    running.set(job, step);
    return step;
  };
  const runIfIdle = (job: Job) => {
    if (!running.has(job)) run(job);
  };
  jobs.forEach(runIfIdle);
  const timers = jobs.map((job) => setInterval(() => runIfIdle(job), job.everyMs));
  return {
    stop: async () => {
      timers.forEach(clearInterval);
      abort.abort();
      await Promise.all(running.values());
      await Promise.all(jobs.filter(({ atStop }) => atStop).map(run));
    },
  };
}
