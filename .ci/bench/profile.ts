import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROUNDS, SECONDS, show } from './rounds.ts';
import type { Bench } from './run.ts';
import { PRODUCT, startServer } from './servers.ts';
import { runWrk } from './wrk.ts';

const CONNECTIONS = 64;
/** Time between two samples, in microseconds. */
const INTERVAL_US = 250;
/** Duration of the warm-up, after which the code is compiled. */
const WARM_SECONDS = 5;

type Profile = Readonly<{
  nodes: ReadonlyArray<Readonly<{ id: number; callFrame: Readonly<{ url: string }>; children?: readonly number[] }>>;
  samples: readonly number[];
  /** Microseconds since the previous sample. */
  timeDeltas: readonly number[];
}>;

const AREAS: ReadonlyArray<readonly [area: string, path: RegExp]> = [
  ['scoring spam', /\/src\/spam\//],
  ['the database, with Drizzle', /\/src\/storage\/|\/node_modules\/drizzle-orm\//],
  ['sealing', /\/src\/vault\//],
  ['reading the body', /\/src\/(?:intake\/decode|lib\/read-body)/],
  ['other parts of intake', /\/src\/intake\//],
  ['the route and its response, with Elysia', /\/src\/(?:visitor|http)\/|\/node_modules\/elysia\//],
  ['other own code and packages', /\/src\/|\/node_modules\//],
];
const ELSEWHERE = 'no script: promises, timers, events';

/** Measures the CPU time of a busy server by the folder of the innermost own script on the stack. */
export async function profile({ report, fresh }: Bench): Promise<void> {
  const rounds: Array<ReadonlyMap<string, number>> = [];
  for (let round = 1; round <= ROUNDS; round++) {
    process.stderr.write(`\rprofile, round ${round} of ${ROUNDS}`);
    rounds.push(await sharesOfOneRun(fresh(), fresh()));
  }
  process.stderr.write('\r\x1b[K');
  const shareOf = (area: string) => show(rounds, (shares) => 100 * (shares.get(area) ?? 0), 1);
  report.section(
    `CPU time of posts by area, urlencoded, ${CONNECTIONS} connections`,
    [['area', 'share, %'], ...[...AREAS.map(([area]) => area), ELSEWHERE].map((area) => [area, shareOf(area)])],
    [
      `Samples of the main thread by Bun's own profiler, every ${INTERVAL_US} µs, in the last ${SECONDS} s of a run; ${ROUNDS} servers.`,
      'A sample counts for the innermost script on the stack, including the functions of Bun that it calls. Garbage collection counts for the script that allocated.',
      'The kernel and the HTTP server of Bun are visible only while a script waits for them; their cost is that of the bare server.',
    ],
  );
}

async function sharesOfOneRun(dataDir: string, profileDir: string): Promise<ReadonlyMap<string, number>> {
  const options = `--cpu-prof --cpu-prof-dir=${profileDir} --cpu-prof-interval=${INTERVAL_US}`;
  const server = await startServer(PRODUCT, dataDir, { env: { BUN_OPTIONS: options } });
  const load = { connections: CONNECTIONS, script: 'post.lua' };
  await runWrk(server.url, { ...load, seconds: WARM_SECONDS });
  await runWrk(server.url, { ...load, seconds: SECONDS });
  await server.stop();
  const [name = ''] = readdirSync(profileDir);
  return sharesOf(await Bun.file(join(profileDir, name)).json());
}

function sharesOf({ nodes, samples, timeDeltas }: Profile): ReadonlyMap<string, number> {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const areas = new Map(nodes.map(({ id, callFrame: { url } }) => [id, AREAS.find(([, path]) => path.test(url))?.[0]]));
  const areaOf = (id: number | undefined): string =>
    id === undefined ? ELSEWHERE : (areas.get(id) ?? areaOf(parents.get(id)));

  const counts = new Map<string, number>();
  let counted = 0;
  let micros = 0;
  for (let at = samples.length - 1; at >= 0 && micros < SECONDS * 1e6; at--) {
    const area = areaOf(samples[at]);
    counts.set(area, (counts.get(area) ?? 0) + 1);
    counted += 1;
    micros += timeDeltas[at] ?? 0;
  }
  return new Map(Array.from(counts, ([area, count]) => [area, count / counted]));
}
