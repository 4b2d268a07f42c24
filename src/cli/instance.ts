import { Command } from 'commander';
import { formatTime } from '../lib/clock.ts';
import { type CliContext, printList, withContext } from './command.ts';

/** `formstead instance …` */
export function instanceCommand(cli: CliContext): Command {
  const instance = new Command('instance').description('the instance as a whole');

  instance
    .command('list')
    .description('list all teams with their forms, submissions, bytes and last activity')
    .action(() =>
      withContext(cli, async ({ store }) => {
        const rows = (await store.teams.listStats()).map(({ lastActivity, createdAt: _, ...team }) => ({
          ...team,
          last_activity_at: lastActivity === null ? null : formatTime(lastActivity),
        }));
        printList(cli, rows, ['id', 'name', 'plan', 'forms', 'submissions', 'bytes', 'last_activity_at']);
      }),
    );

  return instance;
}
