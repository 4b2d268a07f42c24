import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';
import { type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { createTestData, Ledger, newFolder, newPost, read, type TestData, WAIT_TIMEOUT_MS } from './harness.ts';

const KILLS = Number(Bun.env.KILLS ?? 50);
const SERVERS = 3;
const VISITORS = 24;
const MAX_POSTS = 200;
const ENCODINGS = ['urlencoded', 'json', 'multipart'] as const;
const POSTS_WHILE_STOPPED = 100;
const MAX_WAIT_MS = 5_000;

type Outcome = Readonly<{
  acknowledged: number;
  refusals: ReadonlyMap<string, number>;
  /** Time from a stop of a server to the next acknowledgment by another, and from the return of the database. */
  stoppedMs: readonly number[];
  backMs: readonly number[];
  faults: readonly string[];
}>;

/** Kills and stops servers, and kills their database, while posts are retried until acknowledged. */
export async function postgresServers(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { acknowledged, refusals, stoppedMs, backMs, faults: lost } = await strikeRepeatedly(KILLS, progress);
  const isLate = Math.max(...stoppedMs, ...backMs) > MAX_WAIT_MS;
  const faults = isLate ? [...lost, 'posts waited for too long'] : lost;
  const show = (count: number) => count.toLocaleString('en');
  report.section(
    `${SERVERS} servers on PostgreSQL: ${show(KILLS)} kills of a server, stops of a server, and kills of the database`,
    [
      ['what', 'figure'],
      ['posts acknowledged', show(acknowledged)],
      [
        'refused or without a response, and retried',
        [...refusals].map(([what, n]) => `${what}: ${show(n)}`).join(', '),
      ],
      ['from SIGSTOP to the next acknowledgment, ms: median (min to max)', showSpread(spreadOf(stoppedMs))],
      ['from the return of the database to the next acknowledgment, ms', showSpread(spreadOf(backMs))],
    ],
    [
      'Each post has an Idempotency-Key and is retried by any server; one third each is urlencoded, JSON, and multipart without files.',
      `SIGKILL of a server, SIGSTOP of a server until others acknowledged ${POSTS_WHILE_STOPPED} posts, SIGKILL of all processes of the database, each after a random number of posts.`,
      `Required: each post stored once and counted once, its text unchanged; no wait above ${MAX_WAIT_MS / 1000} s.`,
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

export async function strikeRepeatedly(times: number, progress: (text: string) => void): Promise<Outcome> {
  const folder = newFolder();
  const database = await startPostgres();
  try {
    return await strikeIn(folder, database, times, progress);
  } finally {
    await database.stop();
    rmSync(folder, { recursive: true });
  }
}

async function strikeIn(
  folder: string,
  database: PostgresServer,
  times: number,
  progress: (text: string) => void,
): Promise<Outcome> {
  const env = { DATABASE_URL: database.url, ENCRYPTION_KEY: '07'.repeat(32), READS_PER_MINUTE: '0' };
  const testData = await createTestData(join(folder, 'data'), env);
  const start = (index: number) => spawnServer(join(folder, `data-${index}`), env);
  const servers = await Promise.all(Array.from({ length: SERVERS }, (_, index) => start(index)));
  const ledger = new Ledger();
  const [stoppedMs, backMs]: [number[], number[]] = [[], []];
  const awaitPosts = (count: number) => {
    const goal = ledger.acknowledged.size + count;
    return until(() => ledger.acknowledged.size >= goal, `${count} acknowledged posts`, WAIT_TIMEOUT_MS);
  };
  /** Measures the time to the next acknowledgment. */
  const timePost = async (times: number[]) => {
    const began = performance.now();
    await awaitPosts(1);
    times.push(performance.now() - began);
  };
  let avoided: ServerProcess | null = null;
  const anyServer = () => {
    const others = servers.filter((server) => server !== avoided);
    return others[Math.floor(Math.random() * others.length)] as ServerProcess;
  };
  const killServer = async (index: number) => {
    await servers[index]?.end('SIGKILL');
    servers[index] = await start(index);
  };
  const stopServer = async (index: number) => {
    avoided = servers[index] as ServerProcess;
    process.kill(avoided.pid, 'SIGSTOP');
    await timePost(stoppedMs);
    await awaitPosts(POSTS_WHILE_STOPPED);
    process.kill(avoided.pid, 'SIGCONT');
    avoided = null;
  };
  const killDatabase = async () => {
    await database.kill();
    await database.start();
    await timePost(backMs);
  };
  let sent = 0;
  let isOver = false;
  const visitor = async () => {
    while (!isOver) await ledger.sendUntilAcknowledged(anyServer, testData.formId, withoutFiles(sent++));
  };
  const visitors = Array.from({ length: VISITORS }, visitor);
  try {
    for (let time = 1; time <= times; time++) {
      progress(`${time} of ${times}, ${ledger.acknowledged.size} posts`);
      for (const strike of [killServer, stopServer, killDatabase]) {
        await awaitPosts(1 + Math.random() * MAX_POSTS);
        await strike(Math.floor(Math.random() * SERVERS));
      }
    }
    await awaitPosts(MAX_POSTS);
    isOver = true;
    await Promise.all(visitors);
    progress('comparing');
    const faults = await findFaults(ledger, servers[0] as ServerProcess, testData, sent);
    return { acknowledged: ledger.acknowledged.size, refusals: ledger.refusals, stoppedMs, backMs, faults };
  } finally {
    isOver = true;
    for (const server of servers) await server.end('SIGKILL');
  }
}

/** Creates a post in one of the three encodings. */
function withoutFiles(turn: number) {
  return newPost(String(turn), ENCODINGS[turn % 3] ?? 'json');
}

/** Compares what is stored and counted with what was sent. */
async function findFaults(ledger: Ledger, server: ServerProcess, testData: TestData, sent: number): Promise<string[]> {
  const { missing, stored } = await ledger.compare(server, testData);
  const faults = missing.map((what) => `missing: ${what}`);
  if (ledger.acknowledged.size !== sent) faults.push('a post was given up');
  if (stored !== sent) faults.push(`${stored} are there of ${sent}`);
  const { data } = (await (await read(server, testData, '/usage')).json()) as { data: { submissions_used: number } };
  if (data.submissions_used !== sent) faults.push(`${data.submissions_used} were counted of ${sent}`);
  return faults;
}
