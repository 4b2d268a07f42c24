import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { LimitOf } from '../accept-decision.ts';
import type { CommitObserver } from '../group-commit.ts';
import type { Store } from '../store.ts';
import { auditStore } from './audit.ts';
import { Checkpointer } from './checkpointer.ts';
import { clockRepairStore } from './clock-repair.ts';
import type { Drizzle } from './database.ts';
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
import { instanceStore } from './instances.ts';
import { keyStore } from './keys.ts';
import { memberStore } from './members.ts';
import { messageStore } from './messages.ts';
import { milestoneStore } from './milestones.ts';
import { outboxStore } from './outbox.ts';
import { purgeStore } from './purge.ts';
import { retentionStore } from './retention.ts';
import { sealedRecordStore } from './sealed-records.ts';
import { secondFactorStore } from './second-factor.ts';
import { sessionStore } from './sessions.ts';
import { setupStore } from './setup.ts';
import { spamModelStore } from './spam-models.ts';
import { probeStore, statsStore } from './stats.ts';
import { submissionQueue } from './submission-queue.ts';
import { submissionStore } from './submissions.ts';
import { teamDeletionStore } from './team-deletion.ts';
import { teamMailStore } from './team-mails.ts';
import { teamStore } from './teams.ts';
import { trashStore } from './trash.ts';
import { unitsOfWork } from './units.ts';
import { userStore } from './users.ts';
import { vaultKeyStore } from './vault-keys.ts';
import { webhookStore } from './webhooks.ts';

/**
 * Creates the SQLite store. `limitOf` returns the submission limit of a plan; `mailDomain` is the domain of message
 * ids, null if no mail is sent; `onCommit` observes the group commits of submissions; `storageLimitOf` returns the
 * storage limit of a plan in bytes. Closing the store closes `db`.
 */
export function sqliteStore(
  db: Drizzle,
  clock: Clock,
  limitOf: LimitOf,
  mailDomain: string | null = null,
  onCommit: CommitObserver = () => {},
  storageLimitOf: LimitOf = () => null,
): Store {
  // Waiting for another writer would block the event loop: see `retryWhileBusy`.
  db.$client.run('PRAGMA busy_timeout = 0');
  const instanceId = newId('ins');
  const units = {
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
    ...submissionStore(db, clock),
    ...idempotencyStore(db, clock),
    ...importStore(db),
    ...inboxStore(db, clock),
    ...messageStore(db, clock),
    ...inboxPreferenceStore(db),
    ...outboxStore(db, clock, instanceId),
    ...instanceStore(db, clock, instanceId),
    ...exportStore(db),
    ...retentionStore(db, clock),
    ...clockRepairStore(db, clock),
    ...teamMailStore(db, clock),
    ...digestStore(db, clock, mailDomain),
    ...webhookStore(db, clock),
    ...deliveryClaimStore(db, clock, mailDomain, instanceId),
    ...deliveryLogStore(db, clock),
    ...vaultKeyStore(db),
    ...sealedRecordStore(db),
    ...spamModelStore(db, clock),
    ...auditStore(db),
    ...statsStore(db),
    ...milestoneStore(db),
    ...trashStore(db),
  };
  const purge = purgeStore(db, clock);
  const checkpointer = new Checkpointer(db, clock);
  const queue = submissionQueue(db, clock, { limitOf, storageLimitOf, mailDomain, onCommit, checkpointer });
  return {
    ...unitsOfWork({ ...units, ...setupStore(db, units) }),
    maintain: (atStop = false) => checkpointer.maintain(atStop),
    ...probeStore(db),
    ...purge.methods,
    ...queue,
    close: async () => {
      await queue.close();
      purge.close();
    },
  };
}
