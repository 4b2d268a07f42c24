import { type Command, Option } from 'commander';
import type { Context } from '../context/context.ts';
import { notFound } from '../domain/errors.ts';
import { MAIL_STATES, type MailState, type StoredMail } from '../domain/mail/mail.ts';
import { formatTime } from '../lib/clock.ts';
import { sendTestMail } from '../services/mail/test-mail.ts';
import { readMailReason } from '../services/submissions/read-submission.ts';
import { CliCommand, type CliContext, parseLimit, printList, printOne } from './command.ts';

export function outboxCommand(cli: CliContext): Command {
  const outbox = new CliCommand(cli, 'outbox').description('the mail queue: queued, retrying, sent and dead mails');

  outbox
    .command('list')
    .description('list the newest mails')
    .addOption(new Option('--state <state>', 'only mails in this state').choices(MAIL_STATES))
    .option('--limit <number>', 'maximum number of mails, 1 to 1000', parseLimit, 50)
    .run(async (context, { state = null, limit }: { state?: MailState | null; limit: number }) => {
      const mails = await context.store.mails.list({ state, limit });
      const rows = mails.map((mail) => serializeMail(context, mail));
      printList(cli, rows, ['id', 'kind', 'state', 'failures', 'due_at', 'recipient', 'reason']);
    });

  outbox
    .command('retry [id]')
    .description('requeue one unsent mail or all dead mails, with a fresh retry schedule')
    .option('--dead', 'requeue all dead mails')
    .hook('preAction', (command) => {
      if ((command.args.length === 0) === (command.opts().dead === undefined)) {
        command.error('error: pass the id of a mail or --dead');
      }
    })
    .run(async ({ store, note }, id: string | undefined) => {
      const retried = await store.mails.retry(id === undefined ? 'dead' : { id });
      if (retried === 0 && id !== undefined) throw notFound(`there is no unsent mail "${id}"; see "outbox list".`);
      note({ ...(id !== undefined && { mail_id: id }), count: retried });
      printOne(cli, { retried });
    });

  return outbox;
}

function serializeMail({ vault, log }: Context, mail: StoredMail) {
  return {
    id: mail.id,
    kind: mail.kind,
    state: mail.state,
    failures: mail.failures,
    created_at: formatTime(mail.createdAt),
    due_at: mail.settledAt === null ? formatTime(mail.dueAt) : null,
    settled_at: mail.settledAt === null ? null : formatTime(mail.settledAt),
    form_id: mail.formId,
    submission_id: mail.submissionId,
    team_id: mail.teamId,
    recipient: mail.recipient,
    reason: readMailReason(vault, log, mail),
  };
}

export function mailCommand(cli: CliContext): Command {
  const mail = new CliCommand(cli, 'mail').description('the mail server');

  mail
    .command('test')
    .description('send a test mail; explains the error if it fails')
    .requiredOption('--to <address>', 'recipient')
    .run(async (context, { to }: { to: string }) => {
      const sent = await sendTestMail(context, to, 'en');
      printOne(cli, { sent_to: sent.to, sent_from: sent.from });
    });

  return mail;
}
