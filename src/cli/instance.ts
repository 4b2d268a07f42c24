import { resolve } from 'node:path';
import type { Command } from 'commander';
import { SetupError } from '../domain/errors.ts';
import { formatTime } from '../lib/clock.ts';
import { jsonObject } from '../lib/json.ts';
import { reachableHost } from '../lib/reachable-host.ts';
import { Quarantine } from '../storage/quarantine.ts';
import { CliCommand, type CliContext, printList, printOne, withLock } from './command.ts';
import { httpGet } from './http-get.ts';

export function instanceCommand(cli: CliContext): Command {
  const instance = new CliCommand(cli, 'instance').description('the instance as a whole');

  instance
    .command('list')
    .description('list all teams with their forms, submissions, bytes and last activity')
    .run(async ({ store }) => {
      const rows = (await store.teams.listStats()).map(({ lastActivity, createdAt: _, ...team }) => ({
        ...team,
        last_activity_at: lastActivity === null ? null : formatTime(lastActivity),
      }));
      printList(cli, rows, ['id', 'name', 'plan', 'forms', 'submissions', 'bytes', 'last_activity_at']);
    });

  return instance;
}

export function initCommand(cli: CliContext): Command {
  return new CliCommand({ ...cli, open: () => cli.open(true) }, 'init')
    .description('create an instance: data directory, encryption key and database, without a team')
    .run(async ({ config, keyFile }) => {
      printOne(cli, { created: resolve(config.dataDir), key_file: keyFile?.path ?? null });
    });
}

export function configCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'config')
    .description('print every setting with its value and source; secrets are hidden')
    .action(async () => {
      const { rows, warnings, file } = await cli.settings();
      printList(cli, rows, ['name', 'value', 'source']);
      for (const warning of warnings) cli.stderr(`${warning}\n`);
      cli.stderr(file === null ? 'No settings file was read.\n' : `Settings file: ${file}\n`);
    });
}

const SERVER_RUNS = 'a server uses this data directory. Stop it and run this command again.';

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

/** `formstead health`: opens nothing, so it is cheap enough for a container's health check. */
export function healthCommand(cli: CliContext): Command {
  return new CliCommand(cli, 'health')
    .description('check that the server at HOST and PORT answers')
    .option('--ready', 'also check that it can store submissions')
    .action(async ({ ready }: { ready?: boolean }) => {
      const { host, port } = cli.listenAddress();
      const url = `http://${reachableHost(host)}:${port}/${ready ? 'readyz' : 'healthz'}`;
      const response = await httpGet(url);
      if (typeof response === 'string') throw new SetupError(`${url} does not answer (${response}).`);
      const { error } = jsonObject(response.text);
      const reason = typeof error === 'string' ? error : response.status;
      if (response.status !== 200) throw new SetupError(`${url} does not answer with 200 (${reason}).`);
      printOne(cli, { url, status: ready ? 'ready' : 'ok' });
    });
}
