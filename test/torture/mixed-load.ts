import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Report, showSpread, spreadOf } from '../bench/report.ts';
import { json } from '../cli/command-line.ts';
import { keyOf, parseExposition } from '../fast/operating/exposition.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { type Ground, type Item, Ledger, makeGround, newFolder, postOf, read } from './ground.ts';
import { mailedPosts } from './mails.ts';

const SECONDS = Number(Bun.env.SECONDS ?? 3_600);
const MiB = 1024 * 1024;
/** As often as each is done; what takes longer is not done twice at once. */
const EVERY_MS = { post: 40, readApi: 200, page: 250, search: 2_000, export: 30_000, backup: 120_000, rotate: 180_000 };
const LOOK_MS = 1_000;
const MOST_LOG = 64 * MiB;
/** What the median of the last tenth may have more than that of the second. */
const MOST_GROWTH = 1.25;
const LAG = 'formstead_event_loop_lag_seconds';

/** What was seen at one look, in bytes. */
type Look = Readonly<{ resident: number; log: number }>;
type Outcome = Readonly<{
  done: ReadonlyMap<string, number>;
  looks: readonly Look[];
  /** How many beats of the server came no later than this, in seconds. */
  lags: ReadonlyArray<readonly [upTo: string, beats: number]>;
  databaseBytes: number;
  faults: readonly string[];
}>;

