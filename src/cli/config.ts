import { Command } from 'commander';
import { type CliContext, printList } from './command.ts';

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
