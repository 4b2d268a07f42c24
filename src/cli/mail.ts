import type { Command } from 'commander';
import { sendTestMail } from '../services/mail/test-mail.ts';
import { CliCommand, type CliContext, printOne } from './command.ts';

/** `formstead mail …` */
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
