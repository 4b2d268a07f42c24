import type { Command } from 'commander';
import { formatTime } from '../lib/clock.ts';
import { CliCommand, type CliContext, printOne, withLock } from './command.ts';

const SERVER_RUNS = 'a server uses this data directory. Stop it and run this command again.';

/** `formstead clock …` */
export function clockCommand(cli: CliContext): Command {
  const clock = new CliCommand(cli, 'clock').description('times stored while the clock of the machine was ahead');

  clock
    .command('repair')
    .description('give submissions dated later than now a time before now, in their order; the server must be stopped')
    .confirmable()
    .run((context) =>
      withLock(context, 'server', SERVER_RUNS, async () => {
        const { lastCreatedAt } = await context.store.upkeep.readStats(0);
        const newest = lastCreatedAt === null ? 'none' : formatTime(lastCreatedAt);
        cli.stderr(`It is ${formatTime(context.clock())}. Newest submission: ${newest}.\n`);
        const question = 'Is the present time right? Type "yes" to repair: ';
        if (!(await context.confirm(question))) return;
        const submissions = await context.store.clock.repair();
        context.note({ submissions });
        printOne(cli, { redated: submissions });
      }),
    );

  return clock;
}
