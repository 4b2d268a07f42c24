import { type Clock, DAY, type Micros } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { recordAction, SYSTEM } from '../services/audit.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { RetentionRule, Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

const PAGE_SIZE = 100;
/** The pause after each batch, as a multiple of its duration, in which submissions have the database to themselves. */
const PAUSE_FACTOR = 4;
const MIN_PAUSE_MS = 5;
/** A longer gap between two runs counts as a clock jump. */
const MAX_CLOCK_GAP = DAY;
/** The time without deletions after a clock jump. */
const PROBATION = DAY;
const REWRITE_INTERVAL = DAY;
/** A rewrite makes posts wait for about 6 s per GB. Larger databases are not rewritten for expired submissions. */
const MAX_REWRITE_BYTES = 128 * 1024 * 1024;

/** `retentionDays` is the default for forms without their own; null to keep submissions forever. */
type Deps = Readonly<{
  store: Store;
  blobs: Blobs;
  clock: Clock;
  log: Logger;
  retentionDays: number | null;
}>;

type Counts = { submissions: number; files: number; mails: number };

/**
 * Creates the job that deletes submissions older than their form's retention and records the deletions in the teams'
 * audit logs. Each run also removes deleted data from the write-ahead log.
 */
export function retentionJob(deps: Deps): Job {
  let nextRewriteAt = 0;
  const step = async (signal: AbortSignal) => {
    const now = deps.clock();
    if ((await deleteExpired(deps, signal)) && now >= nextRewriteAt) {
      const { databaseBytes } = await deps.store.readStats(0);
      if (databaseBytes <= MAX_REWRITE_BYTES) await deps.store.requestRewrite();
      nextRewriteAt = now + REWRITE_INTERVAL;
    }
    await deps.store.truncateWal();
  };
  return { name: 'retention', everyMs: 60 * 60 * 1000, step };
}

/** Applies the retention of all forms. Returns true if anything was deleted. */
async function deleteExpired(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { store, log } = deps;
  const now = deps.clock();
  const steadySince = await store.recordClock(MAX_CLOCK_GAP);
  const isOnProbation = steadySince > now - PROBATION;
  let hasDeleted = false;
  let after = '';
  let page: RetentionRule[];
  do {
    page = await store.listRetentionRules({ after, limit: PAGE_SIZE });
    after = page.at(-1)?.id ?? after;
    for (const form of page) {
      const days = form.retentionDays ?? deps.retentionDays;
      if (days === null || signal.aborted) continue;
      const before = now - days * DAY;
      if (!isOnProbation) hasDeleted = (await deleteOldSubmissions(deps, form, before, signal)) || hasDeleted;
      else if ((await store.countOlder(form.id, before, 1)) > 0) {
        log.warn('retention paused for 24 h: clock jump or downtime', { form: form.id });
      }
    }
    await yieldToEventLoop();
  } while (page.length === PAGE_SIZE && !signal.aborted);
  return hasDeleted;
}

async function deleteOldSubmissions(
  deps: Deps,
  { id, teamId }: RetentionRule,
  before: Micros,
  signal: AbortSignal,
): Promise<boolean> {
  const { store, blobs, log } = deps;
  const counts: Counts = { submissions: 0, files: 0, mails: 0 };
  try {
    while (!signal.aborted) {
      const startedAt = performance.now();
      const deleted = await store.deleteOlder(id, before);
      if (deleted.submissions === 0) break;
      const elapsed = performance.now() - startedAt;
      counts.submissions += deleted.submissions;
      counts.files += deleted.blobs.length;
      counts.mails += deleted.mails;
      // A blob that cannot be removed is an orphan, and the sweep job removes it later.
      await blobs.remove(deleted.blobs).catch(() => {});
      await Bun.sleep(Math.max(MIN_PAUSE_MS, PAUSE_FACTOR * elapsed));
    }
  } finally {
    if (counts.submissions > 0) {
      log.info('old submissions deleted', { form: id, ...counts });
      const details = { form_id: id, ...counts };
      await recordAction(deps, { teamIds: [teamId], actor: SYSTEM, action: 'submissions.expired', details });
    }
  }
  return counts.submissions > 0;
}
