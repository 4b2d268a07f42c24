import { resolve } from 'node:path';
import { Command } from 'commander';
import { type CliContext, printOne, withContext } from './command.ts';

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
