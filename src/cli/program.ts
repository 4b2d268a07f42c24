import { Command, CommanderError } from 'commander';
import { currentRelease, releaseText, VERSION } from '../version.ts';
import { auditCommand } from './audit.ts';
import { backupCommand } from './backup.ts';
import type { CliContext, CliIO } from './command.ts';
import { doctorCommand } from './doctor.ts';
import { formCommand } from './form.ts';
import { healthCommand } from './health.ts';
import { keyCommand } from './key.ts';
import { mailCommand } from './mail.ts';
import { outboxCommand } from './outbox.ts';
import { recordCommand } from './record.ts';
import { restoreCommand } from './restore.ts';
import { serviceCommand } from './service.ts';
import { submissionCommand } from './submission.ts';
import { teamCommand } from './team.ts';
import { userCommand } from './user.ts';
import { vaultCommand } from './vault.ts';
import { workspaceCommand } from './workspace.ts';

/**
 * Runs one command line and returns its exit code: 0 done, 2 wrong usage. A refusal is thrown as `AppError` or
 * `SetupError` for the caller to show.
 */
export async function runCommand(args: readonly string[], world: CliIO): Promise<number> {
  try {
    // Only then: from source it takes a run of Git.
    const asksVersion = ['--version', '-V'].some((option) => args.includes(option));
    const version = asksVersion ? releaseText(await currentRelease()) : VERSION;
    await newProgram(world, version).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** The program with all commands; `version` is the text of `--version`. */
export function newProgram(world: CliIO, version = VERSION): Command {
  let running: Command | null = null;
  const surroundings: CliContext = {
    ...world,
    finish: async (context, notes) => {
      if (running) await recordCommand(context, running, notes);
    },
  };
  const program = new Command('formstead')
    .description('Self-hosted form backend. Without a command it serves.')
    .version(version)
    .action(async () => {
      if (program.args.length > 0) program.error(`error: unknown command '${program.args[0]}'`);
      await surroundings.serve();
    })
    .hook('preAction', (_, command) => {
      running = command;
    })
    .allowExcessArguments();
  program.addCommand(
    new Command('serve').description('take submissions and answer the API until SIGTERM').action(surroundings.serve),
  );
  for (const make of [
    teamCommand,
    userCommand,
    workspaceCommand,
    formCommand,
    submissionCommand,
    keyCommand,
    outboxCommand,
    mailCommand,
    auditCommand,
    backupCommand,
    restoreCommand,
    vaultCommand,
    doctorCommand,
    healthCommand,
    serviceCommand,
  ])
    program.addCommand(make(surroundings));
  settle(program, surroundings);
  return program;
}

/** Neither commander nor a command of its own ends the process or prints past `surroundings`. */
function settle(command: Command, surroundings: CliContext): void {
  command
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: surroundings.stdout, writeErr: surroundings.stderr })
    .showHelpAfterError('(see --help)');
  const isLeaf = command.commands.length === 0 && command.name() !== 'serve';
  if (isLeaf) command.option('--json', 'print JSON instead of a table');
  for (const child of command.commands) settle(child, surroundings);
}
