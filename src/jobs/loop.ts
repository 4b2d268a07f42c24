import type { Logger } from '../lib/log.ts';

/** A job's one step. It is called again and again, never twice at the same time. */
export type Job = Readonly<{ name: string; everyMs: number; step: () => Promise<void> }>;

/** Runs each job's step at its interval until `stop`, which waits for steps under way and runs each once more. */
export function startLoop(jobs: readonly Job[], log: Logger): Readonly<{ stop: () => Promise<void> }> {
  const running = new Map<Job, Promise<void>>();
  const run = (job: Job): Promise<void> => {
    const step = (running.get(job) ?? Promise.resolve())
      .then(job.step)
      .catch((error: unknown) => log.error(`${job.name} failed`, { error: String(error) }));
    running.set(job, step);
    return step;
  };
  const timers = jobs.map((job) => setInterval(() => run(job), job.everyMs));
  return {
    stop: async () => {
      timers.forEach(clearInterval);
      await Promise.all(jobs.map(run));
    },
  };
}
