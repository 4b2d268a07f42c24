import { describeAudit } from './audit.ts';
import { describeClock } from './clock.ts';
import type { Engine } from './fixture.ts';
import { describeForms } from './forms.ts';
import { describeIdempotency } from './idempotency.ts';
import { describeImports } from './imports.ts';
import { describeInbox } from './inbox.ts';
import { describeInstances } from './instances.ts';
import { describeKeys } from './keys.ts';
import { describeMessages } from './messages.ts';
import { describeOutbox } from './outbox.ts';
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

/** Runs the contract tests of `Store`, each suite on its own database and through the interface only. */
export async function describeStore(engine: Engine): Promise<void> {
  await describeTeams(engine);
  await describeUsers(engine);
  await describeKeys(engine);
  await describeForms(engine);
  await describeSubmissions(engine);
  await describeUsage(engine);
  await describeIdempotency(engine);
  await describeInbox(engine);
  await describeImports(engine);
  await describeTrash(engine);
  await describeSummaries(engine);
  await describeOutbox(engine);
  await describeMessages(engine);
  await describeWebhooks(engine);
  await describeInstances(engine);
  await describeAudit(engine);
  await describeClock(engine);
  await describeSetup(engine);
  await describeSpamModels(engine);
  await describeStats(engine);
  await describeVaultKeys(engine);
  await describeSealedRecords(engine);
}
