import type { Command } from 'commander';
import { Quarantine } from '../storage/quarantine.ts';
import { CliCommand, type CliContext, printOne } from './command.ts';

/** `formstead files …` */
export function filesCommand(cli: CliContext): Command {
  const files = new CliCommand(cli, 'files').description('uploaded files');

  files
    .command('restore')
    .description('bring back the files that the sweep removed within the last day')
    .run(async ({ clock, config: { dataDir } }) => {
      printOne(cli, { restored: await new Quarantine(dataDir).restore(clock()) });
    });

  return files;
}
