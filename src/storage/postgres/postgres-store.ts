import { type Clock, systemClock } from '../../lib/clock.ts';
import type { LimitOf } from '../accept-decision.ts';
import type { CommitObserver } from '../group-commit.ts';
import type { Store } from '../store.ts';
import { sharedStores } from '../stores/index.ts';
import { mailClaimStore } from '../stores/mail-claims.ts';
import type { MailDomain } from '../stores/outbox.ts';
import { withReach } from '../stores/reach.ts';
import { statsStore } from '../stores/stats.ts';
import { connectionStore } from './connection.ts';
import type { Postgres } from './database.ts';
import { deliveryClaimStore } from './delivery-claims.ts';
import { instanceStore, mayClaim, newSelf } from './instances.ts';
import { integrityStore } from './integrity.ts';
import { findDueMails } from './mail-claims.ts';
import { Pipeline } from './pipeline.ts';
import { signInAttemptStore } from './sign-in-attempts.ts';
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
  mailDomain: MailDomain = () => null,
  onCommit: CommitObserver = () => {},
  storageLimitOf: LimitOf = () => null,
): Store {
  const { db } = postgres;
  // One clock for all processes: that of the database, unless a test sets the time.
  const sharedClock = clock === systemClock ? null : clock;
  const self = newSelf();
  const pipeline = new Pipeline(postgres);
  const connection = connectionStore(postgres, pipeline);
  const limits = { submissions: limitOf, storage: storageLimitOf };
  const { close, ...queue } = submissionQueue(postgres, pipeline, sharedClock, limits, mailDomain, onCommit);
  const units = unitsOfWork({
    ...sharedStores(db, clock, mailDomain),
    claims: {
      ...mailClaimStore(db, clock, self.id, findDueMails, (tx) => mayClaim(tx, self)),
      ...deliveryClaimStore(db, clock, self),
    },
    instances: instanceStore(db, sharedClock, self),
    signInAttempts: signInAttemptStore(db, sharedClock),
    upkeep: {
      ...connection.durability,
      ...integrityStore(db),
      // The log belongs to the server.
      ...statsStore(db, () => 0),
      ...upkeepStore(postgres, clock),
    },
    queue: { probe: connection.probe },
  });
  const store: Store = {
    ...units,
    queue: { ...units.queue, ...queue },
    within: (reach) => ({ ...store, ...unitsOfWork(sharedStores(withReach(db, reach), clock, mailDomain)) }),
    close,
  };
  return store;
}
