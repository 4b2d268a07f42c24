import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../bench/report.ts';
import { FROM_SOURCE, type Program, type ServerProcess, spawnServer } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { type Ground, Ledger, listAll, makeGround, newFolder, PATIENCE_MS, postOf } from './ground.ts';
import { mailedPosts } from './mails.ts';

const POSTS = 500;
const VISITORS = 8;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const [bun = 'bun', main = ''] = FROM_SOURCE.command;
const WITH_CLOCK: Program = { command: [bun, '--preload', join(import.meta.dir, 'clock.ts'), main] };

/** How far the clock is off afterwards, in milliseconds. */
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

/** Lets the clock of a server jump under load, and starts the server again after each jump. Whether all went as promised. */
export async function clockJumps(report: Report, progress: (text: string) => void): Promise<boolean> {
  const { acknowledged, faults } = await jump(JUMPS, POSTS, progress);
  report.section(
    'The clock jumps',
    [
      ['the clock is then', 'posts acknowledged, jump and start'],
      ...JUMPS.map(({ to }, at) => [to, (acknowledged[at] ?? 0).toLocaleString('en')]),
    ],
    [
      'It jumps amid posts with Idempotency-Keys, and the server starts again afterwards. Submissions are kept for 30 days.',
      'After each start all that was acknowledged is there once, later by created_at than what came before it, and was mailed. Nothing counts as old because the clock says so.',
      faults.length === 0 ? 'All went as promised.' : `Not as promised: ${faults.join('; ')}.`,
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
  const ground = await makeGround(folder);
  const clock = new JumpingClock(ground, smtp, posts);
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
  /** What there was at the last look, oldest first. */
  #known: readonly string[] = [];
  #sent = 0;

  constructor(
    private readonly ground: Ground,
    private readonly smtp: SmtpSink,
    private readonly posts: number,
  ) {}

  /** How many posts were acknowledged. */
  async jumpTo(before: number, after: number): Promise<number> {
    const from = this.#ledger.acknowledged.size;
    const running = await this.#start([before, after]);
    const half = this.#post(running, this.posts / 2);
    await until(() => this.#ledger.acknowledged.size > from, 'an acknowledged post', PATIENCE_MS);
    process.kill(running.pid, 'SIGUSR2');
    await half;
    await this.#post(running, this.posts / 2);
    await this.#look(running, after);
    if ((await running.end()) !== 0) this.faults.push('it did not end with 0');
    const next = await this.#start([after]);
    await this.#post(next, this.posts / 2);
    await mailedPosts(this.smtp, this.#ledger.acknowledged);
    await this.#look(next, after);
    if ((await next.end()) !== 0) this.faults.push('it did not end with 0');
    return this.#ledger.acknowledged.size - from;
  }

  #start(offsets: readonly number[]): Promise<ServerProcess> {
    const env = { READS_PER_MINUTE: '0', RETENTION_DAYS: '30', CLOCK_OFFSETS: offsets.join() };
    const mailing = { SMTP_URL: this.smtp.url, MAIL_FROM: 'forms@mail.example' };
    return spawnServer(this.ground.dataDir, { ...env, ...mailing }, WITH_CLOCK);
  }

  async #post(server: ServerProcess, count: number): Promise<void> {
    const end = this.#sent + count;
    const visitor = async () => {
      while (this.#sent < end) await this.#ledger.insist(() => server, this.ground.formId, postOf(this.#sent++));
    };
    await Promise.all(Array.from({ length: VISITORS }, visitor));
  }

  async #look(server: ServerProcess, offset: number): Promise<void> {
    const { missing, stored } = await this.#ledger.compare(server, this.ground);
    if (missing.length > 0) this.faults.push(`missing: ${missing.join(', ')}`);
    if (stored !== this.#sent) this.faults.push(`${stored} are there of ${this.#sent}`);
    if (this.#ledger.refused > 0) this.faults.push(`refused: ${[...this.#ledger.refusals.keys()].join(', ')}`);
    const items = (await listAll(server, this.ground)).reverse();
    const times = items.map(({ created_at }) => created_at);
    if (times.some((time, at) => time <= (times[at - 1] ?? ''))) this.faults.push('created_at does not go on');
    if (this.#known.some((n, at) => items[at]?.data.n !== n)) this.faults.push('one came before what was there');
    this.#known = items.map(({ data }) => data.n);
    // Behind, it goes on from the last time that was given.
    if (Date.parse(times.at(-1) ?? '') < Date.now() + offset - HOUR) this.faults.push('the clock did not jump');
  }
}
