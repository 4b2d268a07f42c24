import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { Unzip, UnzipInflate } from 'fflate';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { createForm } from '../../src/services/forms/forms.ts';
import { signIn } from '../../test/fast/dashboard/signed-in.ts';
import { INTERVAL_MS, measureOtherRequests, type Timing, timingRow } from './other-requests.ts';
import { Report } from './report.ts';
import { seed } from './seed.ts';
import { type BenchServer, startServer } from './servers.ts';

const ROWS = 1_000_000;
const SAMPLE_MS = 50;
/** The goal for the growth of the server's memory during an export. */
const MAX_GROWTH_MIB = 100;

type Load = Readonly<{ before: number; peak: number; after: number; seconds: number; bytes: number; timing: Timing }>;

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'download') await download(rest);
else await bench(Number(mode ?? ROWS));

/** Downloads an export in a process of its own, so that it does not delay the measured requests. */
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
  const timing = measureOtherRequests(url, form, () => !isOver);
  const began = performance.now();
  const bytes = await work();
  const seconds = (performance.now() - began) / 1000;
  isOver = true;
  clearInterval(sampler);
  return { before, peak, after: residentMiB(), seconds, bytes, timing: await timing };
}

/** Reads the beginning of an export, then nothing for `ms` milliseconds. Returns the bytes read. */
async function stall(url: string, cookie: string, ms: number): Promise<number> {
  const aborter = new AbortController();
  const answer = await fetch(url, { headers: { Cookie: cookie }, signal: aborter.signal });
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await Bun.sleep(ms);
  aborter.abort();
  return first?.value?.length ?? 0;
}

type ExportedSubmission = Readonly<{ id: string; created_at: string; is_spam: boolean; data: Record<string, string> }>;

/** Compares both files row by row and returns their number of rows. Throws at the first difference. */
async function compare(csvFile: string, linesFile: string): Promise<number> {
  const lines = createInterface({ input: createReadStream(linesFile) })[Symbol.asyncIterator]();
  let titles: readonly string[] | null = null;
  let rows = 0;
  for await (const cells of createReadStream(csvFile).pipe(parse({ bom: true })) as AsyncIterable<string[]>) {
    if (titles === null) {
      titles = cells;
      continue;
    }
    const submission = JSON.parse((await lines.next()).value ?? 'null') as ExportedSubmission | null;
    const expected = submission && [
      submission.id,
      submission.created_at,
      String(submission.is_spam),
      'false',
      'false',
      ...Object.values(submission.data),
    ];
    if (JSON.stringify(expected) !== JSON.stringify(cells)) throw new Error(`row ${rows} differs: ${cells.join(', ')}`);
    rows += 1;
  }
  if (!(await lines.next()).done) throw new Error('the CSV has fewer rows');
  return rows;
}

/** Counts the rows of a workbook without those of the headings. The archive is inflated as a stream. */
async function countSheetRows(file: string): Promise<number> {
  let rows = 0;
  const unzip = new Unzip((entry) => {
    if (!entry.name.startsWith('xl/worksheets/')) return;
    let rest = '';
    rows -= 1;
    entry.ondata = (error, bytes) => {
      if (error) throw error;
      const parts = (rest + Buffer.from(bytes).toString('latin1')).split('<row ');
      rows += parts.length - 1;
      rest = parts.at(-1)?.slice(-5) ?? '';
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  for await (const bytes of Bun.file(file).stream()) unzip.push(bytes);
  unzip.push(new Uint8Array(), true);
  return rows;
}

async function bench(rows: number): Promise<void> {
  const pauseMs = rows === ROWS ? 10_000 : 1_000;
  const dir = mkdtempSync(join(tmpdir(), 'formstead-export-'));
  const context = await openContext({
    config: loadConfig({ DATA_DIR: dir }),
    secrets: loadSecrets({}, () => ''),
    writeLog: () => {},
    prettyLog: false,
    isNew: true,
  });
  await seed(context, rows);
  const [team] = await context.store.teams.list();
  const teamId = team?.id ?? '';
  const [form] = await context.store.forms.list(teamId);
  const [workspace] = await context.store.workspaces.list(teamId);
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
    // Warm up the server.
    await measureOtherRequests(
      server.url,
      posted.id,
      (() => {
        const end = performance.now() + 2_000;
        return () => performance.now() < end;
      })(),
    );
    const pause = () =>
      measure(server, posted.id, async () => {
        await Bun.sleep(pauseMs);
        return 0;
      });
    const quiet = [await pause()];
    const csv = await measure(server, posted.id, exported('csv'));
    quiet.push(await pause());
    const jsonl = await measure(server, posted.id, exported('jsonl'));
    quiet.push(await pause());
    const xlsx = await measure(server, posted.id, exported('xlsx'));
    quiet.push(await pause());
    const stalled = await measure(server, posted.id, () => stall(`${path}.jsonl`, cookie, pauseMs));
    const equalRows = await compare(fileOf('csv'), fileOf('jsonl'));
    const sheetRows = await countSheetRows(fileOf('xlsx'));
    const growth = Math.max(...[csv, jsonl, xlsx, stalled].map(({ peak }) => peak)) - (quiet[0]?.peak ?? 0);

    const report = new Report('bun run bench export', [
      `A form with ${rows.toLocaleString('en')} submissions is exported by a separate server process. Meanwhile other clients request`,
      `\`/healthz\` and post to another form, each every ${INTERVAL_MS} ms, without waiting for earlier answers.`,
    ]);
    report.section(
      'Exports',
      [
        ['export', 'seconds', 'MiB', 'server MiB before', 'peak', 'after'],
        ...quiet.slice(0, 1).map((load) => exportRow('none', load)),
        exportRow('CSV (read twice)', csv),
        exportRow('JSON Lines', jsonl),
        exportRow('XLSX (read twice)', xlsx),
        exportRow(`JSON Lines, a client that pauses for ${pauseMs / 1000} s`, stalled),
      ],
      [
        `Read back by csv-parse, ${equalRows.toLocaleString('en')} rows of the CSV equal those of the JSON Lines.`,
        `The XLSX has ${sheetRows.toLocaleString('en')} rows.`,
        `The memory of the server grew by at most ${growth.toFixed(0)} MiB (at most ${MAX_GROWTH_MIB} is good).`,
      ],
    );
    const during = (of: keyof Timing, name: string) => [
      timingRow(
        `${name}, no export`,
        quiet.flatMap(({ timing }) => timing[of]),
      ),
      timingRow(`${name}, CSV export`, csv.timing[of]),
      timingRow(`${name}, JSON Lines export`, jsonl.timing[of]),
      timingRow(`${name}, XLSX export`, xlsx.timing[of]),
    ];
    report.section(
      'Latency of other requests, in milliseconds',
      [
        ['request', 'requests', 'p50', 'p95', 'p99', 'max'],
        ...during('health', 'GET /healthz'),
        ...during('posts', 'post'),
      ],
      [
        'The times without an export were measured before, between and after the others, since the machine has other work too.',
      ],
    );
    if (rows === ROWS) await report.write(join(import.meta.dir, 'EXPORT.md'));
    if (equalRows !== rows || sheetRows !== rows || growth > MAX_GROWTH_MIB) process.exitCode = 1;
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true });
  }
}

function exportRow(name: string, { before, peak, after, seconds, bytes }: Load): string[] {
  const mib = (bytes / 2 ** 20).toFixed(1);
  return [name, seconds.toFixed(1), mib, ...[before, peak, after].map((figure) => figure.toFixed(0))];
}
