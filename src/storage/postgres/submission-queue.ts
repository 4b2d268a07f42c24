import { AppError } from '../../domain/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { PlanLimits } from '../accept-decision.ts';
import { type CommitObserver, GroupCommit } from '../group-commit.ts';
import type { AcceptResult, NewSubmission } from '../records.ts';
import type { EngineStores } from '../store.ts';
import type { MailDomain } from '../stores/outbox.ts';
import { acceptTransaction } from './accept.ts';
import type { Postgres } from './database.ts';
import type { Pipeline } from './pipeline.ts';
import { unitOfWork } from './units.ts';

/**
 * Creates the store methods that accept submissions in groups, with a connection of their own. `clock` replaces that of
 * the database unless it is null. `close` first commits queued submissions.
 */
export function submissionQueue(
  postgres: Postgres,
  pipeline: Pipeline,
  clock: Clock | null,
  limits: PlanLimits,
  mailDomain: MailDomain,
  onCommit: CommitObserver,
) {
  const accept = acceptTransaction(pipeline, clock, limits, mailDomain);
  const group = new GroupCommit<NewSubmission, AcceptResult>({
    commit: (batch) => unitOfWork(() => accept(batch)),
    // The server has synced what it committed.
    sync: async () => {},
    isItemError: (error) => !(error instanceof AppError),
    toCallerError: (error) => error,
    onCommit,
  });
  return {
    accept: (submission) => group.add(submission),
    flush: () => group.flush(),
    close: async () => {
      await group.flush();
      await pipeline.close();
      if (!postgres.pool.ending) await postgres.pool.end();
    },
  } satisfies Partial<EngineStores['queue']> & { close(): Promise<void> };
}
