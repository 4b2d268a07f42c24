import { Database } from 'bun:sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { signIn } from '../../test/fast/dashboard/signed-in.ts';
import { FROM_SOURCE, formstead } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import { measureOtherRequests, type Timing } from './other-requests.ts';
import { spreadOf } from './report.ts';
import { goal, ROUNDS } from './rounds.ts';
import type { Bench } from './run.ts';
import { seed } from './seed.ts';
import { PRODUCT, startServer } from './servers.ts';
import { BODIES } from './stall-load.ts';

/** Submissions in a database of about 150 MB. */
const ROWS = Number(Bun.env.BENCH_ROWS ?? 250_000);
const QUIET_MS = 2_000;
const HOSTILE_POSTS = 40;
const MAX_P99_MS = 25;
const MAX_MS = 150;
const WAIT_MS = 300_000;

/** Measures how long other requests take during the heaviest work of a server. */
export async function stalls({ report, fresh }: Bench): Promise<void> {
  const dataDir = fresh();
  const { formId, postedId, cookie } = await prepare(dataDir);
  const server = await startServer(PRODUCT, dataDir);
  const origin = new URL(server.url).origin;
  const during = async (work: () => Promise<unknown>): Promise<Timing> => {
    let isOver = false;
    const timing = measureOtherRequests(origin, postedId, () => !isOver);
    await work();
    isOver = true;
    return timing;
  };
  const load = async (work: object) => {
    const command = ['bun', join(import.meta.dir, 'stall-load.ts'), JSON.stringify(work)];
    if ((await Bun.spawn(command, { stdout: 'inherit', stderr: 'inherit' }).exited) !== 0) throw new Error('no load');
  };
  const path = `${origin}/dashboard/forms/${formId}`;
  const kinds = Object.keys(BODIES) as Array<keyof typeof BODIES>;
  const loads: Record<string, () => Promise<unknown>> = {
    'purge after an erasure': () => purge(dataDir),
    'export as CSV': () => load({ url: `${path}/export.csv`, cookie }),
    'export as XLSX': () => load({ url: `${path}/export.xlsx`, cookie }),
    'search over all': () => load({ url: `${path}/submissions?q=nothing-has-this-text`, cookie }),
    backup: async () => {
      const folder = fresh();
      await formstead(dataDir, ['backup', folder, '--without-key'], {}, FROM_SOURCE);
      rmSync(folder, { recursive: true });
    },
    rotation: () => rotate(dataDir),
    ...Object.fromEntries(
      kinds.map((hostile) => [
        `${HOSTILE_POSTS} posts of 1 MiB: ${hostile}`,
        () => load({ url: `${origin}/v1/forms/${formId}/submissions`, hostile, count: HOSTILE_POSTS }),
      ]),
    ),
  };
  const selected = Object.entries(loads).filter(([name]) => name.includes(Bun.env.BENCH_ONLY ?? ''));
  const rows = [['load', 'healthz p99', 'max', 'quiet p99', 'max', 'post p99', 'max', 'quiet p99', 'max']];
  const notes: string[] = [];
  try {
    await during(() => Bun.sleep(QUIET_MS));
    for (const [name, work] of selected) {
      process.stderr.write(`\r${name.padEnd(60)}`);
      const rounds: Array<Readonly<Record<'quiet' | 'busy', Timing>>> = [];
      for (let round = 0; round < ROUNDS; round++) {
        rounds.push({ quiet: await during(() => Bun.sleep(QUIET_MS)), busy: await during(work) });
      }
      const best = (of: 'quiet' | 'busy', kind: keyof Timing, share: number) =>
        Math.min(...rounds.map((round) => percentile(round[of][kind], share)));
      const cells = (of: 'quiet' | 'busy', kind: keyof Timing) => [best(of, kind, 0.99), best(of, kind, 1)];
      const [busyHealth, busyPosts] = [cells('busy', 'health'), cells('busy', 'posts')];
      const all = [...busyHealth, ...cells('quiet', 'health'), ...busyPosts, ...cells('quiet', 'posts')];
      rows.push([name, ...all.map((ms) => ms.toFixed(1))]);
      const worst = (index: number) => spreadOf([Math.max(busyHealth[index] ?? 0, busyPosts[index] ?? 0)]);
      notes.push(goal(`${name}, p99 at most ${MAX_P99_MS} ms`, worst(0), (ms) => ms <= MAX_P99_MS));
      notes.push(goal(`${name}, at most ${MAX_MS} ms`, worst(1), (ms) => ms <= MAX_MS));
    }
  } finally {
    await server.stop();
  }
  report.section('Latency of other requests during heavy work, in milliseconds', rows, [
    `A database with ${ROWS.toLocaleString('en')} submissions. Each figure is the lowest of ${ROUNDS} rounds, each after ${QUIET_MS / 1000} quiet seconds.`,
    ...notes.filter((note) => note.includes('not met')),
  ]);
}

function percentile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}

async function prepare(dataDir: string) {
  const config = loadConfig({ DATA_DIR: dataDir });
  const secrets = loadSecrets({}, () => '');
  const context = await openContext({ config, secrets, isNew: true, writeLog: () => {}, prettyLog: false });
  await seed(context, ROWS);
  const [team] = await context.store.teams.list();
  const teamId = team?.id ?? '';
  const [form] = await context.store.forms.list(teamId);
  const [workspace] = await context.store.workspaces.list(teamId);
  const deps = { ...context, plans: context.config.plans };
  const posted = await createForm(deps, { workspaceId: workspace?.id ?? '', name: 'Posted to meanwhile' });
  const { cookie } = await signIn({ url: '', context }, { teamId });
  await context.close();
  return { formId: form?.id ?? '', postedId: posted.id, cookie };
}

/** Requests a purge as an erasure does, without the hour between two, and waits for it. */
async function purge(dataDir: string): Promise<void> {
  using database = new Database(join(dataDir, 'formstead.db'));
  database.run('PRAGMA busy_timeout = 5000');
  database.run(`INSERT INTO rewrites (id, requested, rewritten, cleared, attempted_at) VALUES (1, 1, 0, 0, 0)
    ON CONFLICT (id) DO UPDATE SET requested = requested + 1, attempted_at = 0`);
  const pending = database.query('SELECT 1 FROM rewrites WHERE cleared < requested');
  await until(() => pending.get() === null, 'the purge', WAIT_MS);
}

async function rotate(dataDir: string): Promise<void> {
  const { code, stderr } = await formstead(dataDir, ['vault', 'rotate'], {}, FROM_SOURCE);
  if (code !== 0) throw new Error(stderr);
  using database = new Database(join(dataDir, 'formstead.db'));
  database.run('PRAGMA busy_timeout = 5000');
  const retiring = database.query("SELECT 1 FROM vault_keys WHERE state = 'retiring'");
  await until(() => retiring.get() === null, 'the rotation', WAIT_MS);
}
