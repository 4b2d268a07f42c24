import type { DiskWatch } from '../storage/disk-watch.ts';
import type { Store } from '../storage/store.ts';
import { type BackupPlan, backupJob } from './backups.ts';
import { digestJob } from './digests.ts';
import { formCheckJob } from './form-checks.ts';
import type { Heartbeat } from './heartbeat.ts';
import type { LastUse } from './last-use.ts';
import type { Job } from './loop.ts';
import { retentionJob } from './retention.ts';
import { rotationJob } from './rotation.ts';
import { spamLearningJob } from './spam-learning.ts';
import { sweepJob } from './sweep.ts';
import { clockJob, durabilityJob, pruneJob, purgeJob } from './upkeep.ts';

type Engine = Readonly<{ fill: () => Promise<unknown>; wake: () => void; stop: () => Promise<void> }>;

/** `backups` is null without scheduled backups. */
type Deps = Parameters<typeof rotationJob>[0] &
  Parameters<typeof sweepJob>[0] &
  Parameters<typeof retentionJob>[0] &
  Parameters<typeof formCheckJob>[0] &
  Parameters<typeof digestJob>[0] &
  Readonly<{
    disk: Pick<DiskWatch, 'check'>;
    heartbeat: Heartbeat;
    keyUse: LastUse;
    sessionUse: LastUse;
    backups: BackupPlan | null;
    mail: Readonly<{ outbox: Engine }>;
    webhooks: Engine;
    beat: () => Promise<void>;
  }>;

/** Returns the jobs of a server, in the order of their first steps. */
export function serverJobs(deps: Deps): Job[] {
  const { store, disk, heartbeat, keyUse, sessionUse, mail, webhooks, beat } = deps;
  return [
    heartbeat.job(),
    keyUse.job(),
    sessionUse.job(),
    { name: 'process registration', everyMs: 1_000, step: beat },
    { name: 'database maintenance', everyMs: 1_000, step: () => store.upkeep.maintain() },
    durabilityJob(deps),
    { name: 'disk check', everyMs: 10_000, step: async () => disk.check() },
    // Follows the active key in every process; only the leader changes it and reseals.
    rotationJob(deps),
    sweepJob(deps),
    ...leaderJobs(deps).map((job) => inLeader(store, job)),
    deliveryJob('webhook delivery', webhooks),
    deliveryJob('mail delivery', mail.outbox),
  ];
}

/** Returns the jobs that run in only one of the processes that serve a database. */
function leaderJobs(deps: Deps): Job[] {
  const { clock, log, backups } = deps;
  return [
    clockJob(deps),
    pruneJob(deps),
    retentionJob(deps),
    purgeJob(deps),
    ...(backups ? [backupJob({ clock, log, ...backups })] : []),
    spamLearningJob(deps),
    formCheckJob(deps),
    digestJob(deps),
  ];
}

/** Skips the steps of a job while another process is the leader. */
function inLeader(store: Pick<Store, 'instances'>, job: Job): Job {
  return { ...job, step: async (signal) => ((await store.instances.lead()) ? job.step(signal) : undefined) };
}

/** Returns the job of a delivery engine, which stops with the loop. */
function deliveryJob(name: string, engine: Engine): Job {
  const step = async (signal: AbortSignal) => void (await (signal.aborted ? engine.stop() : engine.fill()));
  return { name, everyMs: 1_000, atStop: true, step };
}
