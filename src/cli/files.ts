import { Command } from 'commander';
import { Quarantine } from '../storage/quarantine.ts';
import { type CliContext, printOne, withContext } from './command.ts';

/** `formstead files …` */
export function filesCommand(cli: CliContext): Command {
  const files = new Command('files').description('uploaded files');

  files
    .command('restore')
    .description('bring back the files that the sweep removed within the last day')
    .action(() =>
      withContext(cli, async ({ clock, config: { dataDir } }) => {
        printOne(cli, { restored: await new Quarantine(dataDir).restore(clock()) });
      }),
    );

  return files;
}
