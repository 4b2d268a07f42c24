import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context/context.ts';
import { openStoredFile, readFiles, readPayload } from '../../src/services/submissions/read-submission.ts';
import { formData, noise, sha256 } from '../../test/fast/visitor/files.ts';
import { formstead } from '../../test/support/process.ts';
import { Report } from './report.ts';
import { seed } from './seed.ts';

const ROWS = 800_000;
const FILES = 2_000;
const FILE_BYTES = 50_000;
const POSTS_PER_SECOND = 1_000;
/** One post of this number has a file. */
const FILE_EVERY = 100;
const INTERVAL_MS = 10;
const QUIET_MS = 10_000;
const ROUNDS = 4;
const MAX_DELAY_MS = 50;

/** The time of each answer by the number of the post, in milliseconds since 1970. */
type Acknowledged = Map<string, number>;
type LoopDelays = Readonly<{ ticks: number; longest: readonly number[] }>;
type Phase = Readonly<{ name: string; seconds: number; posts: readonly number[]; delays: LoopDelays }>;

if (process.argv[2] === 'load') await load(process.argv[3] ?? '');
else await bench(Number(process.argv[2] ?? ROWS), Number(process.argv[3] ?? ROUNDS));

/**
 * Runs in a process of its own: posts at a fixed rate without waiting for answers, until it gets the message `stop`.
 */
async function load(endpoint: string): Promise<void> {
  const file = new File([noise(FILE_BYTES / 5)], 'cv.pdf');
  let isOver = false;
  let times: number[] = [];
  let acknowledged: Array<[string, number]> = [];
  const pending = new Set<Promise<void>>();
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
    for (; sent < (beat * INTERVAL_MS * POSTS_PER_SECOND) / 1000; sent++) {
      const one = post(sent).finally(() => pending.delete(one));
      pending.add(one);
    }
    await Bun.sleep(Math.max(0, began + beat * INTERVAL_MS - performance.now()));
  }
  await Promise.all(pending);
  process.send?.({ times, acknowledged });
  process.disconnect?.();
}

/** Starts a process that answers each message with one message. */
function startWorker(command: readonly string[], env: Record<string, string> = {}) {
  let next = Promise.withResolvers<unknown>();
  const child = Bun.spawn([...command], {
    env: { ...Bun.env, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
    ipc: (message) => next.resolve(message),
  });
  const reply = async () => {
    const message = await next.promise;
    next = Promise.withResolvers();
    return message;
  };
  const ask = (message: string) => {
    child.send(message);
    return reply();
  };
  return { child, ask };
}

async function startServer(dataDir: string) {
  const probe = join(import.meta.dir, 'stall-probe.ts');
  const main = join(import.meta.dir, '../../src/main.ts');
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    POSTS_PER_MINUTE: '0',
    UPLOAD_BYTES_PER_MINUTE: '0',
    UPLOAD_BYTES_PER_HOUR: '0',
    LOG_LEVEL: 'info',
  };
  const server = startWorker(['bun', '--preload', probe, main, 'serve'], env);
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
  return {
    url: await listening.promise,
    loopDelays: async () => (await server.ask('delays')) as LoopDelays,
    child: server.child,
  };
}

