import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FROM_SOURCE, type Program, type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { type SmtpSink, startSmtp } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import type { Report } from '../bench/report.ts';
import { createTestData, Ledger, listAll, newFolder, postOf, type TestData, WAIT_TIMEOUT_MS } from './harness.ts';
import { mailedPosts } from './mails.ts';

const POSTS = 500;
const VISITORS = 8;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const [bun = 'bun', main = ''] = FROM_SOURCE.command;
const WITH_CLOCK: Program = { command: [bun, '--preload', join(import.meta.dir, 'clock.ts'), main] };

/** A clock jump. `offset` is the error of the clock afterwards in milliseconds. */
type Jump = Readonly<{ to: string; offset: number }>;

export const JUMPS: readonly Jump[] = [
  { to: 'three hours ahead', offset: 3 * HOUR },
  { to: 'a day behind', offset: -DAY },
  { to: 'forty days ahead', offset: 40 * DAY },
  { to: 'right', offset: 0 },
  { to: 'ten years ahead', offset: 10 * YEAR },
  { to: 'a year behind', offset: -YEAR },
  { to: 'right', offset: 0 },
];

type Outcome = Readonly<{ acknowledged: readonly number[]; faults: readonly string[] }>;

/** Makes the clock of a server jump under load and restarts it after each jump. Returns true if nothing was lost. */
export async function clockJumps(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { acknowledged, faults } = await jump(JUMPS, POSTS, progress);
  report.section(
    'Clock jumps',
    [
      ['the clock is then', 'posts acknowledged'],
      ...JUMPS.map(({ to }, at) => [to, (acknowledged[at] ?? 0).toLocaleString('en')]),
    ],
    [
      'The clock jumps during posts with Idempotency-Keys, and the server is restarted afterwards. Retention is 30 days.',
      'After each start every acknowledged post must be stored once, with a later created_at than earlier ones, and its mail sent. A clock jump must not make submissions expire.',
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

export async function jump(
  jumps: readonly Jump[],
  posts: number,
  progress: (text: string) => void = () => {},
): Promise<Outcome> {
  const folder = newFolder();
  const smtp = await startSmtp();
  const testData = await createTestData(folder);
  const clock = new JumpingClock(testData, smtp, posts);
  const acknowledged: number[] = [];
  for (const [at, { to, offset }] of jumps.entries()) {
    progress(`the clock jumps: ${to}`);
    acknowledged.push(await clock.jumpTo(jumps[at - 1]?.offset ?? 0, offset));
  }
  await smtp.stop();
  rmSync(folder, { recursive: true });
  return { acknowledged, faults: clock.faults };
}

class JumpingClock {
  readonly faults: string[] = [];
  readonly #ledger = new Ledger();
  /** The numbers of the posts at the last check, oldest first. */
  #known: readonly string[] = [];
  #sent = 0;

  constructor(
    private readonly testData: TestData,
    private readonly smtp: SmtpSink,
    private readonly posts: number,
  ) {}

  /** Jumps from one offset to another under load. Returns the number of acknowledged posts. */
  async jumpTo(before: number, after: number): Promise<number> {
    const from = this.#ledger.acknowledged.size;
    const running = await this.#start([before, after]);
    const half = this.#post(running, this.posts / 2);
    await until(() => this.#ledger.acknowledged.size > from, 'an acknowledged post', WAIT_TIMEOUT_MS);
    process.kill(running.pid, 'SIGUSR2');
    await half;
    await this.#post(running, this.posts / 2);
    await this.#check(running, after);
    if ((await running.end()) !== 0) this.faults.push('it did not end with 0');
    const next = await this.#start([after]);
    await this.#post(next, this.posts / 2);
    await mailedPosts(this.smtp, this.#ledger.acknowledged, this.testData);
    await this.#check(next, after);
    if ((await next.end()) !== 0) this.faults.push('it did not end with 0');
    return this.#ledger.acknowledged.size - from;
  }

  #start(offsets: readonly number[]): Promise<ServerProcess> {
    const env = { READS_PER_MINUTE: '0', RETENTION_DAYS: '30', CLOCK_OFFSETS: offsets.join() };
    const mailing = { SMTP_URL: this.smtp.url, MAIL_FROM: 'forms@mail.example' };
    return spawnServer(this.testData.dataDir, { ...env, ...mailing }, WITH_CLOCK);
  }

  async #post(server: ServerProcess, count: number): Promise<void> {
    const end = this.#sent + count;
    const visitor = async () => {
      while (this.#sent < end)
        await this.#ledger.sendUntilAcknowledged(() => server, this.testData.formId, postOf(this.#sent++));
    };
    await Promise.all(Array.from({ length: VISITORS }, visitor));
  }

  async #check(server: ServerProcess, offset: number): Promise<void> {
    const { missing, stored } = await this.#ledger.compare(server, this.testData);
    if (missing.length > 0) this.faults.push(`missing: ${missing.join(', ')}`);
    if (stored !== this.#sent) this.faults.push(`${stored} are there of ${this.#sent}`);
    if (this.#ledger.refused > 0) this.faults.push(`refused: ${[...this.#ledger.refusals.keys()].join(', ')}`);
    const items = (await listAll(server, this.testData)).reverse();
    const times = items.map(({ created_at }) => created_at);
    if (times.some((time, at) => time <= (times[at - 1] ?? ''))) this.faults.push('created_at does not go on');
    if (this.#known.some((n, at) => items[at]?.data.n !== n)) this.faults.push('one came before what was there');
    this.#known = items.map(({ data }) => data.n);
    // With the clock behind, creation times continue from the last one.
    if (Date.parse(times.at(-1) ?? '') < Date.now() + offset - HOUR) this.faults.push('the clock did not jump');
  }
}
