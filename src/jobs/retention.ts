import { type Clock, DAY, type Micros } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop';
import { recordAction, SYSTEM } from '../services/audit.ts';
import type { Blobs } from '../storage/blobs.ts';
import type { Retained, Store } from '../storage/store.ts';
import type { Job } from './loop.ts';

const PAGE = 100;
/** After each batch posts have the machine to themselves for so many times as long as it took, at least a few milliseconds. */
const REST = 4;
const LEAST_REST_MS = 5;
/** A clock that leaps further than this between two runs is not believed until it has gone on steadily for a day. */
const LONGEST_GAP = DAY;
const PROBATION = DAY;
/** It holds others for some seven seconds a gigabyte, and is left out where that is more than a second. */
const REWRITE_EVERY = DAY;
const REWRITE_MOST = 128 * 1024 * 1024;

/** `retentionDays` counts where a form has none of its own; null for never. */
type Deps = Readonly<{
  store: Store;
  blobs: Blobs;
  clock: Clock;
  log: Logger;
  retentionDays: number | null;
}>;

type Counts = { submissions: number; files: number; mails: number };

/**
 * Deletes submissions that are older than their form, or the instance, keeps them; records what it did in the audit of each
 * team. What was deleted, here or elsewhere, is cleared out of the database's log each time.
 */
export function retentionJob(deps: Deps): Job {
  let mayRewriteAt = 0;
  const step = async (signal: AbortSignal) => {
    const now = deps.clock();
    if ((await retain(deps, signal)) && now >= mayRewriteAt && (await deps.store.rewrite(REWRITE_MOST))) {
      mayRewriteAt = now + REWRITE_EVERY;
    }
    await deps.store.clearLog();
  };
  return { name: 'retention', everyMs: 60 * 60 * 1000, step };
}

/** Whether anything was deleted. */
async function retain(deps: Deps, signal: AbortSignal): Promise<boolean> {
  const { store, log } = deps;
  const now = deps.clock();
  const steadySince = await store.noteClock(LONGEST_GAP);
  const isOnProbation = steadySince > now - PROBATION;
  let hasDeleted = false;
  let after = '';
  let page: Retained[];
  do {
    page = await store.listRetained({ after, limit: PAGE });
    after = page.at(-1)?.id ?? after;
    for (const form of page) {
      const days = form.retentionDays ?? deps.retentionDays;
      if (days === null || signal.aborted) continue;
      const before = now - days * DAY;
      if (!isOnProbation) hasDeleted = (await deleteOld(deps, form, before, signal)) || hasDeleted;
      else if ((await store.countOlder(form.id, before, 1)) > 0) {
        log.warn('nothing is deleted by age for a day: the clock has leapt, or no server ran', { form: form.id });
      }
    }
    await yieldToEventLoop();
  } while (page.length === PAGE && !signal.aborted);
  return hasDeleted;
}

async function deleteOld(deps: Deps, { id, teamId }: Retained, before: Micros, signal: AbortSignal): Promise<boolean> {
  const { store, blobs, log } = deps;
  const counts: Counts = { submissions: 0, files: 0, mails: 0 };
  try {
    while (!signal.aborted) {
      const began = performance.now();
      const deleted = await store.deleteOlder(id, before);
      if (deleted.submissions === 0) break;
      const took = performance.now() - began;
      counts.submissions += deleted.submissions;
      counts.files += deleted.blobs.length;
      counts.mails += deleted.mails;
      // What cannot be removed is an orphan now, which the sweep takes.
      await blobs.remove(deleted.blobs).catch(() => {});
      await Bun.sleep(Math.max(LEAST_REST_MS, REST * took));
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
