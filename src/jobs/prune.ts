import { AUDIT_RETENTION_DAYS } from '../domain/audit.ts';
import { DAY } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import type { Services } from '../services/services.ts';
import type { Job } from './loop.ts';

const BATCH_SIZE = 500;

type Deps = Pick<Services, 'store' | 'clock'>;

/**
 * Creates the hourly job that deletes expired idempotency keys, challenges, sessions and one-time links, old sent and
 * dead mails, and audit entries older than `AUDIT_RETENTION_DAYS`.
 */
export function pruneJob(deps: Deps): Job {
  return { name: 'cleanup of expired records', everyMs: 60 * 60 * 1000, step: (signal) => prune(deps, signal) };
}

async function prune({ store, clock }: Deps, signal: AbortSignal): Promise<void> {
  await store.idempotency.pruneExpired();
  await store.mails.prune();
  await store.sessions.prune();
  while ((await store.audit.prune(clock() - AUDIT_RETENTION_DAYS * DAY, BATCH_SIZE)) === BATCH_SIZE && !signal.aborted)
    await yieldToEventLoop();
}
