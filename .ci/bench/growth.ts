import { rmSync } from 'node:fs';
import { FROM_SOURCE, formstead } from '../../test/support/process.ts';
import { type Grown, grow, type Read } from './grown.ts';
import { READ_CONNECTIONS, READS, read } from './reads.ts';
import { showSpread } from './report.ts';
import { goal, LOAD_HEAD, loadCells, ROUNDS, runRounds, SECONDS, show, timesAsFast } from './rounds.ts';
import type { Bench } from './run.ts';
import { PRODUCT, startServer } from './servers.ts';
import { type Load, runWrk } from './wrk.ts';

/** Numbers of submissions. BENCH_ROWS may omit all but the first. */
const SIZES = (Bun.env.BENCH_ROWS ?? '1000,100000,1000000,10000000').split(',').map(Number);
const POST_CONNECTIONS = 64;
const MAX_SLOWDOWN = 1.2;
/** Loads with a goal; the others are only measured. */
const WITH_GOAL = new Set(['post', READS.page, READS.single]);

/** Measures starts, backups, posts and reads with a growing number of submissions. */
export async function growth({ report, fresh }: Bench): Promise<void> {
  const all: Grown[] = [];
  for (const rows of SIZES) all.push(await grow(fresh(), rows));
  const [small] = all;
  if (!small) return;

  const times = [['submissions', 'start to first accepted post, ms', 'backup, s']];
  for (const grown of all) {
    const starts = await runRounds('starts', { start: () => startAndPost(grown) });
    times.push([count(grown), show(starts.start, (ms) => ms), (await backupSeconds(grown, fresh())).toFixed(2)]);
  }
  report.section('Start and backup', times, ['A backup is one run of formstead backup without a server.']);

  const servers = await Promise.all(
    all.map(async (grown) => ({ grown, server: await startServer(PRODUCT, grown.dataDir) })),
  );
  const compare = async (what: string, connections: number, run: (url: string, grown: Grown) => Promise<Load>) => {
    const contenders = servers.map(({ grown, server }) => [count(grown), () => run(server.url, grown)] as const);
    const loads = await runRounds(what, Object.fromEntries(contenders));
    const first = loads[count(small)] ?? [];
    const rows = all.map((grown) => [count(grown), ...loadCells(loads[count(grown)] ?? [])]);
    const notes = all.slice(1).map((grown) => {
      const slower = timesAsFast(first, loads[count(grown)] ?? []);
      return WITH_GOAL.has(what)
        ? goal(
            `at ${count(grown)} at most ${MAX_SLOWDOWN} times slower than at ${count(small)}`,
            slower,
            (x) => x <= MAX_SLOWDOWN,
          )
        : `At ${count(grown)} ${showSpread(slower, 2)} times slower than at ${count(small)}.`;
    });
    report.section(
      `${what}, ${connections} connections`,
      [['submissions', ...LOAD_HEAD], ...rows],
      [...notes, `Runs of ${SECONDS} s, ${ROUNDS} rounds.`],
    );
  };
  await compare('post', POST_CONNECTIONS, (url, { formId }) =>
    runWrk(`${url}/v1/forms/${formId}/submissions`, {
      connections: POST_CONNECTIONS,
      seconds: SECONDS,
      script: 'post.lua',
    }),
  );
  for (const [kind, says] of Object.entries(READS) as Array<[Read, string]>) {
    await compare(says, READ_CONNECTIONS, (url, grown) => read(url, grown, kind));
  }
  await Promise.all(servers.map(({ server }) => server.stop()));
}

function count({ rows }: Grown): string {
  return rows.toLocaleString('en');
}

async function startAndPost({ dataDir, formId }: Grown): Promise<number> {
  const began = performance.now();
  const server = await startServer(PRODUCT, dataDir);
  const body = new URLSearchParams({ a: '1' });
  const answer = await fetch(`${server.url}/v1/forms/${formId}/submissions`, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(`the first post was answered with ${answer.status}`);
  const took = performance.now() - began;
  await server.stop();
  return took;
}

async function backupSeconds({ dataDir }: Grown, folder: string): Promise<number> {
  const began = performance.now();
  const { code, stderr } = await formstead(dataDir, ['backup', folder, '--without-key'], {}, FROM_SOURCE);
  if (code !== 0) throw new Error(stderr);
  const took = (performance.now() - began) / 1000;
  rmSync(folder, { recursive: true });
  return took;
}
