import { SQLiteError } from 'bun:sqlite';
import type { Clock } from '../../lib/clock.ts';
import type { LimitOf } from '../accept-decision.ts';
import { type CommitObserver, GroupCommit } from '../group-commit.ts';
import type { AcceptResult, NewSubmission, Store } from '../store.ts';
import { acceptTransaction } from './accept.ts';
import { type Drizzle, toAppError, walCheckpointer } from './database.ts';
import { retryWhileBusy } from './units.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

/** Creates the store methods that accept submissions in groups. `close` first commits queued submissions. */
export function submissionQueue(
  db: Drizzle,
  clock: Clock,
  limitOf: LimitOf,
  mailDomain: string | null,
  onCommit: CommitObserver,
  storageLimitOf: LimitOf,
): Pick<Store, 'acceptSubmission' | 'flushSubmissions' | 'close'> {
  const accept = acceptTransaction(db, clock, limitOf, storageLimitOf, mailDomain);
  const checkpointWal = walCheckpointer(db);
  const wal = new WriteAheadLog(db);
  const group = new GroupCommit<NewSubmission, AcceptResult>({
    commit: (batch) => retryWhileBusy(() => wal.commitUnsynced(() => accept(batch))),
    sync: async () => {
      await wal.sync();
      checkpointWal();
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
      wal.close();
      db.$client.close();
    },
  };
}
