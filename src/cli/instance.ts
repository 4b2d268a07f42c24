import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatTime } from '../lib/clock.ts';
import { CliCommand, type CliContext, printList, printOne } from './command.ts';

/** `formstead instance …` */
export function instanceCommand(cli: CliContext): Command {
  const instance = new CliCommand(cli, 'instance').description('the instance as a whole');

  instance
    .command('list')
    .description('list all teams with their forms, submissions, bytes and last activity')
    .run(async ({ store }) => {
      const rows = (await store.teams.listStats()).map(({ lastActivity, createdAt: _, ...team }) => ({
        ...team,
        last_activity_at: lastActivity === null ? null : formatTime(lastActivity),
      }));
      printList(cli, rows, ['id', 'name', 'plan', 'forms', 'submissions', 'bytes', 'last_activity_at']);
    });

  return instance;
}

/** `formstead init` */
export function initCommand(cli: CliContext): Command {
  return new CliCommand({ ...cli, open: () => cli.open(true) }, 'init')
    .description('create an instance: data directory, encryption key and database, without a team')
    .run(async ({ config, keyFile }) => {
      printOne(cli, { created: resolve(config.dataDir), key_file: keyFile?.path ?? null });
    });
}

/** `formstead config` */
export function configCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'config')
    .description('print every setting with its value and source; secrets are hidden')
    .action(async () => {
      const { rows, warnings, file } = await cli.settings();
      printList(cli, rows, ['name', 'value', 'source']);
      for (const warning of warnings) cli.stderr(`${warning}\n`);
      cli.stderr(file === null ? 'No settings file was read.\n' : `Settings file: ${file}\n`);
    });
}
