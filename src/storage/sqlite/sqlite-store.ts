import { statSync } from 'node:fs';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { LimitOf } from '../accept-decision.ts';
import type { CommitObserver } from '../group-commit.ts';
import type { Store } from '../store.ts';
import { sharedStores } from '../stores/index.ts';
import { mailClaimStore } from '../stores/mail-claims.ts';
import type { MailDomain } from '../stores/outbox.ts';
import { withReach } from '../stores/reach.ts';
import { statsStore } from '../stores/stats.ts';
import { Checkpointer } from './checkpointer.ts';
import { checkIntegrity, type Drizzle } from './database.ts';
import { deliveryClaimStore } from './delivery-claims.ts';
import { instanceStore } from './instances.ts';
import { findDueMails } from './mail-claims.ts';
import { purgeStore } from './purge.ts';
import { submissionQueue } from './submission-queue.ts';
import { toDb, UnitQueue } from './units.ts';

/**
 * Creates the SQLite store. `limitOf` returns the submission limit of a plan; `mailDomain` is the domain of message
 * ids, null if no mail is sent; `onCommit` observes the group commits of submissions; `storageLimitOf` returns the
 * storage limit of a plan in bytes. Closing the store closes `drizzle`.
 */
export function sqliteStore(
  drizzle: Drizzle,
  clock: Clock,
  limitOf: LimitOf,
  mailDomain: MailDomain = () => null,
  onCommit: CommitObserver = () => {},
  storageLimitOf: LimitOf = () => null,
): Store {
  // Waiting for another writer would block the event loop: see `UnitQueue`.
  drizzle.$client.run('PRAGMA busy_timeout = 0');
  const units = new UnitQueue();
  const db = toDb(drizzle);
  const instanceId = newId('ins');
  const purge = purgeStore(drizzle, db, clock, units);
  const checkpointer = new Checkpointer(drizzle, clock);
  const limits = { submissions: limitOf, storage: storageLimitOf };
  const queue = submissionQueue(drizzle, units, clock, { limits, mailDomain, onCommit, checkpointer });
  const { close: closeQueue, ...queueMethods } = queue;
  const wrapped = units.wrap({
    ...sharedStores(db, clock, mailDomain),
    claims: {
      ...mailClaimStore(db, clock, instanceId, findDueMails),
      ...deliveryClaimStore(drizzle, clock, instanceId),
    },
    instances: instanceStore(drizzle, clock, instanceId),
    // The only process counts them by itself.
    signInAttempts: { count: () => 0, takeBack: () => {} },
    upkeep: {
      ...statsStore(db, () => statSync(`${drizzle.$client.filename}-wal`, { throwIfNoEntry: false })?.size ?? 0),
      checkIntegrity: () => checkIntegrity(drizzle),
      // The settings of SQLite were checked when the database was opened.
      readDurability: () => {
        return { machines: 1, message: 'acknowledged means on 1 machine', faults: [], isRefusing: false };
      },
    },
  });
  const store: Store = {
    ...wrapped,
    queue: queueMethods,
    upkeep: { ...wrapped.upkeep, ...purge.methods, maintain: (atStop = false) => checkpointer.maintain(atStop) },
    within: (reach) => ({ ...store, ...units.wrap(sharedStores(withReach(db, reach), clock, mailDomain)) }),
    close: async () => {
      await closeQueue();
      purge.close();
    },
  };
  return store;
}
