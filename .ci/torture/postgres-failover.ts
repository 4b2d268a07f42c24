import { systemClock } from '../../src/lib/clock.ts';
import { createLogger } from '../../src/lib/log.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { postgresStore } from '../../src/storage/postgres/postgres-store.ts';
import { type PostgresServer, STANDBY, startPostgres, withClient } from '../../test/support/postgres.ts';
import { createPlace } from '../../test/support/postgres-place.ts';
import { startTcpProxy, type TcpProxy } from '../../test/support/tcp-proxy.ts';
import { until } from '../../test/support/until.ts';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { WAIT_TIMEOUT_MS } from './harness.ts';
import { compareRows, PostgresLoad } from './postgres-load.ts';

const FAILOVERS = Number(Bun.env.FAILOVERS ?? 20);
const PROCESSES = 2;
/** Acknowledged posts before the primary fails, at most, and after the move to the standby. */
const MAX_POSTS = 500;
const POSTS_AFTER = 100;

/** A failover: the replication and the failure of the primary. `cut` loses the network to the standby before. */
export type Failover = Readonly<{ isSynchronous: boolean; isCut: boolean }>;

type Outcome = Readonly<{
  acknowledged: number;
  lost: number;
  /** Time from the death of the primary to the next acknowledgment by the standby. */
  backMs: number;
  /** The message about durability at the start. */
  durability: string;
  faults: readonly string[];
}>;

const KINDS: ReadonlyArray<readonly [title: string, failover: Failover, rounds: number]> = [
  ['synchronous', { isSynchronous: true, isCut: false }, FAILOVERS],
  ['synchronous, network to the standby lost before', { isSynchronous: true, isCut: true }, FAILOVERS],
  ['asynchronous, network to the standby lost before', { isSynchronous: false, isCut: true }, Math.ceil(FAILOVERS / 4)],
];

/** Moves processes to a standby while they accept posts. Returns true if only asynchronous replication lost posts. */
export async function postgresFailover(report: Report, progress: (text: string) => void): Promise<boolean> {
  const faults: string[] = [];
  const rows = [['replication', 'at the start', 'failovers', 'acknowledged', 'lost', 'ms to the next acknowledgment']];
  for (const [title, failover, rounds] of KINDS) {
    const outcomes: Outcome[] = [];
    for (let round = 1; round <= rounds; round++) {
      progress(`${title}: failover ${round} of ${rounds}`);
      outcomes.push(await failOver(failover));
    }
    const sum = (figure: (outcome: Outcome) => number) => outcomes.reduce((total, each) => total + figure(each), 0);
    const lost = sum((outcome) => outcome.lost);
    if (failover.isSynchronous && lost > 0) faults.push(`${title}: ${lost} lost`);
    const lossless = outcomes.filter((outcome) => outcome.lost === 0).length;
    if (!failover.isSynchronous && lossless > 0) faults.push(`${title}: ${lossless} failovers lost nothing`);
    faults.push(...outcomes.flatMap((outcome) => outcome.faults));
    rows.push([
      ...[title, [...new Set(outcomes.map(({ durability }) => durability))].join('; '), String(rounds)],
      ...[sum(({ acknowledged }) => acknowledged).toLocaleString('en'), lost.toLocaleString('en')],
      showSpread(spreadOf(outcomes.map(({ backMs }) => backMs))),
    ]);
  }
  report.section(`${PROCESSES} processes move to the standby of a PostgreSQL server that was killed`, rows, [
    'Primary and standby run on this machine. The network between them is a proxy that can lose all data, and the address of the database another, which moves to the standby.',
    'The primary is killed with SIGKILL while the processes accept posts; where the network was lost before, once commits wait for the standby, or without synchronous replication after 50 more acknowledgments.',
    'Required: each post acknowledged before or after the failover is stored on the standby once, matched by its text; and the asynchronous control loses posts in each failover.',
    faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
  ]);
  return faults.length === 0;
}

