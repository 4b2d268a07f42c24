import { SQLiteError } from 'bun:sqlite';
import type { Clock, Micros } from '../../lib/clock.ts';
import { type PlanLimits, splitStale } from '../accept-decision.ts';
import { type CommitObserver, GroupCommit } from '../group-commit.ts';
import type { AcceptResult, NewSubmission } from '../records.ts';
import type { EngineStores } from '../store.ts';
import type { MailDomain } from '../stores/outbox.ts';
import { acceptTransaction } from './accept.ts';
import { clockReader } from './accept-statements.ts';
import type { Checkpointer } from './checkpointer.ts';
import { type Drizzle, toAppError } from './database.ts';
import type { UnitQueue } from './units.ts';
import { WriteAheadLog } from './write-ahead-log.ts';

type Deps = Readonly<{
  limits: PlanLimits;
  mailDomain: MailDomain;
  onCommit: CommitObserver;
  checkpointer: Checkpointer;
}>;

/** Time that a probe waits for another writer. */
const PROBE_WAIT_MS = 5_000;

/** More than the cache of pages, so that SQLite writes to the log before the end of the transaction. */
const LARGE_BYTES = 4 * 1024 * 1024;

/** Creates the store methods that accept submissions in groups. `close` first commits queued submissions. */
export function submissionQueue(
  db: Drizzle,
  units: UnitQueue,
  clock: Clock,
  { limits, mailDomain, onCommit, checkpointer }: Deps,
): EngineStores['queue'] & { close(): Promise<void> } {
  const accept = acceptTransaction(db, clock, limits, mailDomain);
  const currentKey = db.$client.query<{ id: number }, []>("SELECT id FROM vault_keys WHERE state = 'current'");
  /** Refuses submissions under a retired key. No other process changes the key while this one serves. */
  const acceptFresh = (batch: readonly NewSubmission[]): readonly AcceptResult[] => {
    const { fresh, withRefusals } = splitStale(batch, currentKey.get()?.id);
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
  const readLast = clockReader(db);
  const insertProbe = db.$client.query<never, [createdAt: Micros, bytes: number]>(
    `INSERT INTO submissions (created_at, id, form_key, is_spam, payload)
     SELECT ?, 'probe', key, 0, zeroblob(?) FROM forms LIMIT 1`,
  );
  const tryInsert = (large: boolean): void => {
    db.$client.run('BEGIN IMMEDIATE');
    try {
      insertProbe.run(readLast() + 1, large ? LARGE_BYTES : 1);
    } finally {
      // A full disk ends the transaction.
      if (db.$client.inTransaction) db.$client.run('ROLLBACK');
    }
    // An unused setting. Writing it needs a sync even if its value does not change, but a rollback needs none.
    db.$client.run('PRAGMA user_version = 0');
  };
  return {
    accept: (submission) => group.add(submission),
    flush: () => group.flush(),
    probe: async (large = false) => {
      await units.run(() => wal.commitUnsynced(() => tryInsert(large)), PROBE_WAIT_MS);
      await wal.sync().catch((error: unknown) => {
        throw toAppError(error);
      });
    },
    close: async () => {
      await group.flush();
      await checkpointer.close();
      wal.close();
      db.$client.close();
    },
  };
}
