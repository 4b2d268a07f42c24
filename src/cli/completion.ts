import { Argument, Command } from 'commander';
import type { CliContext } from './command.ts';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { describeProgram } from './completion/program.ts';
import { zshCompletion } from './completion/zsh.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `formstead completion` */
export function completionCommand({ stdout }: CliContext): Command {
  return new Command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'shell that runs the script').choices(Object.keys(SHELLS)))
    .action((shell: keyof typeof SHELLS, _: unknown, command: Command) => {
      if (command.parent) stdout(SHELLS[shell](describeProgram(command.parent)));
    });
}
