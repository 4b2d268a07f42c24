import { resolve } from 'node:path';
import { Command } from 'commander';
import { formatTime } from '../lib/clock.ts';
import { type CliContext, printList, printOne, withContext } from './command.ts';

/** `formstead instance …` */
export function instanceCommand(cli: CliContext): Command {
  const instance = new Command('instance').description('the instance as a whole');

  instance
    .command('list')
    .description('list all teams with their forms, submissions, bytes and last activity')
    .action(() =>
      withContext(cli, async ({ store }) => {
        const rows = (await store.teams.listStats()).map(({ lastActivity, createdAt: _, ...team }) => ({
          ...team,
          last_activity_at: lastActivity === null ? null : formatTime(lastActivity),
        }));
        printList(cli, rows, ['id', 'name', 'plan', 'forms', 'submissions', 'bytes', 'last_activity_at']);
      }),
    );

  return instance;
}

/** `formstead init` */
export function initCommand(cli: CliContext): Command {
  return new Command('init')
    .description('create an instance: data directory, encryption key and database, without a team')
    .action(() =>
      withContext({ ...cli, open: () => cli.open(true) }, async ({ config, keyFile }) => {
        printOne(cli, { created: resolve(config.dataDir), key_file: keyFile?.path ?? null });
      }),
    );
}

/** `formstead config` */
export function configCommand(cli: CliContext): Command {
  return new Command('config')
    .description('print every setting with its value and source; secrets are hidden')
    .action(async () => {
      const { rows, warnings, file } = await cli.settings();
      printList(cli, rows, ['name', 'value', 'source']);
      for (const warning of warnings) cli.stderr(`${warning}\n`);
      cli.stderr(file === null ? 'No settings file was read.\n' : `Settings file: ${file}\n`);
    });
}
