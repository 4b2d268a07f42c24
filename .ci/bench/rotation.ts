import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context/context.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { formstead } from '../../test/support/process.ts';
import { INTERVAL_MS, measureOtherRequests, type Timing, timingRow } from './other-requests.ts';
import { Report, showSpread, spreadOf } from './report.ts';
import { seed } from './seed.ts';
import { startServer } from './servers.ts';

const ROWS = 100_000;
const ROUNDS = 3;
const QUIET_MS = 10_000;
const POLL_INTERVAL_MS = 20;
const GOAL_PER_SECOND = 5_000;

let began = 0;
const rows = Number(process.argv[2] ?? ROWS);
const dir = mkdtempSync(join(tmpdir(), 'formstead-rotation-'));
const context = await openContext({
  config: loadConfig({ DATA_DIR: dir }),
  secrets: loadSecrets({}, () => ''),
  writeLog: () => {},
  prettyLog: false,
  isNew: true,
});
try {
  await bench(context);
} finally {
  await context.close();
  rmSync(dir, { recursive: true });
}

async function bench({ store, ...deps }: Context): Promise<void> {
  await seed(context, rows);
  const [team] = await store.teams.list();
  const [workspace] = await store.workspaces.list(team?.id ?? '');
  const options = { workspaceId: workspace?.id ?? '', name: 'Posted to meanwhile' };
  const posted = await createForm({ store, ...deps, plans: deps.config.plans }, options);

  const alone = Number(JSON.parse(await rotate()).resealed) / (await secondsOfRotation());
  const server = await startServer('../../src/main.ts', dir);
  const during = async (work: () => Promise<unknown>): Promise<Timing> => {
    let isOver = false;
    const timing = measureOtherRequests(server.url, posted.id, () => !isOver);
    await work();
    isOver = true;
    return timing;
  };
  const quiet: Timing[] = [];
  const busy: Timing[] = [];
  const rates: number[] = [];
  try {
    await during(() => Bun.sleep(2_000));
    for (let round = 0; round < ROUNDS; round++) {
      quiet.push(await during(() => Bun.sleep(QUIET_MS)));
      await rotate();
      busy.push(
        await during(async () => {
          rates.push(rows / (await secondsOfRotation()));
        }),
      );
    }
  } finally {
    await server.stop();
  }

  const all = (of: keyof Timing, timings: readonly Timing[]) => timings.flatMap((timing) => timing[of]);
  const report = new Report('bun run bench rotation-speed', [
    `A database with ${rows.toLocaleString('en')} submissions is resealed under a new key, ${ROUNDS} times by the server. Meanwhile other`,
    `clients request \`/healthz\` and post, each every ${INTERVAL_MS} ms, without waiting for earlier answers; between two rotations`,
    `the same runs for ${QUIET_MS / 1000} s without one.`,
  ]);
  report.section(
    'Resealed submissions',
    [
      ['by', 'a second'],
      ['the server, with posts', showSpread(spreadOf(rates))],
      ['the command, without a server', alone.toFixed(0)],
    ],
    [
      `The goal is ${GOAL_PER_SECOND.toLocaleString('en')} a second; the last pass, which finds nothing, is included.`,
      `The machine had other work too: its load average was ${loadavg()[0]?.toFixed(1)} at the end; this benchmark accounts for about 2.`,
    ],
  );
  report.section('Latency of other requests, in milliseconds', [
    ['request', 'requests', 'p50', 'p95', 'p99', 'max'],
    timingRow('GET /healthz, no rotation', all('health', quiet)),
    timingRow('GET /healthz, rotation', all('health', busy)),
    timingRow('post, no rotation', all('posts', quiet)),
    timingRow('post, rotation', all('posts', busy)),
  ]);
  if (rows === ROWS) await report.write(join(import.meta.dir, 'ROTATION.md'));
  if (spreadOf(rates).min < GOAL_PER_SECOND) process.exitCode = 1;
}

async function rotate(): Promise<string> {
  began = performance.now();
  const { code, stdout, stderr } = await formstead(dir, ['vault', 'rotate', '--json']);
  if (code !== 0) throw new Error(stderr);
  return stdout;
}

/** Waits until no record is sealed under another key. Returns the seconds since the command. */
async function secondsOfRotation(): Promise<number> {
  while ((await context.store.vaultKeys.list()).some(({ state }) => state === 'retiring'))
    await Bun.sleep(POLL_INTERVAL_MS);
  return (performance.now() - began) / 1000;
}
