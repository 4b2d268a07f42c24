import { SQLiteError } from 'bun:sqlite';
import type { Clock } from '../../lib/clock.ts';
import type { LimitOf } from '../accept-decision.ts';
import type { AcceptResult, NewSubmission, Store } from '../store.ts';
import { acceptTransaction } from './accept.ts';
import type { Checkpointer } from './checkpointer.ts';
import { type Drizzle, toAppError } from './database.ts';
import { type CommitObserver, GroupCommit } from './group-commit.ts';
import { retryWhileBusy } from './units.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

type Deps = Readonly<{
  limitOf: LimitOf;
  storageLimitOf: LimitOf;
  mailDomain: string | null;
  onCommit: CommitObserver;
  checkpointer: Checkpointer;
}>;

/** Creates the store methods that accept submissions in groups. `close` first commits queued submissions. */
export function submissionQueue(
  db: Drizzle,
  clock: Clock,
  { limitOf, storageLimitOf, mailDomain, onCommit, checkpointer }: Deps,
): Pick<Store, 'acceptSubmission' | 'flushSubmissions' | 'close'> {
  const accept = acceptTransaction(db, clock, limitOf, storageLimitOf, mailDomain);
  const wal = new WriteAheadLog(db);
  const group = new GroupCommit<NewSubmission, AcceptResult>({
    commit: (batch) => retryWhileBusy(() => wal.commitUnsynced(() => accept(batch))),
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
