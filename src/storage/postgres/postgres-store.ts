import { type Clock, systemClock } from '../../lib/clock.ts';
import type { LimitOf } from '../accept-decision.ts';
import type { CommitObserver } from '../group-commit.ts';
import type { Store } from '../store.ts';
import { auditStore } from './audit.ts';
import { clockRepairStore } from './clock-repair.ts';
import { connectionStore } from './connection.ts';
import type { Postgres } from './database.ts';
import { deliveryClaimStore } from './delivery-claims.ts';
import { deliveryLogStore } from './delivery-log.ts';
import { digestStore } from './digests.ts';
import { exportStore } from './exports.ts';
import { formLogoStore } from './form-logos.ts';
import { formStatsStore } from './form-stats.ts';
import { formStore } from './forms.ts';
import { idempotencyStore } from './idempotency.ts';
import { importStore } from './imports.ts';
import { inboxStore } from './inbox.ts';
import { inboxPreferenceStore } from './inbox-preferences.ts';
import { instanceStore, newSelf } from './instances.ts';
import { integrityStore } from './integrity.ts';
import { keyStore } from './keys.ts';
import { Leader } from './leader.ts';
import { memberStore } from './members.ts';
import { messageStore } from './messages.ts';
import { milestoneStore } from './milestones.ts';
import { outboxStore } from './outbox.ts';
import { Pipeline } from './pipeline.ts';
import { retentionStore } from './retention.ts';
import { sealedRecordStore } from './sealed-records.ts';
import { secondFactorStore } from './second-factor.ts';
import { sessionStore } from './sessions.ts';
import { setupStore } from './setup.ts';
import { signInAttemptStore } from './sign-in-attempts.ts';
import { spamModelStore } from './spam-models.ts';
import { statsStore } from './stats.ts';
import { steadyClockStore } from './steady-clock.ts';
import { submissionQueue } from './submission-queue.ts';
import { submissionStore } from './submissions.ts';
import { teamDeletionStore } from './team-deletion.ts';
import { teamMailStore } from './team-mails.ts';
import { teamStore } from './teams.ts';
import { trashStore } from './trash.ts';
import { unitsOfWork } from './units.ts';
import { upkeepStore } from './upkeep.ts';
import { userStore } from './users.ts';
import { vaultKeyStore } from './vault-keys.ts';
import { webhookStore } from './webhooks.ts';

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
  const leader = new Leader(postgres);
  const pipeline = new Pipeline(postgres);
  const units = {
    ...connectionStore(postgres, pipeline),
    ...teamStore(db),
    ...teamDeletionStore(db),
    ...formStore(db),
    ...formStatsStore(db),
    ...formLogoStore(db),
    ...keyStore(db),
    ...userStore(db, clock),
    ...sessionStore(db, clock),
    ...memberStore(db, clock),
    ...secondFactorStore(db, clock),
    ...idempotencyStore(db, clock),
    ...inboxPreferenceStore(db),
    ...outboxStore(db, clock, self),
    ...instanceStore(db, sharedClock, self, leader),
    ...signInAttemptStore(db, sharedClock),
    ...steadyClockStore(db, clock),
    ...clockRepairStore(db, clock),
    ...teamMailStore(db, clock),
    ...digestStore(db, clock, mailDomain),
    ...webhookStore(db, clock),
    ...deliveryClaimStore(db, clock, mailDomain, self),
    ...deliveryLogStore(db, clock),
    ...vaultKeyStore(db),
    ...auditStore(db),
    ...statsStore(db),
    ...integrityStore(db),
    ...milestoneStore(db),
    ...trashStore(db),
    ...setupStore(db, clock),
    ...submissionStore(db, clock),
    ...inboxStore(db, clock),
    ...messageStore(db, clock),
    ...exportStore(db),
    ...importStore(db),
    ...retentionStore(db, clock),
    ...spamModelStore(db, clock),
    ...sealedRecordStore(db),
    ...upkeepStore(postgres, clock),
  } satisfies Partial<Store>;
  const limits = { submissions: limitOf, storage: storageLimitOf };
  const queue = submissionQueue(postgres, pipeline, sharedClock, limits, mailDomain, onCommit);
  const close = async () => {
    await leader.resign();
    await queue.close();
  };
  return { ...unitsOfWork(units), ...queue, close };
}
