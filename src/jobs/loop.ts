import type { Logger } from '../lib/log.ts';

/** A job's one step. It is called again and again, never twice at the same time; `signal` says that the loop ends. */
export type Job = Readonly<{
  name: string;
  everyMs: number;
  step: (signal: AbortSignal) => Promise<void>;
  /** Whether it is called once more when the loop has ended. */
  atStop?: boolean;
}>;

/**
 * Runs each job's step at once and then at its interval, unless it is still under way then, until `stop`, which waits for
 * those that are.
 */
export function startLoop(jobs: readonly Job[], log: Logger): Readonly<{ stop: () => Promise<void> }> {
  const ending = new AbortController();
  const running = new Map<Job, Promise<void>>();
  const run = (job: Job): Promise<void> => {
    const step = job
      .step(ending.signal)
      .catch((error: unknown) => log.error(`${job.name} failed`, { error: String(error) }))
      .finally(() => running.delete(job));
    running.set(job, step);
    return step;
  };
  const runIfFree = (job: Job) => {
    if (!running.has(job)) run(job);
  };
  jobs.forEach(runIfFree);
  const timers = jobs.map((job) => setInterval(() => runIfFree(job), job.everyMs));
  return {
    stop: async () => {
      timers.forEach(clearInterval);
      ending.abort();
      await Promise.all(running.values());
      await Promise.all(jobs.filter(({ atStop }) => atStop).map(run));
    },
  };
}
