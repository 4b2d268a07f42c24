import { existsSync, realpathSync } from 'node:fs';
import { loadavg } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { showSpread, spreadOf } from './report.ts';
import { goal, LOAD_HEAD, loadCells, ROUNDS, runRounds, SECONDS, show, timesAsFast } from './rounds.ts';
import type { Bench } from './run.ts';
import { type BenchServer, PRODUCT, startServer } from './servers.ts';
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

/** Load of other processes, per core, above which a comparison says more about them. */
const MAX_LOAD = 0.25;

/**
 * Compares Formstead with a bare server and with other products that store submissions in SQLite. `BENCH_BESIDE` names the
 * folder of another checkout of Formstead, with its packages, to compare with as well. Ends the program on a busy machine.
 */
export async function compare({ report, fresh }: Bench): Promise<void> {
  requireQuiet();
  install();
  const node = { runtime: join(FOLDER, 'node_modules/.bin/node') };
  const { BENCH_BESIDE: beside } = Bun.env;
  const servers: Record<string, BenchServer> = {
    'bare Bun.serve': await startServer('bare.ts', ''),
    Formstead: await startServer(PRODUCT, fresh()),
    ...(beside && {
      'another checkout': await startServer(join(relative(import.meta.dir, beside), 'src/main.ts'), fresh()),
    }),
    bknd: await startServer('peers/bknd.js', fresh()),
    Payload: await startServer('peers/payload.js', fresh(), node),
    Directus: await startServer('peers/directus.js', fresh(), node),
  };
  await settle();
  requireQuiet();
  const contenders = Object.entries(servers).map(([name, { url, cpuSeconds }]) => {
    const run = async () => {
      const began = cpuSeconds();
      const load = await runWrk(url, {
        connections: CONNECTIONS,
        seconds: SECONDS,
        script: 'post.lua',
        args: ['json'],
      });
      return { ...load, micros: ((cpuSeconds() - began) * 1e6) / load.requests };
    };
    return [name, run] as const;
  });
  const loads = await runRounds('compare', Object.fromEntries(contenders));
  await Promise.all(Object.values(servers).map((server) => server.stop()));
  const { Formstead: ours = [], 'bare Bun.serve': bare = [] } = loads;
  const ofBare = (own: typeof ours) => {
    const ratios = own.map(({ micros }, round) => micros / (bare[round]?.micros ?? Number.NaN));
    return [show(own, ({ micros }) => micros), showSpread(spreadOf(ratios), 1), showSpread(timesAsFast(own, bare), 3)];
  };
  const goals = Object.entries(GOALS).map(([name, times]) =>
    goal(`at least ${times} times ${name}`, timesAsFast(ours, loads[name] ?? []), (x) => x >= times),
  );
  report.section(
    `JSON, ${CONNECTIONS} connections`,
    [
      ['contender', ...LOAD_HEAD, 'processor, µs', 'of bare', 'throughput of bare'],
      ...Object.entries(loads).map(([name, own]) => [name, ...loadCells(own), ...ofBare(own)]),
    ],
    [
      ...goals,
      ...NOTES,
      `Command: wrk -t1 -c${CONNECTIONS} -d${SECONDS}s -s .ci/bench/post.lua <address> -- json; ${ROUNDS} rounds.`,
    ],
  );
}

const load = () => (loadavg()[0] ?? 0) / navigator.hardwareConcurrency;

/** Waits until the load of its own installation and starts is over, at most five minutes. */
async function settle(): Promise<void> {
  for (let tries = 0; load() > MAX_LOAD && tries < 60; tries++) await Bun.sleep(5_000);
}

/** Ends the program if others use the machine, whose share would be in each figure. */
function requireQuiet(): void {
  if (load() <= MAX_LOAD) return;
  process.stderr.write(
    `bench: the machine is busy: ${load().toFixed(2)} processes per core, ${MAX_LOAD} are allowed. Stop other programs, wait a minute and run it again.\n`,
  );
  process.exit(1);
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
