import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { json } from '../../test/cli/command-line.ts';
import { keyOf } from '../../test/fast/instance/exposition.ts';
import { formstead, type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { type SmtpSink, startSmtp } from '../../test/support/smtp.ts';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import {
  createTestData,
  type Item,
  Ledger,
  newFolder,
  postOf,
  read,
  readMetrics,
  signIn,
  type TestData,
} from './harness.ts';
import { mailedPosts } from './mails.ts';

const SECONDS = Number(Bun.env.SECONDS ?? 3_600);
const MiB = 1024 * 1024;
/** The interval of each kind of request. A longer one delays the next of its kind. */
const EVERY_MS = { post: 40, readApi: 200, page: 250, search: 2_000, export: 30_000, backup: 120_000, rotate: 180_000 };
const SAMPLE_MS = 1_000;
const MAX_LOG_BYTES = 64 * MiB;
/** The limit of memory growth: the median of the last tenth divided by that of the second. */
const MAX_GROWTH = 1.25;
const LAG = 'formstead_event_loop_lag_seconds';

/** A sample of memory and log size in bytes. */
type Sample = Readonly<{ resident: number; log: number }>;
type Outcome = Readonly<{
  done: ReadonlyMap<string, number>;
  samples: readonly Sample[];
  /** The number of heartbeats with at most this lag in seconds. */
  lags: ReadonlyArray<readonly [upTo: string, beats: number]>;
  databaseBytes: number;
  faults: readonly string[];
}>;

/** Runs all kinds of load at once for an hour. Returns true if nothing failed or was lost. */
export async function mixedLoad(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { done, samples, lags, databaseBytes, ...outcome } = await loadFor(SECONDS, EVERY_MS, progress);
  const tenths = tenthsOf(samples);
  const memory = tenths.map((some) => spreadOf(some.map(({ resident }) => resident)).median);
  const hasGrown = (memory.at(-1) ?? 0) > MAX_GROWTH * (memory[1] ?? 0);
  const faults = hasGrown ? [...outcome.faults, 'the memory grew'] : outcome.faults;
  const show = (bytes: number) => (bytes / MiB).toFixed(1);
  const title = `${SECONDS.toLocaleString('en')} seconds of mixed load`;
  report.section(title, [
    ['request', 'count'],
    ...Array.from(done, ([what, times]) => [what, times.toLocaleString('en')]),
  ]);
  report.section(
    'Memory and write-ahead log, MiB',
    [
      ['tenth', 'memory: median (min to max)', 'log: median (min to max)'],
      ...tenths.map((some, at) => [
        String(at + 1),
        showSpread(spreadOf(some.map(({ resident }) => resident / MiB)), 1),
        showSpread(spreadOf(some.map(({ log }) => log / MiB)), 1),
      ]),
    ],
    [
      `The database had ${show(databaseBytes)} MiB at the end.`,
      `Event loop lag of ${lags.at(-1)?.[1].toLocaleString('en')}: ${lags.map(([upTo, beats]) => `${beats} up to ${upTo} s`).join(', ')}.`,
      `The write-ahead log must stay below ${MAX_LOG_BYTES / MiB} MiB, and the memory of the last tenth within ${MAX_GROWTH} times that of the second.`,
      faults.length === 0
        ? 'No request or command failed; at the end every acknowledged post was stored unchanged, and its mail sent.'
        : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

export async function loadFor(
  seconds: number,
  everyMs: typeof EVERY_MS,
  progress: (text: string) => void = () => {},
): Promise<Outcome> {
  const folder = newFolder();
  const smtp = await startSmtp();
  const testData = await createTestData(join(folder, 'data'));
  const mailing = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  const server = await spawnServer(testData.dataDir, { READS_PER_MINUTE: '0', ...mailing });
  const load = new Load(testData, server, smtp, join(folder, 'backups'));
  try {
    return await load.run(seconds, everyMs, progress);
  } finally {
    await smtp.stop();
    rmSync(folder, { recursive: true });
  }
}

class Load {
  readonly #ledger = new Ledger();
  readonly #done = new Map<string, number>();
  readonly #faults: string[] = [];
  readonly #samples: Sample[] = [];
  #cookie = '';
  #newest: Item | null = null;
  #sent = 0;
  #page = 0;
  #metrics: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly testData: TestData,
    private readonly server: ServerProcess,
    private readonly smtp: SmtpSink,
    private readonly backups: string,
  ) {}

  async run(seconds: number, everyMs: typeof EVERY_MS, progress: (text: string) => void): Promise<Outcome> {
    this.#cookie = await signIn(this.server, this.testData);
    const until = performance.now() + seconds * 1000;
    const work: Record<keyof typeof EVERY_MS, () => Promise<unknown>> = {
      post: () => this.#post(),
      readApi: () => this.#readApi(),
      page: () => this.#showPage(),
      search: () =>
        this.#get(`/dashboard/forms/${this.testData.formId}/submissions?q=${this.#sent % 1_000}`, 'searches'),
      export: () => this.#export(),
      backup: () => this.#command('backups', 'backup', this.backups, '--with-key', '--keep', '2'),
      rotate: () => this.#rotate(),
    };
    const streams = Object.entries(work).map(([name, step]) =>
      this.#repeat(step, everyMs[name as keyof typeof EVERY_MS], until),
    );
    const sample = async () => {
      await this.#sample();
      progress(`${Math.max(0, Math.round((until - performance.now()) / 1000))} s to go, ${this.#sent} posts`);
    };
    await Promise.all([...streams, this.#repeat(sample, SAMPLE_MS, until)]);
    await mailedPosts(this.smtp, this.#ledger.acknowledged, this.testData);
    await this.#sample();
    await this.#finish(progress);
    const lags = Array.from(this.#metrics, ([key, beats]) => [key, beats] as const)
      .filter(([key]) => key.startsWith(`${LAG}_bucket`))
      .map(([key, beats]) => [/le="([^"]+)"/.exec(key)?.[1] ?? '', beats] as const);
    const databaseBytes = statSync(join(this.testData.dataDir, 'formstead.db')).size;
    return { done: this.#done, samples: this.#samples, lags, databaseBytes, faults: this.#faults };
  }

  /** Paces one kind of request; no assertion depends on the pace. */
  async #repeat(step: () => Promise<unknown>, everyMs: number, until: number): Promise<void> {
    for (let at = performance.now(); at < until; at = Math.max(at + everyMs, performance.now())) {
      await Bun.sleep(Math.max(0, at - performance.now()));
      await step().catch((error: unknown) => this.#faults.push(String(error)));
    }
  }

  #count(what: string): void {
    this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
  }

  async #post(): Promise<void> {
    const post = postOf(this.#sent++);
    const status = await this.#ledger.send(this.server, this.testData.formId, post);
    this.#count('posts');
    if (status !== 200) this.#faults.push(`a post was answered with ${status}`);
  }

  async #readApi(): Promise<void> {
    const list = await read(this.server, this.testData, `/forms/${this.testData.formId}/submissions?limit=20`);
    const { items } = ((await list.json()) as { data: { items: readonly Item[] } }).data;
    this.#newest = items.find(({ file_metadata }) => file_metadata !== null) ?? null;
    this.#count('API lists');
    const file = this.#newest?.file_metadata?.files[0];
    if (!this.#newest || !file) return;
    const answer = await read(this.server, this.testData, `/submissions/${this.#newest.id}/files/${file.id}`);
    if (answer.status !== 200) this.#faults.push(`a file was answered with ${answer.status}`);
    await answer.bytes();
    this.#count('API files');
  }

  async #showPage(): Promise<void> {
    const form = `/dashboard/forms/${this.testData.formId}`;
    const submission = this.#newest ? `/dashboard/submissions/${this.#newest.id}` : form;
    const pages = [
      form,
      `${form}/submissions`,
      submission,
      '/dashboard/inbox',
      '/dashboard/forms',
      '/dashboard/spam',
      `${form}/settings`,
    ];
    await this.#get(pages[this.#page++ % pages.length] ?? form, 'pages');
  }

  async #get(path: string, what: string): Promise<string> {
    const answer = await fetch(this.server.url + path, { redirect: 'manual', headers: { Cookie: this.#cookie } });
    const text = await answer.text();
    if (answer.status !== 200) this.#faults.push(`${path} was answered with ${answer.status}`);
    this.#count(what);
    return text;
  }

  async #export(): Promise<void> {
    const before = this.#ledger.acknowledged.size;
    const text = await this.#get(`/dashboard/forms/${this.testData.formId}/export.jsonl`, 'full exports');
    const lines = text.split('\n').length - 1;
    if (lines < before) this.#faults.push(`an export had ${lines} of ${before}`);
  }

  async #rotate(): Promise<void> {
    await this.#command('rotations', 'vault', 'rotate');
    const keys = await json<Array<{ id: string; state: string }>>(
      this.testData.dataDir,
      ['vault', 'list'],
      {},
      formstead,
    );
    for (const { id, state } of keys) {
      if (state === 'unused') await this.#command('keys removed', 'vault', 'remove', id, '--yes');
    }
  }

  async #command(what: string, ...args: string[]): Promise<void> {
    const { code, stderr } = await formstead(this.testData.dataDir, args);
    if (code !== 0) this.#faults.push(`${args.join(' ')} ended with ${code}: ${stderr}`);
    this.#count(what);
  }

  async #sample(): Promise<void> {
    this.#metrics = await readMetrics(this.server);
    const value = (name: string) => this.#metrics.get(keyOf(name)) ?? 0;
    this.#samples.push({ resident: value('process_resident_memory_bytes'), log: value('formstead_wal_bytes') });
  }

  /** Restarts the server and compares. */
  async #finish(progress: (text: string) => void): Promise<void> {
    const longest = Math.max(...this.#samples.map(({ log }) => log));
    if (longest > MAX_LOG_BYTES) this.#faults.push(`the log had ${longest} bytes`);
    if ((await this.server.end()) !== 0) this.#faults.push('it did not end with 0');
    const failures = this.server.stdout().match(/^.*"level":"error".*$/gm) ?? [];
    this.#faults.push(...failures);
    progress('comparing');
    const next = await spawnServer(this.testData.dataDir, { READS_PER_MINUTE: '0' });
    const { missing, stored } = await this.#ledger.compare(next, this.testData);
    if (missing.length > 0) this.#faults.push(`missing: ${missing.join(', ')}`);
    if (stored !== this.#sent) this.#faults.push(`${stored} are there of ${this.#sent}`);
    if ((await next.end()) !== 0) this.#faults.push('it did not end with 0');
  }
}

function tenthsOf(samples: readonly Sample[]): Sample[][] {
  return Array.from({ length: 10 }, (_, tenth) =>
    samples.slice((tenth * samples.length) / 10, ((tenth + 1) * samples.length) / 10),
  );
}
