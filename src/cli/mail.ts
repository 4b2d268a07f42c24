import { Command } from 'commander';
import { sendTestMail } from '../services/test-mail.ts';
import { type CliContext, printOne, withContext } from './command.ts';

/** `formstead mail …` */
export function mailCommand(surroundings: CliContext): Command {
  const mail = new Command('mail').description('the mail server');

  mail
    .command('test')
    .description('send one mail, and explain it if the server does not take it')
    .requiredOption('--to <address>', 'who gets it')
    .action(({ to, json }: { to: string; json?: boolean }) =>
      withContext(surroundings, async (context) => {
        const sent = await sendTestMail(context, to);
        printOne(surroundings, json === true, { sent_to: sent.to, sent_from: sent.from });
      }),
    );

  return mail;
}
