import { Command } from 'commander';
import { sendTestMail } from '../services/mail/test-mail.ts';
import { type CliContext, printOne, withContext } from './command.ts';

/** `formstead mail …` */
export function mailCommand(cli: CliContext): Command {
  const mail = new Command('mail').description('the mail server');

  mail
    .command('test')
    .description('send a test mail; explains the error if it fails')
    .requiredOption('--to <address>', 'recipient')
    .action(({ to }: { to: string }) =>
      withContext(cli, async (context) => {
        const sent = await sendTestMail(context, to, 'en');
        printOne(cli, { sent_to: sent.to, sent_from: sent.from });
      }),
    );

  return mail;
}
