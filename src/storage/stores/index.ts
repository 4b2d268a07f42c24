import type { Clock } from '../../lib/clock.ts';
import type { Db } from '../database.ts';
import { auditStore } from './audit.ts';
import { clockStore } from './clock.ts';
import { deliveryStore } from './deliveries.ts';
import { digestStore } from './digests.ts';
import { exportStore } from './exports.ts';
import { fileStore } from './files.ts';
import { formCheckStore } from './form-checks.ts';
import { formStore } from './forms.ts';
import { idempotencyStore } from './idempotency.ts';
import { importStore } from './imports.ts';
import { inboxPreferenceStore, inboxStore } from './inbox.ts';
import { mailServerStore, milestoneStore } from './instance.ts';
import { keyStore } from './keys.ts';
import { memberStore } from './members.ts';
import { messageStore } from './messages.ts';
import { type MailDomain, outboxStore } from './outbox.ts';
import { passkeyStore } from './passkeys.ts';
import { retentionStore } from './retention.ts';
import { sealedRecordStore } from './sealed-records.ts';
import { secondFactorStore } from './second-factor.ts';
import { sessionStore } from './sessions.ts';
import { setupStore } from './setup.ts';
import { spamModelStore } from './spam-models.ts';
import { teamStatsStore } from './stats.ts';
import { submissionStore } from './submissions.ts';
import { teamMailStore } from './team-mails.ts';
import { teamStore, workspaceStore } from './teams.ts';
import { trashStore } from './trash.ts';
import { usageStore } from './usage.ts';
import { identityStore, userStore } from './users.ts';
import { vaultKeyStore } from './vault-keys.ts';
import { webhookStore } from './webhooks.ts';

/**
 * Creates the stores that both engines share: one for each noun. Lists are oldest first unless noted. `mailDomain` returns the domain of
 * message ids, null while no mail is sent.
 */
export function sharedStores(db: Db, clock: Clock, mailDomain: MailDomain) {
  return {
    audit: auditStore(db),
    clock: clockStore(db, clock),
    deliveries: deliveryStore(db, clock, mailDomain),
    digests: digestStore(db, clock, mailDomain),
    exports: exportStore(db),
    formChecks: formCheckStore(db, clock, mailDomain),
    files: fileStore(db),
    forms: formStore(db),
    idempotency: idempotencyStore(db, clock),
    identities: identityStore(db, clock),
    imports: importStore(db),
    inbox: inboxStore(db, clock),
    inboxPreferences: inboxPreferenceStore(db),
    keys: keyStore(db),
    mailServer: mailServerStore(db),
    mails: { ...outboxStore(db, clock), ...teamMailStore(db, clock) },
    members: memberStore(db, clock),
    messages: messageStore(db, clock),
    milestones: milestoneStore(db),
    passkeys: passkeyStore(db, clock),
    retention: retentionStore(db, clock),
    sealedRecords: sealedRecordStore(db),
    secondFactors: secondFactorStore(db, clock),
    sessions: sessionStore(db, clock),
    setup: setupStore(db, clock),
    spam: spamModelStore(db, clock),
    submissions: submissionStore(db, clock),
    teams: { ...teamStore(db), ...teamStatsStore(db) },
    trash: trashStore(db),
    usage: usageStore(db),
    users: userStore(db, clock),
    vaultKeys: vaultKeyStore(db),
    webhooks: webhookStore(db, clock),
    workspaces: workspaceStore(db),
  };
}

export type SharedStores = ReturnType<typeof sharedStores>;
