import { AUDIT_RETENTION_DAYS } from '../domain/audit.ts';
import { DAY, formatTime, MINUTE } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { dueTime } from '../services/instance/purges.ts';
import type { Services } from '../services/services.ts';
import type { DurabilityReport } from '../storage/records.ts';
import type { Job } from './loop.ts';

/** Pause after a failed purge. */
const RETRY_INTERVAL = MINUTE;
const BATCH_SIZE = 500;

type Deps = Pick<Services, 'store' | 'clock' | 'log'>;

/** Creates the job that logs once when the newest submission is dated later than now, and when it no longer is. */
export function clockJob({ store, clock, log }: Deps): Job {
  let wasAhead = false;
  const step = async () => {
    const now = clock();
    const { lastCreatedAt } = await store.upkeep.readStats(0);
    const isAhead = lastCreatedAt !== null && lastCreatedAt > now + MINUTE;
    if (isAhead && !wasAhead) {
      log.warn(
        'the newest submission is dated later than now: the clock was ahead or is behind. Correct the clock, stop the server and run "formstead clock repair"',
        { newest: formatTime(lastCreatedAt), now: formatTime(now) },
      );
    }
    if (wasAhead && !isAhead) log.info('no submission is dated later than now any more');
    wasAhead = isAhead;
  };
  return { name: 'clock check', everyMs: 60_000, step };
}

/**
 * Creates the job that logs each change of what an acknowledged submission survives, such as after a failover to another
 * server. The start logs the first state.
 */
export function durabilityJob({ store, log }: Omit<Deps, 'clock'>): Job {
  let last: DurabilityReport | null = null;
  const step = async () => {
    const report = await store.upkeep.readDurability();
    const isChanged = last !== null && !Bun.deepEquals(report, last);
    const isWorse = report.machines < (last?.machines ?? 0) || report.faults.length > (last?.faults.length ?? 0);
    last = report;
    if (!isChanged) return;
    const details = { machines: report.machines, faults: report.faults.join(' ') || undefined };
    if (report.isRefusing)
      log.error('submissions are refused, because a crash of the database could lose them', details);
    else log[isWorse ? 'warn' : 'info'](`the database has changed: ${report.message}`, details);
  };
  return { name: 'durability check', everyMs: 5_000, step };
}

/**
 * Creates the hourly job that deletes expired idempotency keys, challenges, sessions and one-time links, old mails,
 * and audit entries older than `AUDIT_RETENTION_DAYS`.
 */
export function pruneJob({ store, clock }: Omit<Deps, 'log'>): Job {
  const step = async (signal: AbortSignal) => {
    await store.idempotency.pruneExpired();
    await store.mails.prune();
    await store.sessions.prune();
    const pruneAudit = () => store.audit.prune(clock() - AUDIT_RETENTION_DAYS * DAY, BATCH_SIZE);
    while ((await pruneAudit()) === BATCH_SIZE && !signal.aborted) await yieldToEventLoop();
  };
  return { name: 'cleanup of expired records', everyMs: 60 * 60 * 1000, step };
}

/** Creates the job that purges the database after erasures, at most once an hour. */
export function purgeJob({ store, clock, log }: Deps): Job {
  let failedAt: number | null = null;
  const step = async (signal: AbortSignal) => {
    const progress = await store.upkeep.readPurges();
    const now = clock();
    if (progress.requested === progress.purged || dueTime(progress, now) > now) return;
    if (failedAt !== null && Math.abs(now - failedAt) < RETRY_INTERVAL) return;
    const startedAt = performance.now();
    const residue = await store.upkeep.purge(signal);
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    failedAt = residue ? now : null;
    const { lasting } = progress;
    if (!residue && lasting) log.info('deleted rows removed from the tables', { seconds, lasting });
    else if (!residue) log.info('database purged: deleted data left no copies', { seconds });
    else log.warn('deleted data may have left copies in the database; will retry', residue);
  };
  return { name: 'database purge', everyMs: 1_000, step };
}
