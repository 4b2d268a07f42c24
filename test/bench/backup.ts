import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { openStoredFile, readFiles, readPayload } from '../../src/services/read-submission.ts';
import { formData, noise, sha256 } from '../fast/submit/files.ts';
import { formstead } from '../support/process.ts';
import { Report } from './report.ts';
import { seed } from './seed.ts';

const ROWS = 800_000;
const FILES = 2_000;
const FILE_BYTES = 50_000;
const POSTS_A_SECOND = 1_000;
/** One post in so many carries a file. */
const FILE_EVERY = 100;
const BEAT_MS = 10;
const QUIET_MS = 10_000;
const ROUNDS = 4;
const MOST_MS = 50;

/** When a post was answered, by its number. */
type Acknowledged = Map<string, number>;
type Held = Readonly<{ ticks: number; longest: readonly number[] }>;
type Phase = Readonly<{ name: string; seconds: number; posts: readonly number[]; held: Held }>;

if (process.argv[2] === 'load') await load(process.argv[3] ?? '');
else await bench(Number(process.argv[2] ?? ROWS), Number(process.argv[3] ?? ROUNDS));

/** In a process of its own: posts at a pace, whether those before were answered or not, until it is told to stop. */
async function load(endpoint: string): Promise<void> {
  const file = new File([noise(FILE_BYTES / 5)], 'cv.pdf');
  let isOver = false;
  let times: number[] = [];
  let acknowledged: Array<[string, number]> = [];
  const under = new Set<Promise<void>>();
  process.on('message', (message) => {
    if (message === 'stop') isOver = true;
    process.send?.({ times, acknowledged });
    times = [];
    acknowledged = [];
  });
  const post = async (n: number) => {
    const body =
      n % FILE_EVERY === 0
        ? formData([
            ['n', String(n)],
            ['cv', file],
          ])
        : new URLSearchParams({ n: String(n), email: 'ada@example.com', message: 'Is the shop open on Sunday?' });
    const began = performance.now();
    const answer = await fetch(endpoint, { method: 'POST', body });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`a post was answered with ${answer.status}`);
    times.push(performance.now() - began);
    acknowledged.push([String(n), Date.now()]);
  };
  const began = performance.now();
  for (let sent = 0, beat = 1; !isOver; beat++) {
    for (; sent < (beat * BEAT_MS * POSTS_A_SECOND) / 1000; sent++) {
      const one = post(sent).finally(() => under.delete(one));
      under.add(one);
    }
    await Bun.sleep(Math.max(0, began + beat * BEAT_MS - performance.now()));
  }
  await Promise.all(under);
  process.send?.({ times, acknowledged });
  process.disconnect?.();
}

/** A process that answers each message with one. */
function talker(command: readonly string[], env: Record<string, string> = {}) {
  let next = Promise.withResolvers<unknown>();
  const child = Bun.spawn([...command], {
    env: { ...Bun.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
    ipc: (message) => next.resolve(message),
  });
  const heard = async () => {
    const message = await next.promise;
    next = Promise.withResolvers();
    return message;
  };
  const ask = (message: string) => {
    child.send(message);
    return heard();
  };
  return { child, ask, heard };
}

async function startServer(dataDir: string) {
  const probe = join(import.meta.dir, 'stall-probe.ts');
  const main = join(import.meta.dir, '../../src/main.ts');
  const env = { DATA_DIR: dataDir, PORT: '0', POSTS_PER_MINUTE: '0', LOG_LEVEL: 'info' };
  const server = talker(['bun', '--preload', probe, main, 'serve'], env);
  let output = '';
  const decoder = new TextDecoder();
  const listening = Promise.withResolvers<string>();
  const read = async () => {
    for await (const chunk of server.child.stdout) {
      if (output.length < 100_000) output += decoder.decode(chunk, { stream: true });
      const url = /"message":"listening","url":"([^"]+)"/.exec(output)?.[1];
      if (url) listening.resolve(url);
    }
  };
  void read();
  return { url: await listening.promise, held: async () => (await server.ask('held')) as Held, child: server.child };
}

