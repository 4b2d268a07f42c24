import { systemClock } from '../../src/lib/clock.ts';
import { openPostgres } from '../../src/storage/postgres/open.ts';
import { postgresStore } from '../../src/storage/postgres/postgres-store.ts';
import { type PostgresServer, startPostgres } from '../../test/support/postgres.ts';
import { createPlace } from '../../test/support/postgres-place.ts';
import { until } from '../../test/support/until.ts';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { WAIT_TIMEOUT_MS } from './harness.ts';
import { compareRows, PostgresLoad } from './postgres-load.ts';

const KILLS = Number(Bun.env.KILLS ?? 200);
const PROCESSES = 3;
/** Acknowledged posts between two kills, at most. */
const MAX_POSTS = 300;
/** Submissions that the plan allows after the kills. Processes are killed while they use them up. */
const LAST_POSTS = 2_000;

type Outcome = Readonly<{
  acknowledged: number;
  rows: number;
  lost: number;
  cap: number;
  capped: number;
  /** Time from the return of the database to the next acknowledgment. */
  backMs: readonly number[];
  faults: readonly string[];
}>;

/** Kills processes and their database in turns while they accept posts. Returns true if nothing was lost. */
export async function postgresKills(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { acknowledged, rows, lost, cap, capped, backMs, faults } = await killInTurns(KILLS, progress);
  const show = (count: number) => count.toLocaleString('en');
  report.section(
    `${PROCESSES} processes on PostgreSQL: one of them and the database are killed ${show(KILLS)} times each`,
    [
      ['what', 'figure'],
      ['kills of a process, of the database', `${show(KILLS)}, ${show(KILLS)}`],
      ['posts acknowledged', show(acknowledged)],
      ['acknowledged and lost', show(lost)],
      ['rows', show(rows)],
      ['limit of the plan at the end', show(cap)],
      ['posts refused at the limit', show(capped)],
      [
        'from the return of the database to the next acknowledgment, ms: median (min to max)',
        showSpread(spreadOf(backMs)),
      ],
    ],
    [
      'Each process accepts posts by its store, each with an Idempotency-Key. Posts that failed are repeated until they are acknowledged.',
      'Killed with SIGKILL after a random number of posts: a process, or all processes of the database, which starts again with its data.',
      'At the end the plan gets a limit, and kills continue until it is reached.',
      'Required: each acknowledged post stored once, matched by its text; rows, usage, days, keys and stored bytes agree; as many rows as the plan allows.',
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

/** Kills a process and the database so many times each. */
export async function killInTurns(kills: number, progress: (text: string) => void): Promise<Outcome> {
  const server = await startPostgres();
  try {
    const store = postgresStore(await openPostgres(server.url, { mayCreate: true }), systemClock);
    await createPlace(store, 'numbered');
    await store.close();
    return await killOn(server, kills, progress);
  } finally {
    await server.stop();
  }
}

async function killOn(server: PostgresServer, kills: number, progress: (text: string) => void): Promise<Outcome> {
  const backMs: number[] = [];
  const killProcess = async (load: PostgresLoad) => {
    await load.killOne();
    load.start();
  };
  const killDatabase = async (load: PostgresLoad) => {
    await server.kill();
    await server.start();
    const began = performance.now();
    const before = load.size;
    await until(() => load.size > before, 'a post after the return of the database', WAIT_TIMEOUT_MS);
    backMs.push(performance.now() - began);
  };
  const load = startLoad(server.url);
  for (let kill = 1; kill <= kills; kill++) {
    progress(`kill ${kill} of ${kills}, ${load.size} posts`);
    for (const strike of [killProcess, killDatabase]) {
      const goal = load.size + 1 + Math.random() * MAX_POSTS;
      const isDue = () => load.size >= goal && load.working === PROCESSES;
      await until(isDue, `${Math.ceil(goal)} acknowledged posts`, WAIT_TIMEOUT_MS);
      await strike(load);
    }
  }
  await load.stop();
  const { rows: rowsBefore } = await compareRows(server.url, load.acknowledged);
  progress('using the plan up');
  const cap = rowsBefore + LAST_POSTS;
  const last = startLoad(server.url, cap);
  for (const [share, strike] of [
    [0.3, killProcess],
    [0.6, killDatabase],
  ] as const) {
    await until(() => last.size >= share * LAST_POSTS, 'posts of the last part of the plan', WAIT_TIMEOUT_MS);
    await strike(last);
  }
  await last.ended();
  const acknowledged = load.acknowledged.union(last.acknowledged);
  const { rows, lost, faults } = await compareRows(server.url, acknowledged);
  const capped = last.others.get('capped') ?? 0;
  const others = [...load.others, ...last.others].filter(([what]) => what !== 'capped');
  return {
    ...{ acknowledged: acknowledged.size, rows, lost, cap, capped, backMs },
    faults: [
      ...faults,
      ...(lost > 0 ? [`${lost} acknowledged posts are lost`] : []),
      ...(rows === cap ? [] : [`${rows} rows on a plan of ${cap}`]),
      ...others.map(([what, count]) => `${count} posts failed with ${what}`),
    ],
  };
}

function startLoad(url: string, limit = 0): PostgresLoad {
  const load = new PostgresLoad(url, limit);
  for (let process = 0; process < PROCESSES; process++) load.start();
  return load;
}
