import { Command, CommanderError } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { markText } from '../domain/instance/move.ts';
import { currentRelease, releaseText, VERSION } from '../version.ts';
import { auditCommand } from './audit.ts';
import { backupCommand, restoreCommand } from './backups.ts';
import type { CliContext, CliIO } from './command.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { suggestion, usageErrorText, withHint } from './error-text.ts';
import { formCommand } from './form.ts';
import { importCommand } from './import.ts';
import { clockCommand, configCommand, filesCommand, healthCommand, initCommand, instanceCommand } from './instance.ts';
import { keyCommand } from './key.ts';
import { mailCommand, outboxCommand } from './mail.ts';
import { moveCommand } from './move.ts';
import { changesInstance, recordCommand } from './record.ts';
import { serviceCommand } from './service.ts';
import { applyCommand, diffCommand, pullCommand } from './setup.ts';
import { submissionCommand } from './submission.ts';
import { teamCommand } from './team.ts';
import { userCommand } from './user.ts';
import { vaultCommand } from './vault.ts';
import { webhookCommand } from './webhook.ts';
import { workspaceCommand } from './workspace.ts';

const SETTINGS_HELP = `
Settings are environment variables. "formstead config" lists them with their values; /docs/configuration on the server
explains each one.`;

/**
 * Runs one command line and returns its exit code: 0 for success, 2 for a usage error or differences of `diff`. Throws `AppError` and
 * `SetupError`.
 */
export async function runCommand(args: readonly string[], io: CliIO): Promise<number> {
  const asJson = args.includes('--json');
  try {
    // Resolve the release only for --version: from source that runs Git.
    const isVersionOption = ['--version', '-V'].some((option) => args.includes(option));
    const version = isVersionOption ? `formstead ${releaseText(await currentRelease())}` : VERSION;
    let code = 0;
    const exitWith = (other: number) => {
      code = other;
    };
    await newProgram(io, version, asJson, exitWith).parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return 0;
    if (asJson) io.stderr(usageErrorText(error));
    return 2;
  }
}

/**
 * Builds the program with all commands. `version` is the output of `--version`; `asJson` keeps usage errors silent;
 * `exitWith` sets the exit code of a command that succeeds.
 */
export function newProgram(
  io: CliIO,
  version = VERSION,
  asJson = false,
  exitWith: (code: number) => void = () => {},
): Command {
  let running: Command | null = null;
  const cli: CliContext = {
    ...io,
    get asJson() {
      return running?.opts().json === true;
    },
    exitWith,
    open: async (isNew) => {
      const context = await io.open(isNew);
      if (!context.moveMark || !running || !changesInstance(running)) return context;
      await context.close();
      throw new SetupError(markText(context.moveMark));
    },
    finish: async (context, notes) => {
      if (running) await recordCommand(context, running, notes);
    },
  };
  const program = new Command('formstead')
    .description('Self-hosted form backend. Runs the server if no command is given.')
    .version(version)
    .option('--env-file <file>', 'read settings from a file of NAME=value lines; the environment takes precedence')
    .addHelpText('after', SETTINGS_HELP)
    .action(async () => {
      const [word] = program.args;
      const names = program.commands.map((command) => command.name());
      if (word !== undefined) program.error(`error: unknown command '${word}'${suggestion(word, names)}`);
      await cli.serve();
    })
    .hook('preAction', (_, command) => {
      running = command;
      cli.readEnvironment(program.opts<{ envFile?: string }>().envFile ?? null);
    })
    .allowExcessArguments();
  const serve = new Command('serve').description('run the server until SIGTERM or SIGINT');
  program.addCommand(serve.addHelpText('after', SETTINGS_HELP).action(cli.serve));
  for (const newCommand of [
    demoCommand,
    initCommand,
    instanceCommand,
    teamCommand,
    userCommand,
    workspaceCommand,
    formCommand,
    submissionCommand,
    importCommand,
    keyCommand,
    webhookCommand,
    applyCommand,
    diffCommand,
    pullCommand,
    outboxCommand,
    mailCommand,
    auditCommand,
    backupCommand,
    restoreCommand,
    moveCommand,
    filesCommand,
    vaultCommand,
    clockCommand,
    configCommand,
    doctorCommand,
    healthCommand,
    serviceCommand,
  ])
    program.addCommand(newCommand(cli));
  configure(program, asJson ? { ...cli, stderr: () => {} } : cli);
  return program;
}

/** Makes a command and its subcommands throw instead of exiting, and print through `cli`. */
function configure(command: Command, cli: CliContext): void {
  command
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: cli.stdout,
      writeErr: cli.stderr,
      outputError: (text, write) => write(`${withHint(text.trimEnd())}\n`),
    })
    .showHelpAfterError('(see --help)');
  const isLeaf = command.commands.length === 0 && command.name() !== 'serve';
  if (isLeaf) command.option('--json', 'print JSON instead of a table');
  for (const child of command.commands) configure(child, cli);
}
