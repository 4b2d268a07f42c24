import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { loadConfig, loadSecrets } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { createForm } from '../../src/services/forms.ts';
import { signIn } from '../fast/dashboard/signed-in.ts';
import { others, PACE_MS, type Timing, timingRow } from './others.ts';
import { Report } from './report.ts';
import { seed } from './seed.ts';
import { type BenchServer, startServer } from './servers.ts';

const ROWS = 1_000_000;
const SAMPLE_MS = 50;
/** More than the server may grow by, whatever it exports. */
const MOST_MIB = 100;

type Load = Readonly<{ before: number; peak: number; after: number; seconds: number; bytes: number; timing: Timing }>;

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'download') await download(rest);
else await bench(Number(mode ?? ROWS));

/** In a process of its own, so that what is measured beside it does not wait for it. */
async function download([url = '', cookie = '', file = '']: readonly string[]): Promise<void> {
  const answer = await fetch(url, { headers: { Cookie: cookie } });
  if (answer.status !== 200) throw new Error(`the export was answered with ${answer.status}`);
  const sink = Bun.file(file).writer({ highWaterMark: 1024 * 1024 });
  for await (const bytes of answer.body ?? []) {
    sink.write(bytes);
    await sink.flush();
  }
  await sink.end();
}

async function measure({ url, residentMiB }: BenchServer, form: string, work: () => Promise<number>): Promise<Load> {
  const before = residentMiB();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentMiB());
  }, SAMPLE_MS);
  let isOver = false;
  const timing = others(url, form, () => !isOver);
  const began = performance.now();
  const bytes = await work();
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  clearInterval(sampler);
  return { before, peak, after: residentMiB(), seconds, bytes, timing: await timing };
}

/** A reader that takes the beginning, and for so long nothing more. */
async function stall(url: string, cookie: string, ms: number): Promise<number> {
  const aborter = new AbortController();
  const answer = await fetch(url, { headers: { Cookie: cookie }, signal: aborter.signal });
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await Bun.sleep(ms);
  aborter.abort();
  return first?.value?.length ?? 0;
}

type Shown = Readonly<{ id: string; created_at: string; is_spam: boolean; data: Record<string, string> }>;

/** How many rows both files have alike. Throws at the first that differs. */
async function compare(csvFile: string, linesFile: string): Promise<number> {
  const lines = createInterface({ input: createReadStream(linesFile) })[Symbol.asyncIterator]();
  let titles: readonly string[] | null = null;
  let rows = 0;
  for await (const cells of createReadStream(csvFile).pipe(parse({ bom: true })) as AsyncIterable<string[]>) {
    if (titles === null) {
      titles = cells;
      continue;
    }
    const shown = JSON.parse((await lines.next()).value ?? 'null') as Shown | null;
    const expected = shown && [
      shown.id,
      shown.created_at,
      String(shown.is_spam),
      'false',
      ...Object.values(shown.data),
    ];
    if (JSON.stringify(expected) !== JSON.stringify(cells)) throw new Error(`row ${rows} differs: ${cells.join(', ')}`);
    rows += 1;
  }
  if (!(await lines.next()).done) throw new Error('the CSV has fewer rows');
  return rows;
}

async function bench(rows: number): Promise<void> {
  const patience = rows === ROWS ? 10_000 : 1_000;
  const dir = mkdtempSync(join(tmpdir(), 'formstead-export-'));
  const context = await openContext({
    config: loadConfig({ DATA_DIR: dir }),
    secrets: loadSecrets({}, () => ''),
    writeLog: () => {},
    logForPerson: false,
  });
  await seed(context, rows);
  const [team] = await context.store.listTeams();
  const teamId = team?.id ?? '';
  const [form] = await context.store.listForms(teamId);
  const [workspace] = await context.store.listWorkspaces(teamId);
  const deps = { ...context, plans: context.config.plans };
  const posted = await createForm(deps, { workspaceId: workspace?.id ?? '', name: 'Posted to meanwhile' });
  const { cookie } = await signIn({ url: '', context }, { teamId });
  await context.close();

  const server = await startServer('../../src/main.ts', dir);
  const path = `${server.url}/dashboard/forms/${form?.id}/export`;
  const fileOf = (format: string) => join(dir, `export.${format}`);
  const exported = (format: string) => async () => {
    const args = ['bun', import.meta.path, 'download', `${path}.${format}`, cookie, fileOf(format)];
    if ((await Bun.spawn(args, { stdout: 'inherit', stderr: 'inherit' }).exited) !== 0) throw new Error('no download');
    return Bun.file(fileOf(format)).size;
  };
  try {
    // So that nobody is measured while the server gets warm.
    await others(
      server.url,
      posted.id,
      (() => {
        const end = performance.now() + 2_000;
        return () => performance.now() < end;
      })(),
    );
    const rest = () =>
      measure(server, posted.id, async () => {
        await Bun.sleep(patience);
        return 0;
      });
    const quiet = [await rest()];
    const csv = await measure(server, posted.id, exported('csv'));
    quiet.push(await rest());
    const jsonl = await measure(server, posted.id, exported('jsonl'));
    quiet.push(await rest());
    const stalled = await measure(server, posted.id, () => stall(`${path}.jsonl`, cookie, patience));
    const alike = await compare(fileOf('csv'), fileOf('jsonl'));
    const growth = Math.max(...[csv, jsonl, stalled].map(({ peak }) => peak)) - (quiet[0]?.peak ?? 0);

    const report = new Report('bun run export', [
      `A form with ${rows.toLocaleString('en')} submissions is exported from a server process of its own. Meanwhile others ask for`,
      `\`/healthz\` and post to another form, each every ${PACE_MS} ms, whether those before were answered or not.`,
    ]);
    report.section(
      'Exports',
      [
        ['export', 'seconds', 'MiB', 'server MiB before', 'peak', 'after'],
        ...quiet.slice(0, 1).map((load) => exportRow('none', load)),
        exportRow('CSV (read twice)', csv),
        exportRow('JSON Lines', jsonl),
        exportRow(`JSON Lines, a reader that stops reading for ${patience / 1000} s`, stalled),
      ],
      [
        `Read back by csv-parse, ${alike.toLocaleString('en')} rows of the CSV equal those of the JSON Lines, cell by cell.`,
        `At the most the server grew by ${growth.toFixed(0)} MiB (at most ${MOST_MIB} is good).`,
      ],
    );
    const during = (of: keyof Timing, name: string) => [
      timingRow(
        `${name}, no export`,
        quiet.flatMap(({ timing }) => timing[of]),
      ),
      timingRow(`${name}, CSV export`, csv.timing[of]),
      timingRow(`${name}, JSON Lines export`, jsonl.timing[of]),
    ];
    report.section(
      'What others wait, in milliseconds',
      [
        ['request', 'requests', 'p50', 'p95', 'p99', 'max'],
        ...during('health', 'GET /healthz'),
        ...during('posts', 'post'),
      ],
      ['Without an export is measured before, between and after the two, since the machine has other work too.'],
    );
    if (rows === ROWS) await report.write(join(import.meta.dir, 'EXPORT.md'));
    if (alike !== rows || growth > MOST_MIB) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true });
  }
}

function exportRow(name: string, { before, peak, after, seconds, bytes }: Load): string[] {
  const mib = (bytes / 2 ** 20).toFixed(1);
  return [name, seconds.toFixed(1), mib, ...[before, peak, after].map((figure) => figure.toFixed(0))];
}
