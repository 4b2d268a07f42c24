import { Command } from 'commander';
import { type CliContext, printOne, type RunningDemo } from './command.ts';

/** `formstead demo` */
export function demoCommand(cli: CliContext): Command {
  return new Command('demo')
    .description('run a demo with 300 submissions in a temporary folder, which is deleted at the end')
    .option('--public', 'let anyone look at it, without changes, and start it anew each hour')
    .action(({ public: isPublic = false }: { public?: boolean }) =>
      cli.runDemo(isPublic, (demo) => {
        if (cli.asJson) printOne(cli, demo);
        else cli.stderr(greeting(demo, isPublic));
      }),
    );
}

function greeting({ url, link, email, password, submissions }: RunningDemo, isPublic: boolean): string {
  const account = isPublic ? '' : `Some changes ask for the password of ${email}: ${password}\n`;
  return `
A demo with ${submissions} submissions runs at ${url}. Open it signed in:

  ${link}

${account}Its emails are at ${url}/dashboard/demo/mails. Press Ctrl-C to stop it; everything is deleted then.

`;
}
