import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { auditStore } from './audit.ts';
import { clockRepairStore } from './clock-repair.ts';
import { deliveryLogStore } from './delivery-log.ts';
import { deliveryResultStore } from './delivery-results.ts';
import { digestStore } from './digests.ts';
import { exportStore } from './exports.ts';
import { formLogoStore } from './form-logos.ts';
import { formStatsStore } from './form-stats.ts';
import { formStore } from './forms.ts';
import { idempotencyStore } from './idempotency.ts';
import { importStore } from './imports.ts';
import { inboxStore } from './inbox.ts';
import { inboxPreferenceStore } from './inbox-preferences.ts';
import { keyStore } from './keys.ts';
import { memberStore } from './members.ts';
import { messageStore } from './messages.ts';
import { milestoneStore } from './milestones.ts';
import { outboxStore } from './outbox.ts';
import { secondFactorStore } from './second-factor.ts';
import { sessionStore } from './sessions.ts';
import { setupStore } from './setup.ts';
import { spamModelStore } from './spam-models.ts';
import { steadyClockStore } from './steady-clock.ts';
import { submissionStore } from './submissions.ts';
import { teamDeletionStore } from './team-deletion.ts';
import { teamMailStore } from './team-mails.ts';
import { teamStatsStore } from './team-stats.ts';
import { teamStore } from './teams.ts';
import { trashStore } from './trash.ts';
import { userStore } from './users.ts';
import { vaultKeyStore } from './vault-keys.ts';
import { webhookStore } from './webhooks.ts';

/** Creates the stores that both engines share. `mailDomain` is the domain of message ids, null if no mail is sent. */
export function sharedStores(db: Db, clock: Clock, mailDomain: string | null) {
  return {
    ...auditStore(db),
    ...clockRepairStore(db, clock),
    ...deliveryLogStore(db, clock),
    ...deliveryResultStore(db, clock, mailDomain),
    ...digestStore(db, clock, mailDomain),
    ...exportStore(db),
    ...formLogoStore(db),
    ...formStatsStore(db),
    ...formStore(db),
    ...idempotencyStore(db, clock),
    ...importStore(db),
    ...inboxPreferenceStore(db),
    ...inboxStore(db, clock),
    ...keyStore(db),
    ...memberStore(db, clock),
    ...messageStore(db, clock),
    ...milestoneStore(db),
    ...outboxStore(db, clock),
    ...secondFactorStore(db, clock),
    ...sessionStore(db, clock),
    ...setupStore(db, clock),
    ...spamModelStore(db, clock),
    ...steadyClockStore(db, clock),
    ...submissionStore(db, clock),
    ...teamDeletionStore(db),
    ...teamMailStore(db, clock),
    ...teamStatsStore(db),
    ...teamStore(db),
    ...trashStore(db),
    ...userStore(db, clock),
    ...vaultKeyStore(db),
    ...webhookStore(db, clock),
  };
}
