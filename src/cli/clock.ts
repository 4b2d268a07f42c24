import { Command } from 'commander';
import type { Context } from '../context.ts';
import { AppError } from '../domain/errors.ts';
import { formatTime } from '../lib/clock.ts';
import { type CliContext, NO_TERMINAL, printOne, withContext } from './command.ts';

type Options = Readonly<{ yes?: boolean; json?: boolean }>;

/** `formstead clock …` */
export function clockCommand(cli: CliContext): Command {
  const clock = new Command('clock').description('times stored while the clock of the machine was ahead');

  clock
    .command('repair')
    .description('give submissions dated later than now a time before now, in their order; the server must be stopped')
    .option('--yes', 'skip the confirmation')
    .action(({ yes, json }: Options, command: Command) => {
      if (!yes && !cli.prompt) command.error(NO_TERMINAL);
      return withContext(cli, (context) =>
        withServerLock(context, async () => {
          const { lastCreatedAt } = await context.store.upkeep.readStats(0);
          const newest = lastCreatedAt === null ? 'none' : formatTime(lastCreatedAt);
          cli.stderr(`It is ${formatTime(context.clock())}. Newest submission: ${newest}.\n`);
          if (!yes && (await cli.prompt?.('Is the present time right? Type "yes" to repair: '))?.trim() !== 'yes') {
            context.note({}, { action: null });
            cli.stderr('Nothing was changed.\n');
            return;
          }
          const submissions = await context.store.clock.repair();
          context.note({ submissions });
          printOne(cli, json === true, { redated: submissions });
        }),
      );
    });

  return clock;
}

/** Runs `work` while no server can start. Throws `AppError` if one runs. */
async function withServerLock({ takeLock }: Context, work: () => Promise<void>): Promise<void> {
  const lock = await takeLock('server');
  if (!lock) throw new AppError('conflict', 'a server uses this data directory. Stop it and run this command again.');
  try {
    await work();
  } finally {
    await lock.release();
  }
}
