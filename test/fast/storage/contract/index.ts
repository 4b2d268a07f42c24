import { describeAudit } from './audit.ts';
import { describeClock } from './clock.ts';
import type { Engine } from './fixture.ts';
import { describeForms } from './forms.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeIdentities } from './identities.ts';
import { describeImports } from './imports.ts';
import { describeInbox } from './inbox.ts';
import { describeInstances } from './instances.ts';
import { describeKeys } from './keys.ts';
import { describeMessages } from './messages.ts';
import { describeOutbox } from './outbox.ts';
import { describePasskeys } from './passkeys.ts';
import { describeSealedRecords } from './sealed-records.ts';
import { describeSetup } from './setup.ts';
import { describeSpamModels } from './spam-models.ts';
import { describeStats } from './stats.ts';
import { describeSubmissions } from './submissions.ts';
import { describeSummaries } from './summaries.ts';
import { describeTeams } from './teams.ts';
import { describeTrash } from './trash.ts';
import { describeUsage } from './usage.ts';
import { describeUsers } from './users.ts';
import { describeVaultKeys } from './vault-keys.ts';
import { describeWebhooks } from './webhooks.ts';

/** The contract tests of `Store`, each suite on its own database and through the interface only. */
export const SUITES = {
  teams: describeTeams,
  users: describeUsers,
  identities: describeIdentities,
  passkeys: describePasskeys,
  keys: describeKeys,
  forms: describeForms,
  submissions: describeSubmissions,
  usage: describeUsage,
  idempotency: describeIdempotency,
  inbox: describeInbox,
  imports: describeImports,
  trash: describeTrash,
  summaries: describeSummaries,
  outbox: describeOutbox,
  messages: describeMessages,
  webhooks: describeWebhooks,
  instances: describeInstances,
  audit: describeAudit,
  clock: describeClock,
  setup: describeSetup,
  spamModels: describeSpamModels,
  stats: describeStats,
  vaultKeys: describeVaultKeys,
  sealedRecords: describeSealedRecords,
} satisfies Record<string, (engine: Engine) => Promise<void>>;

/** Runs all contract tests, or these suites. */
export async function describeStore(engine: Engine, suites = Object.keys(SUITES) as Array<keyof typeof SUITES>) {
  for (const name of suites) await SUITES[name](engine);
}