async function withContext<T>(dataDir: string, work: (context: Context) => Promise<T>): Promise<T> {
  const context = await openContext({
    config: loadConfig({ DATA_DIR: dataDir }),
    secrets: loadSecrets({}, () => ''),
    writeLog: () => {},
    logForPerson: false,
  });
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

/** The numbers of all posts that a form has, and how many files of theirs were read whole. */
async function readAll(dataDir: string, formId: string) {
  return withContext(dataDir, async (context) => {
    const { store, vault, log } = context;
    const found = new Set<string>();
    let files = 0;
    const span = { formId, state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
    for (let after = 0; ; ) {
      const page = await store.listExportPage(span, after);
      const last = page.at(-1);
      if (!last) return { found, files };
      after = last.createdAt;
      for (const submission of page) {
        const payload = Object.fromEntries(readPayload(vault, log, submission) ?? []);
        found.add(String(payload.n));
        for (const file of readFiles(vault, log, submission)) {
          const pieces = await Array.fromAsync(await openStoredFile(context, submission.id, file));
          if (sha256(Buffer.concat(pieces)) !== file.sha256) throw new Error('a file was changed');
          files += 1;
        }
      }
    }
  });
}

async function bench(rows: number, rounds: number): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'formstead-backup-'));
  const dataDir = join(dir, 'data');
  const folder = join(dir, 'backups');
  const formId = await withContext(dataDir, async (context) => {
    await seed(context, rows);
    const [team] = await context.store.listTeams();
    const [form] = await context.store.listForms(team?.id ?? '');
    return form?.id ?? '';
  });
  const server = await startServer(dataDir);
  const endpoint = `${server.url}/v1/forms/${formId}/submissions`;
  for (let n = 0; n < FILES; n += 10) {
    const body = formData(Array.from({ length: 10 }, (_, k) => ['f', new File([noise(FILE_BYTES)], `${n + k}`)]));
    if ((await fetch(endpoint, { method: 'POST', body })).status !== 200) throw new Error('a file was refused');
  }
  const databaseMiB = statSync(join(dataDir, 'formstead.db')).size / 2 ** 20;
  const client = talker(['bun', import.meta.path, 'load', endpoint]);
  const acknowledged: Acknowledged = new Map();
  const times = async (word: string) => {
    const heard = (await client.ask(word)) as { times: number[]; acknowledged: Array<[string, number]> };
    for (const [n, at] of heard.acknowledged) acknowledged.set(n, at);
    return heard.times;
  };
  const phase = async (name: string, work: () => Promise<unknown>): Promise<Phase> => {
    await times('times');
    await server.held();
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    return { name, seconds, posts: await times('times'), held: await server.held() };
  };
  try {
    await Bun.sleep(5_000);
    const quiet: Phase[] = [];
    const busy: Phase[] = [];
    let path = '';
    let began = 0;
    for (let round = 0; round < rounds; round++) {
      quiet.push(await phase('no backup', () => Bun.sleep(QUIET_MS)));
      busy.push(
        await phase('backup', async () => {
          began = Date.now();
          const args = ['backup', folder, '--with-key', '--keep', '1', '--json'];
          const made = await formstead(dataDir, args);
          if (made.code !== 0) throw new Error(made.stderr);
          path = JSON.parse(made.stdout).path;
          // What has to be done afterwards, such as writing down a longer log, counts too.
          await Bun.sleep(1_000);
        }),
      );
      process.stderr.write(`round ${round + 1}: held ${busy.at(-1)?.held.longest[0]?.toFixed(1)} ms\n`);
    }
    client.child.send('stop');
    await client.child.exited;
    server.child.kill();
    await server.child.exited;

    const restored = join(dir, 'restored');
    const restoring = performance.now();
    const outcome = await formstead(restored, ['restore', path, '--json']);
    if (outcome.code !== 0) throw new Error(outcome.stderr);
    const restoreSeconds = (performance.now() - restoring) / 1000;
    const { found, files } = await readAll(restored, formId);
    const before = [...acknowledged].filter(([, at]) => at < began).map(([n]) => n);
    const lost = before.filter((n) => !found.has(n));

    const report = new Report('bun run backup-load', [
      `A server with a database of ${databaseMiB.toFixed(0)} MiB and ${FILES.toLocaleString('en')} files takes ${POSTS_A_SECOND.toLocaleString('en')} posts a second, one in ${FILE_EVERY} with a file,`,
      'from a client that does not wait for answers. Beside it `formstead backup` runs, as the schedule starts it.',
    ]);
    const all = [...quiet.map((one, n) => [one, busy[n]])].flat().filter((one) => one !== undefined);
    report.section(
      'How long the event loop of the server was held, in milliseconds',
      [['phase', 'seconds', 'p99', 'max', 'over 50 ms'], ...all.map(heldRow)],
      [
        `A second after each backup is counted with it. At most ${MOST_MS} is good.`,
        `The load average of the machine was ${loadavg()[0]?.toFixed(1)} at the end, other work included: the phases without a backup show what that alone does.`,
      ],
    );
    report.section('What posts took, in milliseconds', [
      ['phase', 'posts', 'p50', 'p95', 'p99', 'max'],
      timeRow(
        'no backup',
        quiet.flatMap(({ posts }) => posts),
      ),
      timeRow(
        'backup',
        busy.flatMap(({ posts }) => posts),
      ),
    ]);
    report.section('The last backup, restored', [
      ['what', 'figure'],
      ['posts acknowledged before it began', String(before.length)],
      ['of them not in it', String(lost.length)],
      ['files read whole', String(files)],
      ['seconds to restore', restoreSeconds.toFixed(1)],
    ]);
    if (rows === ROWS) await report.write(join(import.meta.dir, 'BACKUP.md'));
    if (lost.length > 0 || busy.some(({ held }) => (held.longest[0] ?? 0) > MOST_MS)) process.exitCode = 1;
  } finally {
    client.child.kill();
    server.child.kill('SIGKILL');
    rmSync(dir, { recursive: true });
  }
}

function heldRow({ name, seconds, held: { ticks, longest } }: Phase): string[] {
  const p99 = longest[Math.floor(ticks / 100)] ?? 0;
  const over = longest.filter((ms) => ms > MOST_MS).length;
  return [name, seconds.toFixed(1), p99.toFixed(1), (longest[0] ?? 0).toFixed(1), String(over)];
}

function timeRow(name: string, figures: readonly number[]): string[] {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return [name, String(figures.length), at(0.5), at(0.95), at(0.99), at(1)];
}
