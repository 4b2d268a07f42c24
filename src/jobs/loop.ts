import type { Logger } from '../lib/log.ts';

/** A job's one step. It is called again and again, never twice at the same time; `signal` says that the loop ends. */
export type Job = Readonly<{
  name: string;
  everyMs: number;
  step: (signal: AbortSignal) => Promise<void>;
  /** Whether it is called once more when the loop has ended. */
  atStop?: boolean;
}>;

/** Runs each job's step at once and then at its interval until `stop`, which waits for those under way. */
export function startLoop(jobs: readonly Job[], log: Logger): Readonly<{ stop: () => Promise<void> }> {
  const ending = new AbortController();
  const running = new Map<Job, Promise<void>>();
  const run = (job: Job): Promise<void> => {
    const step = (running.get(job) ?? Promise.resolve())
      .then(() => job.step(ending.signal))
      .catch((error: unknown) => log.error(`${job.name} failed`, { error: String(error) }));
    running.set(job, step);
    return step;
  };
  jobs.forEach(run);
  const timers = jobs.map((job) => setInterval(() => run(job), job.everyMs));
  return {
    stop: async () => {
      timers.forEach(clearInterval);
      ending.abort();
      await Promise.all(running.values());
      await Promise.all(jobs.filter(({ atStop }) => atStop).map(run));
    },
  };
}
