import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { goal, LOAD_HEAD, loadCells, ROUNDS, runRounds, SECONDS, timesAsFast } from './rounds.ts';
import type { Bench } from './run.ts';
import { PRODUCT, startServer } from './servers.ts';
import { runWrk } from './wrk.ts';

const CONNECTIONS = 64;
const FOLDER = join(import.meta.dir, 'peers');

/** Minimum ratio of the throughputs of Formstead and a peer. */
const GOALS: Readonly<Record<string, number>> = { Directus: 200, bknd: 30 };

const NOTES = [
  'All accept the same JSON over HTTP without authentication, write it to SQLite and answer once it is on disk: all run with synchronous=FULL.',
  'Formstead also scores spam, counts usage and seals each record. It uses a write-ahead log and one sync for many submissions.',
  'The others store three columns of plain text and check their types. All use the defaults of SQLite: a rollback journal, and one transaction with its syncs per submission.',
  'Directus, on Node with sqlite3: looks up permissions, and writes through knex in a transaction.',
  'bknd, on Bun with bun:sqlite: writes through kysely, and answers with the row.',
  'Payload, on Node with libsql, without its admin pages: runs its hooks, writes through Drizzle, reads the row back and answers with it.',
];

/** Compares Formstead with other products that store submissions in SQLite. */
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
  const loads = await runRounds('peers', Object.fromEntries(contenders));
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  const { Formstead: ours = [] } = loads;
  const goals = Object.entries(GOALS).map(([name, times]) =>
    goal(`at least ${times} times ${name}`, timesAsFast(ours, loads[name] ?? []), (x) => x >= times),
  );
  report.section(
    `JSON, ${CONNECTIONS} connections`,
    [['contender', ...LOAD_HEAD], ...Object.entries(loads).map(([name, own]) => [name, ...loadCells(own)])],
    [
      ...goals,
      ...NOTES,
      `Command: wrk -t1 -c${CONNECTIONS} -d${SECONDS}s -s .ci/bench/post.lua <address> -- json; ${ROUNDS} rounds.`,
    ],
  );
}

/** Installs the peers. Native modules without a prebuilt binary are compiled with the headers of the installed Node. */
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