async function withContext<T>(dataDir: string, work: (context: Context) => Promise<T>, isNew = false): Promise<T> {
  const context = await openContext({
    config: loadConfig({ DATA_DIR: dataDir }),
    secrets: loadSecrets({}, () => ''),
    writeLog: () => {},
    prettyLog: false,
    isNew,
  });
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

/** Returns the numbers of all posts of a form and the count of their files. Throws if a file was changed. */
async function readAll(dataDir: string, formId: string) {
  return withContext(dataDir, async (context) => {
    const { store, vault, log } = context;
    const numbers = new Set<string>();
    let files = 0;
    const span = { formId, state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
    for (let after = 0; ; ) {
      const page = await store.exports.listPage(span, after);
      const last = page.at(-1);
      if (!last) return { numbers, files };
      after = last.createdAt;
      for (const submission of page) {
        const payload = Object.fromEntries(readPayload(vault, log, submission) ?? []);
        numbers.add(String(payload.n));
        for (const file of readFiles(vault, log, submission)) {
          const chunks = await Array.fromAsync(await openStoredFile(context, submission.id, file));
          if (sha256(Buffer.concat(chunks)) !== file.sha256) throw new Error('a file was changed');
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
  const formId = await withContext(
    dataDir,
    async (context) => {
      await seed(context, rows);
      const [team] = await context.store.teams.list();
      const [form] = await context.store.forms.list(team?.id ?? '');
      return form?.id ?? '';
    },
    true,
  );
  const server = await startServer(dataDir);
  const endpoint = `${server.url}/v1/forms/${formId}/submissions`;
  for (let n = 0; n < FILES; n += 10) {
    const body = formData(Array.from({ length: 10 }, (_, k) => ['f', new File([noise(FILE_BYTES)], `${n + k}`)]));
    if ((await fetch(endpoint, { method: 'POST', body })).status !== 200) throw new Error('a file was refused');
  }
  const databaseMiB = statSync(join(dataDir, 'formstead.db')).size / 2 ** 20;
  const client = startWorker(['bun', import.meta.path, 'load', endpoint]);
  const acknowledged: Acknowledged = new Map();
  const times = async (word: string) => {
    const reply = (await client.ask(word)) as { times: number[]; acknowledged: Array<[string, number]> };
    for (const [n, at] of reply.acknowledged) acknowledged.set(n, at);
    return reply.times;
  };
  const phase = async (name: string, work: () => Promise<unknown>): Promise<Phase> => {
    await times('times');
    await server.loopDelays();
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1000;
    return { name, seconds, posts: await times('times'), delays: await server.loopDelays() };
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
          const outcome = await formstead(dataDir, args);
          if (outcome.code !== 0) throw new Error(outcome.stderr);
          path = JSON.parse(outcome.stdout).path;
          // Include work after the backup, such as a checkpoint of a longer WAL.
          await Bun.sleep(1_000);
        }),
      );
      process.stderr.write(`round ${round + 1}: longest delay ${busy.at(-1)?.delays.longest[0]?.toFixed(1)} ms\n`);
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
    const { numbers, files } = await readAll(restored, formId);
    const before = [...acknowledged].filter(([, at]) => at < began).map(([n]) => n);
    const lost = before.filter((n) => !numbers.has(n));

    const report = new Report('bun run bench backup-load', [
      `A server with a database of ${databaseMiB.toFixed(0)} MiB and ${FILES.toLocaleString('en')} files takes ${POSTS_PER_SECOND.toLocaleString('en')} posts a second, one in ${FILE_EVERY} with a file,`,
      'from a client that does not wait for answers. Meanwhile `formstead backup` runs, as the schedule starts it.',
    ]);
    const all = [...quiet.map((one, n) => [one, busy[n]])].flat().filter((one) => one !== undefined);
    report.section(
      'Event loop delays of the server, in milliseconds',
      [['phase', 'seconds', 'p99', 'max', 'over 50 ms'], ...all.map(delayRow)],
      [
        `The second after each backup is included. Goal: at most ${MAX_DELAY_MS}.`,
        `The load average of the machine was ${loadavg()[0]?.toFixed(1)} at the end, including other work; the phases without a backup show its effect.`,
      ],
    );
    report.section('Duration of posts, in milliseconds', [
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
      ['measure', 'value'],
      ['posts acknowledged before it began', String(before.length)],
      ['of these missing from the backup', String(lost.length)],
      ['files read completely', String(files)],
      ['seconds to restore', restoreSeconds.toFixed(1)],
    ]);
    if (rows === ROWS) await report.write(join(import.meta.dir, 'BACKUP.md'));
    if (lost.length > 0 || busy.some(({ delays }) => (delays.longest[0] ?? 0) > MAX_DELAY_MS)) process.exitCode = 1;
  } finally {
    client.child.kill();
    server.child.kill('SIGKILL');
    rmSync(dir, { recursive: true });
  }
}

function delayRow({ name, seconds, delays: { ticks, longest } }: Phase): string[] {
  const p99 = longest[Math.floor(ticks / 100)] ?? 0;
  const over = longest.filter((ms) => ms > MAX_DELAY_MS).length;
  return [name, seconds.toFixed(1), p99.toFixed(1), (longest[0] ?? 0).toFixed(1), String(over)];
}

function timeRow(name: string, figures: readonly number[]): string[] {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN).toFixed(1);
  return [name, String(figures.length), at(0.5), at(0.95), at(0.99), at(1)];
}