/** Everything at once for an hour. Whether all went as promised. */
export async function mixedLoad(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { done, looks, lags, databaseBytes, ...outcome } = await loadFor(SECONDS, EVERY_MS, progress);
  const tenths = tenthsOf(looks);
  const memory = tenths.map((some) => spreadOf(some.map(({ resident }) => resident)).median);
  const hasGrown = (memory.at(-1) ?? 0) > MOST_GROWTH * (memory[1] ?? 0);
  const faults = hasGrown ? [...outcome.faults, 'the memory grew'] : outcome.faults;
  const show = (bytes: number) => (bytes / MiB).toFixed(1);
  const title = `${SECONDS.toLocaleString('en')} seconds of everything at once`;
  report.section(title, [
    ['done', 'times'],
    ...Array.from(done, ([what, times]) => [what, times.toLocaleString('en')]),
  ]);
  report.section(
    'Memory and the log of the database meanwhile, MiB',
    [
      ['tenth', 'memory: median (min to max)', 'log: median (min to max)'],
      ...tenths.map((some, at) => [
        String(at + 1),
        showSpread(spreadOf(some.map(({ resident }) => resident / MiB)), 1),
        showSpread(spreadOf(some.map(({ log }) => log / MiB)), 1),
      ]),
    ],
    [
      `The database had ${show(databaseBytes)} MiB in the end.`,
      `How late the beats of the event loop came, of ${lags.at(-1)?.[1].toLocaleString('en')}: ${lags.map(([upTo, beats]) => `${beats} up to ${upTo} s`).join(', ')}.`,
      `The log must stay below ${MOST_LOG / MiB} MiB, and the memory of the last tenth within ${MOST_GROWTH} times that of the second.`,
      faults.length === 0
        ? 'No request or command failed; in the end all that was acknowledged was there, as it was sent, and was mailed.'
        : `Not as promised: ${faults.join('; ')}.`,
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
  const ground = await makeGround(join(folder, 'data'));
  const mailing = { SMTP_URL: smtp.url, MAIL_FROM: 'forms@mail.example' };
  const server = await spawnServer(ground.dataDir, { READS_PER_MINUTE: '0', ...mailing });
  const load = new Load(ground, server, smtp, join(folder, 'backups'));
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
  readonly #looks: Look[] = [];
  #cookie = '';
  #newest: Item | null = null;
  #sent = 0;
  #page = 0;
  #metrics: ReadonlyMap<string, number> = new Map();

  constructor(
    private readonly ground: Ground,
    private readonly server: ServerProcess,
    private readonly smtp: SmtpSink,
    private readonly backups: string,
  ) {}

  async run(seconds: number, everyMs: typeof EVERY_MS, progress: (text: string) => void): Promise<Outcome> {
    await this.#signIn();
    const until = performance.now() + seconds * 1000;
    const work: Record<keyof typeof EVERY_MS, () => Promise<unknown>> = {
      post: () => this.#post(),
      readApi: () => this.#readApi(),
      page: () => this.#showPage(),
      search: () => this.#get(`/dashboard/forms/${this.ground.formId}?q=${this.#sent % 1_000}`, 'searches'),
      export: () => this.#export(),
      backup: () => this.#command('backups', 'backup', this.backups, '--with-key', '--keep', '2'),
      rotate: () => this.#rotate(),
    };
    const streams = Object.entries(work).map(([name, step]) =>
      this.#repeat(step, everyMs[name as keyof typeof EVERY_MS], until),
    );
    const look = async () => {
      await this.#look();
      progress(`${Math.max(0, Math.round((until - performance.now()) / 1000))} s to go, ${this.#sent} posts`);
    };
    await Promise.all([...streams, this.#repeat(look, LOOK_MS, until)]);
    await mailedPosts(this.smtp, this.#ledger.acknowledged);
    await this.#look();
    await this.#finish(progress);
    const lags = Array.from(this.#metrics, ([key, beats]) => [key, beats] as const)
      .filter(([key]) => key.startsWith(`${LAG}_bucket`))
      .map(([key, beats]) => [/le="([^"]+)"/.exec(key)?.[1] ?? '', beats] as const);
    const databaseBytes = statSync(join(this.ground.dataDir, 'formstead.db')).size;
    return { done: this.#done, looks: this.#looks, lags, databaseBytes, faults: this.#faults };
  }

  /** Paces one kind of request; no assertion depends on how often it was done. */
  async #repeat(step: () => Promise<unknown>, everyMs: number, until: number): Promise<void> {
    for (let at = performance.now(); at < until; at = Math.max(at + everyMs, performance.now())) {
      await Bun.sleep(Math.max(0, at - performance.now()));
      await step().catch((error: unknown) => this.#faults.push(String(error)));
    }
  }

  /** Makes an account with a link, as a browser does. */
  async #signIn(): Promise<void> {
    const { link } = await json<{ link: string }>(this.ground.dataDir, ['user', 'create'], {}, formstead);
    const made = await fetch(this.server.url + new URL(link).pathname, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: this.server.url },
      body: new URLSearchParams({ email: 'ada@example.com', new_password: 'correct horse battery' }),
    });
    this.#cookie = (made.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  #count(what: string): void {
    this.#done.set(what, (this.#done.get(what) ?? 0) + 1);
  }

  async #post(): Promise<void> {
    const post = postOf(this.#sent++);
    const status = await this.#ledger.send(this.server, this.ground.formId, post);
    this.#count('posts');
    if (status !== 200) this.#faults.push(`a post was answered with ${status}`);
  }

  async #readApi(): Promise<void> {
    const list = await read(this.server, this.ground, `/forms/${this.ground.formId}/submissions?limit=20`);
    const { items } = ((await list.json()) as { data: { items: readonly Item[] } }).data;
    this.#newest = items.find(({ file_metadata }) => file_metadata !== null) ?? null;
    this.#count('lists by the API');
    const file = this.#newest?.file_metadata?.files[0];
    if (!this.#newest || !file) return;
    const answer = await read(this.server, this.ground, `/submissions/${this.#newest.id}/files/${file.id}`);
    if (answer.status !== 200) this.#faults.push(`a file was answered with ${answer.status}`);
    await answer.bytes();
    this.#count('files by the API');
  }

  async #showPage(): Promise<void> {
    const form = `/dashboard/forms/${this.ground.formId}`;
    const submission = this.#newest ? `/dashboard/submissions/${this.#newest.id}` : form;
    const pages = [form, submission, '/dashboard/inbox', '/dashboard/forms', '/dashboard/usage', `${form}/settings`];
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
    const text = await this.#get(`/dashboard/forms/${this.ground.formId}/export.jsonl`, 'exports of all');
    const lines = text.split('\n').length - 1;
    if (lines < before) this.#faults.push(`an export had ${lines} of ${before}`);
  }

  async #rotate(): Promise<void> {
    await this.#command('rotations', 'vault', 'rotate');
    const keys = await json<Array<{ id: string; state: string }>>(
      this.ground.dataDir,
      ['vault', 'list'],
      {},
      formstead,
    );
    for (const { id, state } of keys) {
      if (state === 'unused') await this.#command('keys removed', 'vault', 'remove', id, '--yes');
    }
  }

  async #command(what: string, ...args: string[]): Promise<void> {
    const { code, stderr } = await formstead(this.ground.dataDir, args);
    if (code !== 0) this.#faults.push(`${args.join(' ')} ended with ${code}: ${stderr}`);
    this.#count(what);
  }

  async #look(): Promise<void> {
    this.#metrics = parseExposition(await (await fetch(`${this.server.url}/metrics`)).text()).values;
    const value = (name: string) => this.#metrics.get(keyOf(name)) ?? 0;
    this.#looks.push({ resident: value('process_resident_memory_bytes'), log: value('formstead_wal_bytes') });
  }

  /** Starts it once more and compares. */
  async #finish(progress: (text: string) => void): Promise<void> {
    const longest = Math.max(...this.#looks.map(({ log }) => log));
    if (longest > MOST_LOG) this.#faults.push(`the log had ${longest} bytes`);
    if ((await this.server.end()) !== 0) this.#faults.push('it did not end with 0');
    const failures = this.server.stdout().match(/^.*"level":"error".*$/gm) ?? [];
    this.#faults.push(...failures);
    progress('comparing');
    const next = await spawnServer(this.ground.dataDir, { READS_PER_MINUTE: '0' });
    const { missing, stored } = await this.#ledger.compare(next, this.ground);
    if (missing.length > 0) this.#faults.push(`missing: ${missing.join(', ')}`);
    if (stored !== this.#sent) this.#faults.push(`${stored} are there of ${this.#sent}`);
    if ((await next.end()) !== 0) this.#faults.push('it did not end with 0');
  }
}

function tenthsOf(looks: readonly Look[]): Look[][] {
  return Array.from({ length: 10 }, (_, tenth) =>
    looks.slice((tenth * looks.length) / 10, ((tenth + 1) * looks.length) / 10),
  );
}
