import type { Command } from 'commander';
import type { Destinations } from '../domain/forms/destinations.ts';
import type { Form } from '../domain/forms/form.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { formatTime } from '../lib/clock.ts';
import { tryDestinations } from '../services/forms/try-destinations.ts';
import { CliCommand, type CliContext, parseLimit, printList, printOne } from './command.ts';
import { requireForm } from './form-lookup.ts';

/** `formstead form routes`: a dry run of the conditions of recipients and webhooks. */
export function routesCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'routes')
    .argument('<id>')
    .description('show which recipients and webhooks the latest submissions would go to; sends nothing')
    .option('--limit <count>', 'maximum number of submissions', parseLimit, 100)
    .run(async (context, id: string, { limit }: { limit: number }) => {
      const form = await requireForm(context.store, id);
      const submissions = await tryDestinations(context, form, limit, serializeDecision);
      const totals = getTotals(form, submissions);
      if (context.mail === null && form.notify.length > 0) {
        cli.stderr('No mail server is configured, so recipients get nothing. Set SMTP_URL and MAIL_FROM.\n');
      }
      if (cli.asJson) return printOne(cli, { form_id: form.id, totals, submissions });
      printList(cli, submissions, ['id', 'created_at', 'is_spam', 'is_fallback', 'recipients', 'webhooks']);
      cli.stdout('\n');
      printList(cli, totals, ['kind', 'route', 'submissions']);
    });
}

function serializeDecision({ id, createdAt, isSpam }: StoredSubmission, routes: Destinations) {
  return {
    id,
    created_at: formatTime(createdAt),
    is_spam: isSpam,
    is_fallback: routes.isFallback,
    recipients: routes.recipients,
    webhooks: routes.webhooks.map((webhook) => webhook.id),
  };
}

/** Returns the number of submissions for each recipient and webhook of the form. */
function getTotals({ notify, webhookRoutes }: Form, decisions: ReadonlyArray<ReturnType<typeof serializeDecision>>) {
  const total = (kind: 'recipient' | 'webhook', route: string) => {
    const submissions = decisions.filter((decision) => decision[`${kind}s`].includes(route)).length;
    return { kind, route, submissions };
  };
  return [
    ...notify.map((address) => total('recipient', address)),
    ...webhookRoutes.map(({ id }) => total('webhook', id)),
  ];
}