/** Kills a primary under load, promotes its standby, and compares its rows with what was acknowledged. */
export async function failOver({ isSynchronous, isCut }: Failover): Promise<Outcome> {
  const pair = await startPair(isSynchronous);
  const { primary, standby, link, address, durability } = pair;
  const load = new PostgresLoad(address.url);
  try {
    for (let process = 0; process < PROCESSES; process++) load.start();
    const goal = 1 + Math.random() * MAX_POSTS;
    const isDue = () => load.size >= goal && load.working === PROCESSES;
    await until(isDue, 'acknowledged posts before the failover', WAIT_TIMEOUT_MS);
    if (isCut) {
      link.cut();
      const before = load.size;
      await (isSynchronous
        ? until(() => waitsForStandby(primary.url), 'a commit that waits for the standby', WAIT_TIMEOUT_MS)
        : until(() => load.size >= before + 50, 'posts that the standby did not receive', WAIT_TIMEOUT_MS));
    }
    await primary.kill();
    const began = performance.now();
    await promote(standby.url);
    address.moveTo(standby.url);
    const before = load.size;
    await until(() => load.size > before, 'a post on the standby', WAIT_TIMEOUT_MS);
    const backMs = performance.now() - began;
    await until(() => load.size > before + POSTS_AFTER, 'posts on the standby', WAIT_TIMEOUT_MS);
    await load.stop();
    const { lost, faults } = await compareRows(standby.url, load.acknowledged);
    const others = [...load.others].map(([what, count]) => `${count} posts failed with ${what}`);
    return { acknowledged: load.size, lost, backMs, durability, faults: [...faults, ...others] };
  } finally {
    await load.stop();
    await pair.stop();
  }
}

/** A primary with a standby. */
export type Pair = Readonly<{
  primary: PostgresServer;
  standby: PostgresServer;
  /** The network between primary and standby. */
  link: TcpProxy;
  /** The address that processes use. */
  address: TcpProxy;
  durability: string;
  stop: () => Promise<void>;
}>;

/** Starts a primary with a standby, and creates the form `frm` there. */
export async function startPair(isSynchronous: boolean): Promise<Pair> {
  const primary = await startPostgres();
  const store = postgresStore(await openPostgres(primary.url, { mayCreate: true }), systemClock);
  await createPlace(store, 'pro');
  await store.close();
  const link = await startTcpProxy(primary.url);
  const standby = await primary.startStandby(link.url);
  await withClient(primary.url, async (client) => {
    if (isSynchronous) {
      // Not on the command line, which the standby shares: it would wait for a standby of its own once promoted.
      await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${STANDBY}'`);
      await client.query('SELECT pg_reload_conf()');
    }
    const state = isSynchronous ? 'sync' : 'async';
    const isReplicating = async () =>
      (await client.query(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1`, [state]))
        .rows.length > 0;
    await until(isReplicating, `${state} replication`, WAIT_TIMEOUT_MS);
  });
  const address = await startTcpProxy(primary.url);
  return {
    ...{ primary, standby, link, address },
    durability: await readDurability(address.url),
    stop: async () => {
      for (const proxy of [link, address]) proxy.stop();
      await Promise.all([primary.stop(), standby.stop()]);
    },
  };
}

export async function waitsForStandby(url: string): Promise<boolean> {
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  return (await withClient(url, (client) => client.query(waiting))).rows.length > 0;
}

export async function promote(url: string): Promise<void> {
  await withClient(url, (client) => client.query('SELECT pg_promote()'));
}

/** Returns what a process logs at its start about acknowledged posts. */
async function readDurability(url: string): Promise<string> {
  const lines: string[] = [];
  const log = createLogger({ level: 'info', isPretty: true, write: (line) => lines.push(line) });
  const { pool } = await openPostgres(url, { log, mayCreate: true });
  await pool.end();
  return lines.map((line) => /acknowledged means on \d+ machines?/.exec(line)?.[0]).find(Boolean) ?? '';
}
