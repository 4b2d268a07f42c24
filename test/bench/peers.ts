import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Bench } from './run.ts';
import { PRODUCT, startServer } from './servers.ts';
import { goal, LOAD_HEAD, loadCells, ROUNDS, SECONDS, takeTurns, timesAsFast } from './turns.ts';
import { runWrk } from './wrk.ts';

const CONNECTIONS = 64;
const FOLDER = join(import.meta.dir, 'peers');

/** How many times a peer is aimed at; a peer without one is measured only. */
const AIMS: Readonly<Record<string, number>> = { Directus: 200, bknd: 30 };

const SAYS = [
  'All take the same JSON over HTTP from anybody, write it into SQLite and answer once the disk has it: all run with synchronous=FULL.',
  'Formstead besides scores spam, counts usage and seals each record. It has a write-ahead log, and one sync for many.',
  'The others keep three columns of text in the clear and check their types. None changes what SQLite comes with: a rollback journal, and a transaction and its syncs for each.',
  'Directus, on Node with sqlite3: looks up permissions, and writes through knex in a transaction.',
  'bknd, on Bun with bun:sqlite: writes through kysely, and answers with the row.',
  'Payload, on Node with libsql, without its admin pages: runs its hooks, writes through Drizzle, reads the row again and answers with it.',
];

/** The same submissions to others that keep them in SQLite, each as it comes. */
export async function peers({ report, fresh }: Bench): Promise<void> {
  install();
  const node = { runtime: join(FOLDER, 'node_modules/.bin/node') };
  const servers = {
    Formstead: await startServer(PRODUCT, fresh()),
    bknd: await startServer('peers/bknd.js', fresh()),
    Payload: await startServer('peers/payload.js', fresh(), node),
    Directus: await startServer('peers/directus.js', fresh(), node),
  };
  const contenders = Object.entries(servers).map(([name, { url }]) => {
    const run = () => runWrk(url, { connections: CONNECTIONS, seconds: SECONDS, script: 'post.lua', args: ['json'] });
    return [name, run] as const;
  });
  const loads = await takeTurns('peers', Object.fromEntries(contenders));
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  const { Formstead: ours = [] } = loads;
  const goals = Object.entries(AIMS).map(([name, times]) =>
    goal(`at least ${times} times ${name}`, timesAsFast(ours, loads[name] ?? []), (x) => x >= times),
  );
  report.section(
    `JSON, ${CONNECTIONS} connections`,
    [['contender', ...LOAD_HEAD], ...Object.entries(loads).map(([name, own]) => [name, ...loadCells(own)])],
    [
      ...goals,
      ...SAYS,
      `Command: wrk -t1 -c${CONNECTIONS} -d${SECONDS}s -s test/bench/post.lua <address> -- json; ${ROUNDS} rounds.`,
    ],
  );
}

/** What has no ready-made file is compiled, with the headers of the machine's own Node where it has them. */
function install(): void {
  const own = Bun.which('node');
  const home = own === null ? '' : dirname(dirname(realpathSync(own)));
  const headers = existsSync(join(home, 'include/node/node_api.h')) ? { npm_config_nodedir: home } : {};
  const { exitCode } = Bun.spawnSync(['bun', 'install', '--frozen-lockfile'], {
    cwd: FOLDER,
    env: { ...Bun.env, ...headers },
    stdout: 'inherit',
    stderr: 'inherit',
  });
  if (exitCode !== 0) throw new Error('the peers could not be installed; see above.');
}
