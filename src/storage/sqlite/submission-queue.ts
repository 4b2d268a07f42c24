import { SQLiteError } from 'bun:sqlite';
import type { Clock } from '../../lib/clock.ts';
import { type PlanLimits, splitStale } from '../accept-decision.ts';
import { type CommitObserver, GroupCommit } from '../group-commit.ts';
import type { AcceptResult, NewSubmission, Store } from '../store.ts';
import { acceptTransaction } from './accept.ts';
import { currentKeyReader } from './accept-statements.ts';
import type { Checkpointer } from './checkpointer.ts';
import { type Drizzle, toAppError } from './database.ts';
import type { UnitQueue } from './units.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

type Deps = Readonly<{
  limits: PlanLimits;
  mailDomain: string | null;
  onCommit: CommitObserver;
  checkpointer: Checkpointer;
}>;

/** Creates the store methods that accept submissions in groups. `close` first commits queued submissions. */
export function submissionQueue(
  db: Drizzle,
  units: UnitQueue,
  clock: Clock,
  { limits, mailDomain, onCommit, checkpointer }: Deps,
): Pick<Store, 'acceptSubmission' | 'flushSubmissions' | 'close'> {
  const accept = acceptTransaction(db, clock, limits, mailDomain);
  const currentKey = currentKeyReader(db);
  /** Refuses submissions under a retired key. No other process changes the key while this one serves. */
  const acceptFresh = (batch: readonly NewSubmission[]): readonly AcceptResult[] => {
    const { fresh, withRefusals } = splitStale(batch, currentKey());
    return withRefusals(accept(fresh));
  };
  const wal = new WriteAheadLog(db);
  const group = new GroupCommit<NewSubmission, AcceptResult>({
    commit: (batch) => units.retryWhileBusy(() => wal.commitUnsynced(() => acceptFresh(batch))),
    sync: async () => {
      await wal.sync();
      checkpointer.start();
    },
    isItemError: (error) => !(error instanceof SQLiteError) || (error.code ?? '').startsWith('SQLITE_CONSTRAINT'),
    toCallerError: toAppError,
    onCommit,
  });
  return {
    acceptSubmission: (submission) => group.add(submission),
    flushSubmissions: () => group.flush(),
    close: async () => {
      await group.flush();
      await checkpointer.close();
      wal.close();
      db.$client.close();
    },
  };
}
