import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { Report, showSpread, spreadOf } from './report.ts';
import { seed } from './seed.ts';
import { startServer } from './servers.ts';
import { type Load, runWrk } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 5;
const CONNECTIONS = 64;
const PRODUCT = '../../src/main.ts';

const report = new Report(
  'bun run bench',
  [
    'Every figure is the median of the rounds with the lowest and highest behind it. The contenders take turns in each',
    'round, so that what else the machine does falls on all of them. Compare figures within this page only.',
  ],
  `, ${versionOfWrk()}`,
);
const scratch = mkdtempSync(join(tmpdir(), 'formstead-bench-'));
const fresh = () => mkdtempSync(join(scratch, 'data-'));

try {
  await posts();
  await reads();
  await starts();
  await report.write(join(import.meta.dir, 'RESULTS.md'));
} finally {
  rmSync(scratch, { recursive: true });
}

function versionOfWrk(): string {
  if (!Bun.which('wrk')) {
    process.stderr.write('bench: wrk is not installed; on Debian: apt-get install wrk\n');
    process.exit(1);
  }
  return Bun.spawnSync(['wrk', '-v']).stdout.toString().split(' [')[0] ?? '';
}

/** Takes turns between the contenders for all rounds, after one warm-up that does not count. */
async function takeTurns(contenders: Record<string, () => Promise<Load>>): Promise<Record<string, Load[]>> {
  const loads: Record<string, Load[]> = {};
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      process.stderr.write(`\rround ${round} of ${ROUNDS}: ${name.padEnd(40)}`);
      const load = await run();
      if (round > 0) loads[name] = [...(loads[name] ?? []), load];
    }
  }
  process.stderr.write(`\r${' '.repeat(60)}\r`);
  return loads;
}

function row(name: string, loads: readonly Load[]): string[] {
  const figure = (of: (load: Load) => number, digits: number) => showSpread(spreadOf(loads.map(of)), digits);
  return [
    name,
    figure(({ perSecond }) => perSecond, 0),
    figure(({ p50 }) => p50, 2),
    figure(({ p99 }) => p99, 2),
    figure(({ clientCpu }) => clientCpu, 2),
  ];
}

function ratio(a: readonly Load[] = [], b: readonly Load[] = []): string {
  const pairs = a.map(({ perSecond }, round) => perSecond / (b[round]?.perSecond ?? Number.NaN));
  return showSpread(spreadOf(pairs), 2);
}

async function posts(): Promise<void> {
  const names = { bare: 'bare.ts', formstead: PRODUCT, oneCommit: 'one-commit.ts' };
  const servers = {
    bare: await startServer(names.bare, ''),
    formstead: await startServer(names.formstead, fresh()),
    oneCommit: await startServer(names.oneCommit, fresh()),
  };
  const idle = servers.formstead.residentMiB();
  const options = { connections: CONNECTIONS, seconds: SECONDS, script: 'post.lua' };
  const loads = await takeTurns({
    bare: () => runWrk(servers.bare.url, options),
    formstead: () => runWrk(servers.formstead.url, options),
    oneCommit: () => runWrk(servers.oneCommit.url, options),
  });
  const { bare = [], formstead = [], oneCommit = [] } = loads;
  const accepted = formstead.reduce((sum, { requests }) => sum + requests, 0);
  report.section(
    `Accepted submissions, ${CONNECTIONS} connections, a body of 170 bytes`,
    [
      ['contender', 'a second', 'p50 ms', 'p99 ms', 'cores wrk used'],
      row('(a) bare Bun.serve: reads, answers', bare),
      row('Formstead: durable, sealed, counted', formstead),
      row('(b) the same, one commit per request', oneCommit),
    ],
    [
      `Against (a), the ceiling: ${ratio(formstead, bare)} (goal: at least 0.35).`,
      `Against (b): ${ratio(formstead, oneCommit)} times (goal: at least 5).`,
      `wrk has one core to itself: while it uses less than one, it is not the limit.`,
      `Command: wrk -t1 -c${CONNECTIONS} -d${SECONDS}s -s test/bench/post.lua; ${ROUNDS} rounds after a warm-up.`,
    ],
  );
  report.section('Memory of the server', [
    ['when', 'resident MiB'],
    ['listening, before the first request', idle.toFixed(0)],
    [`after ${accepted.toLocaleString('en')} posts and more`, servers.formstead.residentMiB().toFixed(0)],
  ]);
  await Promise.all(Object.values(servers).map((server) => server.stop()));
}

async function reads(): Promise<void> {
  const small = await seeded(1_000);
  const large = await seeded(1_000_000);
  const options = { connections: 16, seconds: SECONDS, script: 'get.lua' };
  const run =
    ({ server, key, files }: typeof small, kind: 'pages' | 'singles') =>
    () =>
      runWrk(server.url, { ...options, args: [files[kind], key] });
  const loads = await takeTurns({
    'page, small': run(small, 'pages'),
    'page, large': run(large, 'pages'),
    'single, small': run(small, 'singles'),
    'single, large': run(large, 'singles'),
  });
  report.section(
    'Reads with a key, 16 connections, all over the table',
    [
      ['read', 'a second', 'p50 ms', 'p99 ms', 'cores wrk used'],
      row('page of 50, 1,000 rows', loads['page, small'] ?? []),
      row('page of 50, 1,000,000 rows', loads['page, large'] ?? []),
      row('single, 1,000 rows', loads['single, small'] ?? []),
      row('single, 1,000,000 rows', loads['single, large'] ?? []),
    ],
    [
      `A page at 1,000,000 rows is ${ratio(loads['page, small'], loads['page, large'])} times slower than at 1,000 (goal: at most 1.2).`,
      `A single read is ${ratio(loads['single, small'], loads['single, large'])} times slower (goal: at most 1.2).`,
      `Command: wrk -t1 -c16 -d${SECONDS}s -s test/bench/get.lua, over ${large.paths} different pages and rows.`,
    ],
  );
  await Promise.all([small.server.stop(), large.server.stop()]);
}

async function seeded(rows: number) {
  process.stderr.write(`\rfilling a database with ${rows} rows…   `);
  const dataDir = fresh();
  const context = await openContext({
    config: loadConfig({ DATA_DIR: dataDir }),
    secrets: { encryptionKeys: null, smtpUrl: null, metricsToken: null },
    writeLog: () => {},
    logForPerson: false,
  });
  const { key, pages, singles } = await seed(context, rows);
  await context.close();
  const files = { pages: join(dataDir, 'pages.txt'), singles: join(dataDir, 'singles.txt') };
  await Bun.write(files.pages, pages.join('\n'));
  await Bun.write(files.singles, singles.join('\n'));
  return { server: await startServer(PRODUCT, dataDir), key, files, paths: singles.length };
}

async function starts(): Promise<void> {
  const empty: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = fresh();
    let endpoint = '';
    for (const times of [empty, again]) {
      const start = performance.now();
      const server = await startServer(PRODUCT, dataDir);
      // The second start prints no form; it is the first one's.
      endpoint = server.url.includes('/v1/') ? new URL(server.url).pathname : endpoint;
      const answer = await fetch(new URL(endpoint, server.url), {
        method: 'POST',
        body: new URLSearchParams({ a: '1' }),
      });
      if (answer.status !== 200) throw new Error(`the first post was answered with ${answer.status}`);
      times.push(performance.now() - start);
      await server.stop();
    }
  }
  report.section('From the start of the process to the first accepted post', [
    ['data directory', 'ms'],
    ['empty: makes the database, key, team and form', showSpread(spreadOf(empty))],
    ['in use', showSpread(spreadOf(again))],
  ]);
}
