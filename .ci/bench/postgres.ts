import { startPostgres, withClient } from '../../test/support/postgres.ts';
import { startTcpProxy } from '../../test/support/tcp-proxy.ts';
import { spreadOf } from './report.ts';
import { goal, LOAD_HEAD, loadCells, ROUNDS, runRounds, SECONDS, timesAsFast } from './rounds.ts';
import type { Bench } from './run.ts';
import { type BenchServer, PRODUCT, startServer } from './servers.ts';
import { type Load, runWrk } from './wrk.ts';

const CONNECTIONS = 64;
const FAR_CONNECTIONS = 128;
const ROUND_TRIP_MS = 2;
const CONTENDERS = { sqlite: 'SQLite', one: 'PostgreSQL, 1 process', two: '2 processes', four: '4 processes' } as const;
const FAR = `PostgreSQL, 1 process, ${ROUND_TRIP_MS} ms away, ${FAR_CONNECTIONS} connections`;

/** Measures accepted submissions on SQLite, and on PostgreSQL by one and more processes and with a slow network. */
export async function postgres({ report, fresh }: Bench): Promise<void> {
  const database = await startPostgres();
  const proxy = await startTcpProxy(database.url, ROUND_TRIP_MS);
  const sqlite = await startServer(PRODUCT, fresh());
  // Each number of processes has a database of its own, so that all grow alike.
  const one = await startProcesses(database.url, 1, fresh);
  const two = await startProcesses(database.url, 2, fresh);
  const four = await startProcesses(database.url, 4, fresh);
  const far = await startProcesses(proxy.url, 1, fresh);
  const loads = await runRounds(`urlencoded, ${CONNECTIONS} connections`, {
    [CONTENDERS.sqlite]: () => runAll([sqlite]),
    [CONTENDERS.one]: () => runAll(one),
    [CONTENDERS.two]: () => runAll(two),
    [CONTENDERS.four]: () => runAll(four),
    [FAR]: () => runAll(far, FAR_CONNECTIONS),
  });
  const { [CONTENDERS.sqlite]: ofSqlite = [], [CONTENDERS.one]: ofOne = [], [FAR]: ofFar = [] } = loads;
  const rows = Object.entries(loads).map(([name, own]) => [name, ...loadCells(own)]);
  const atLeast = (share: number) => (median: number) => median >= share;
  report.section(
    `Accepted submissions on PostgreSQL: urlencoded, 170 bytes, ${CONNECTIONS} connections to each process`,
    [['contender', ...LOAD_HEAD], ...rows],
    [
      goal('at least 0.35 of SQLite', timesAsFast(ofOne, ofSqlite), atLeast(0.35)),
      goal('p99 below 5 times p50', spreadOf(ofOne.map(({ p50, p99 }) => p99 / p50)), (times) => times < 5),
      goal(
        `at least 5,000 a second ${ROUND_TRIP_MS} ms away`,
        spreadOf(ofFar.map(({ perSecond }) => perSecond)),
        atLeast(5_000),
      ),
      ...[CONTENDERS.two, CONTENDERS.four].map((name) =>
        goal(`${name} at least 0.95 of one`, timesAsFast(loads[name] ?? [], ofOne), atLeast(0.95)),
      ),
      'The database, the processes and wrk share the cores, so that further processes can only cost.',
      `Command: wrk -t1 -c<connections> -d${SECONDS}s -s .ci/bench/post.lua <address> -- urlencoded for each process at once; ${ROUNDS} rounds. The percentiles are those of the slowest process.`,
    ],
  );
  await Promise.all([sqlite, ...one, ...two, ...four, ...far].map((server) => server.stop()));
  proxy.stop();
  await database.stop();
}

/** Starts processes on a new database. */
async function startProcesses(url: string, count: number, fresh: () => string): Promise<BenchServer[]> {
  const named = new URL(url);
  named.pathname = `/bench_${crypto.randomUUID().replaceAll('-', '')}`;
  await withClient(url, (client) => client.query(`CREATE DATABASE ${named.pathname.slice(1)}`));
  const env = { DATABASE_URL: named.href, ENCRYPTION_KEY: '07'.repeat(32) };
  const servers: BenchServer[] = [];
  for (let process = 0; process < count; process++) servers.push(await startServer(PRODUCT, fresh(), { env }));
  // The first start prints the address of its form.
  const path = new URL(servers[0]?.url ?? '').pathname;
  return servers.map((server) => ({ ...server, url: new URL(path, server.url).href }));
}

/** Posts to all processes at once and adds their loads. */
async function runAll(servers: readonly BenchServer[], connections = CONNECTIONS): Promise<Load> {
  const options = { seconds: SECONDS, script: 'post.lua', args: ['urlencoded'] };
  const loads = await Promise.all(servers.map(({ url }) => runWrk(url, { ...options, connections })));
  const sum = (of: (load: Load) => number) => loads.reduce((total, load) => total + of(load), 0);
  const max = (of: (load: Load) => number) => Math.max(...loads.map(of));
  return {
    ...{ perSecond: sum((load) => load.perSecond), requests: sum((load) => load.requests) },
    ...{ p50: max((load) => load.p50), p99: max((load) => load.p99), p999: max((load) => load.p999) },
    clientCpu: sum((load) => load.clientCpu),
  };
}
