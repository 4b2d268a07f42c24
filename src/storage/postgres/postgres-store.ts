import { type Clock, systemClock } from '../../lib/clock.ts';
import type { LimitOf } from '../accept-decision.ts';
import type { CommitObserver } from '../group-commit.ts';
import type { Store } from '../store.ts';
import { sharedStores } from '../stores/index.ts';
import { connectionStore } from './connection.ts';
import type { Postgres } from './database.ts';
import { deliveryClaimStore } from './delivery-claims.ts';
import { instanceStore, newSelf } from './instances.ts';
import { integrityStore } from './integrity.ts';
import { mailClaimStore } from './mail-claims.ts';
import { Pipeline } from './pipeline.ts';
import { retentionStore } from './retention.ts';
import { sealedRecordStore } from './sealed-records.ts';
import { signInAttemptStore } from './sign-in-attempts.ts';
import { statsStore } from './stats.ts';
import { submissionQueue } from './submission-queue.ts';
import { unitsOfWork } from './units.ts';
import { upkeepStore } from './upkeep.ts';

/**
 * Creates the PostgreSQL store. `limitOf`, `mailDomain`, `onCommit` and
 * `storageLimitOf` are those of `sqliteStore`. Closing the store closes the pool.
 */
export function postgresStore(
  postgres: Postgres,
  clock: Clock,
  limitOf: LimitOf = () => null,
  mailDomain: string | null = null,
  onCommit: CommitObserver = () => {},
  storageLimitOf: LimitOf = () => null,
) {
  const { db } = postgres;
  // One clock for all processes: that of the database, unless a test sets the time.
  const sharedClock = clock === systemClock ? null : clock;
  const self = newSelf();
  const pipeline = new Pipeline(postgres);
  const units = {
    ...connectionStore(postgres, pipeline),
    ...sharedStores(db, clock, mailDomain),
    ...instanceStore(db, sharedClock, self),
    ...mailClaimStore(db, clock, self),
    ...deliveryClaimStore(db, clock, self),
    ...retentionStore(db, clock),
    ...sealedRecordStore(db),
    ...signInAttemptStore(db, sharedClock),
    ...statsStore(db),
    ...integrityStore(db),
    ...upkeepStore(postgres, clock),
  } satisfies Partial<Store>;
  const limits = { submissions: limitOf, storage: storageLimitOf };
  const queue = submissionQueue(postgres, pipeline, sharedClock, limits, mailDomain, onCommit);
  return { ...unitsOfWork(units), ...queue };
}
