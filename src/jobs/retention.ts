import { CONFIRM_DAYS, TRASH_DAYS } from '../domain/submissions/submission.ts';
import { DAY, type Micros } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { recordAction, SYSTEM } from '../services/audit/audit.ts';
import { deleteTrashedForm } from '../services/forms/form-trash.ts';
import type { Services } from '../services/services.ts';
import { type DeletedCounts, deleteBatches } from '../services/submissions/delete-batches.ts';
import type { DeletionResult, RetentionRule } from '../storage/records.ts';
import type { Job } from './loop.ts';

const PAGE_SIZE = 100;
/** A longer gap between two runs counts as a clock jump. */
const MAX_CLOCK_GAP = DAY;
/** The time without deletions after a clock jump. */
const PROBATION = DAY;
/** A purge reads the whole database. */
const PURGE_INTERVAL = DAY;

/** `config.retentionDays` is the default for forms without their own; null to keep submissions forever. */
type Deps = Pick<Services, 'store' | 'blobs' | 'clock' | 'log'> &
  Readonly<{ config: Readonly<{ retentionDays: number | null }> }>;

/**
 * Creates the job that deletes submissions older than their form's retention, and submissions and forms that have been
 * in the trash for `TRASH_DAYS`, and records the deletions in the teams' audit logs. Purges the database afterwards, at most once a day.
 */
export function retentionJob(deps: Deps): Job {
  let nextPurgeAt = 0;
  let needsPurge = false;
  const step = async (signal: AbortSignal) => {
    const now = deps.clock();
    if (await deleteExpired(deps, signal)) needsPurge = true;
    if (!needsPurge || now < nextPurgeAt) return;
    if (await deps.store.upkeep.purge(signal)) return;
    needsPurge = false;
    nextPurgeAt = now + PURGE_INTERVAL;
  };
  return { name: 'deletion of old submissions', everyMs: 60 * 60 * 1000, step };
}

/** Applies the retention of all forms. Returns true if anything was deleted. */
async function deleteExpired(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { store, log } = deps;
  const now = deps.clock();
  const steadySince = await store.clock.record(MAX_CLOCK_GAP);
  const trashedBefore = now - TRASH_DAYS * DAY;
  const isOnProbation = steadySince > now - PROBATION;
  let hasDeleted = false;
  let after = '';
  let page: RetentionRule[];
  do {
    page = await store.forms.listRetentionRules({ after, limit: PAGE_SIZE });
    after = page.at(-1)?.id ?? after;
    for (const form of page) {
      if (signal.aborted) break;
      const { id } = form;
      const days = form.retentionDays ?? deps.config.retentionDays;
      const before = now - (days ?? 0) * DAY;
      if (isOnProbation) {
        const isPaused = days !== null && (await store.retention.countOlder(id, before, 1)) > 0;
        if (isPaused) log.warn('retention paused for 24 h: clock jump or downtime', { form: id });
        continue;
      }
      const deletions: Array<readonly [Action, nextBatch: () => Promise<DeletionResult>]> = [
        ['trash.emptied', () => store.retention.deleteTrashed(id, trashedBefore)],
        ['submissions.expired', () => store.retention.deleteUnconfirmed(id, now - CONFIRM_DAYS * DAY)],
      ];
      if (days !== null) deletions.push(['submissions.expired', () => store.retention.deleteOlder(id, before)]);
      for (const [action, nextBatch] of deletions) {
        hasDeleted = (await deleteAndRecord(deps, form, action, nextBatch, signal)) || hasDeleted;
      }
    }
    await yieldToEventLoop();
  } while (page.length === PAGE_SIZE && !signal.aborted);
  // A form whose deletion has begun no longer depends on the clock.
  return (await deleteTrashedForms(deps, isOnProbation ? 1 : trashedBefore, signal)) || hasDeleted;
}

/** Deletes the forms trashed before `before`, with their submissions. Returns true if there are any. */
async function deleteTrashedForms(deps: Deps, before: Micros, signal: AbortSignal): Promise<boolean> {
  const forms = await deps.store.trash.listExpiredForms(before, PAGE_SIZE);
  for (const { id, teamId } of forms) {
    if (signal.aborted) break;
    if (!(await deleteTrashedForm(deps, id, teamId, signal))) continue;
    await recordAction(deps, { teamIds: [teamId], actor: SYSTEM, action: 'form.deleted', details: { form_id: id } });
  }
  return forms.length > 0;
}

type Action = 'submissions.expired' | 'trash.emptied';

async function deleteAndRecord(
  deps: Deps,
  { id, teamId }: Pick<RetentionRule, 'id' | 'teamId'>,
  action: Action,
  nextBatch: () => Promise<DeletionResult>,
  signal: AbortSignal,
): Promise<boolean> {
  const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
  try {
    await deleteBatches(deps.blobs, nextBatch, counts, signal);
  } finally {
    if (counts.submissions > 0) {
      deps.log.info('old submissions deleted', { form: id, action, ...counts });
      const details = { form_id: id, ...counts };
      await recordAction(deps, { teamIds: [teamId], actor: SYSTEM, action, details });
    }
  }
  return counts.submissions > 0;
}
