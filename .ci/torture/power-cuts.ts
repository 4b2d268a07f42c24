import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { formstead, type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { type SmtpSink, startSmtp } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import type { Report } from '../bench/report.ts';
import { ON_FAULTY_DISK } from './faulty-disk.ts';
import {
  createTestData,
  Ledger,
  listAll,
  newFolder,
  type Post,
  postOf,
  type TestData,
  WAIT_TIMEOUT_MS,
} from './harness.ts';
import { mailedPosts } from './mails.ts';
import { Power, type Sync } from './power.ts';

const CUTS = Number(Bun.env.CUTS ?? 200);
/** The number of cuts before a new data directory, because comparing takes longer with each. */
const CUTS_PER_DIRECTORY = 10;
const VISITORS = 8;
const DELETIONS_PER_ROUND = 3;
/** One cut in five happens during a start. The other constants limit the syncs until a cut. */
const IN_START_EVERY = 5;
const WITHIN_SYNCS = 120;
const WITHIN_START = 8;
const WITHIN_ROTATION = 500;
/** One round in four rotates the keys by a command beside the server. */
const ROTATE_EVERY = 4;

/** A disk on which some syncs report success and do nothing. */
export type Disk = Readonly<{ what: string; isSwallowed: (sync: Sync) => boolean }>;

export const HONEST: Disk = { what: 'none', isSwallowed: () => false };

const isLog = ({ path }: Sync) => path === 'formstead.db-wal';
const isDatabase = (sync: Sync) => isLog(sync) || sync.path === 'formstead.db';

/** Disks on which acknowledged data must be lost, to prove that the cuts can find a loss. */
export const DISHONEST: readonly Disk[] = [
  { what: 'the log, by our descriptor', isSwallowed: (sync) => isLog(sync) && sync.isReader },
  { what: 'the log, by any descriptor', isSwallowed: isLog },
  { what: 'the log and the database', isSwallowed: isDatabase },
  { what: 'uploaded files', isSwallowed: ({ path }) => path.startsWith('files/') },
  { what: 'the folder of uploads', isSwallowed: ({ path }) => path === 'files' },
];

type Counts = { cuts: number; inStart: number; syncs: number; acknowledged: number; deleted: number };
type Outcome = Readonly<Counts & { faults: readonly string[] }>;

/**
 * Cuts the power repeatedly; on a dishonest disk until data is lost. Returns true if only dishonest disks lost data.
 */
export async function powerCuts(report: Report, progress: (text: string) => void): Promise<boolean> {
  const rows: string[][] = [];
  let isWell = true;
  for (const disk of [HONEST, ...DISHONEST]) {
    const { faults, ...counts } = await cutPower(disk, CUTS, progress);
    const found =
      faults.length === 0
        ? 'nothing'
        : (faults[0] ?? '')
            .trim()
            .replace(/^.*: (?=database)/, '')
            .slice(0, 80);
    rows.push([disk.what, ...Object.values(counts).map((count) => count.toLocaleString('en')), found]);
    if ((faults.length === 0) !== (disk === HONEST)) isWell = false;
  }
  report.section(
    'Power cuts',
    [['syncs that do nothing', 'cuts', 'during a start', 'syncs', 'acknowledged', 'deleted', 'lost'], ...rows],
    [
      'The process is killed at a sync, and any part of the unsynced data survives: single blocks of 4 KiB, lengths, and all new, renamed and removed names of a folder or none.',
      'Posts in three encodings with an Idempotency-Key, mails, deletions and key rotations run meanwhile; posts without a response are retried after the next start.',
      'After each cut the server must start and have each acknowledged post once, with its text and files unchanged, and nothing that was deleted; after ten cuts, each mail must have been sent.',
      'On disks whose syncs do nothing, the run continues until data is lost, which proves that the cuts can find a loss.',
      isWell ? 'Passed.' : 'Failed.',
    ],
  );
  return isWell;
}

/** Cuts the power `cuts` times, or until data is lost. */
export async function cutPower(disk: Disk, cuts: number, progress: (text: string) => void): Promise<Outcome> {
  const folder = newFolder();
  const prepared = await createTestData(join(folder, 'prepared'));
  const sum: Counts = { cuts: 0, inStart: 0, syncs: 0, acknowledged: 0, deleted: 0 };
  const faults: string[] = [];
  while (sum.cuts < cuts && faults.length === 0) {
    const dataDir = join(folder, `after-${sum.cuts}`);
    cpSync(prepared.dataDir, dataDir, { recursive: true });
    const smtp = await startSmtp();
    const machine = new Machine({ ...prepared, dataDir }, disk, smtp);
    try {
      for (let cut = 0; cut < CUTS_PER_DIRECTORY && sum.cuts < cuts; cut++) {
        progress(`${disk.what}: cut ${sum.cuts + 1} of ${cuts}`);
        sum.cuts++;
        if (await machine.runUntilCut()) sum.inStart++;
      }
      await machine.finish();
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
    sum.syncs += machine.power.syncs;
    sum.acknowledged += machine.ledger.acknowledged.size;
    sum.deleted += machine.ledger.deleted.size;
    await machine.scrap();
    await smtp.stop();
    rmSync(dataDir, { recursive: true });
  }
  rmSync(folder, { recursive: true });
  return { ...sum, faults };
}

/** A server on a simulated machine whose power is cut. Methods throw an error that lists lost data. */
class Machine {
  readonly ledger = new Ledger();
  readonly power: Power;
  readonly #pending: Post[] = [];
  #sent = 0;
  #cuts = 0;
  #round = 0;
  #server: ServerProcess | null = null;

  constructor(
    private readonly testData: TestData,
    { isSwallowed }: Disk,
    private readonly smtp: SmtpSink,
  ) {
    this.power = new Power(testData.dataDir, isSwallowed);
  }

  /** Runs a server until the power is cut. Returns true if that happened during its start. */
  async runUntilCut(): Promise<boolean> {
    this.power.on();
    if (this.#cuts++ % IN_START_EVERY === 1) this.power.cutAtSync(1 + Math.floor(Math.random() * WITHIN_START));
    const server = await this.#start();
    if (server) {
      await this.#compare(server);
      // Only delete acknowledged posts: a retry of another would be answered as a replay.
      const known = (await listAll(server, this.testData).catch(() => [])).filter(({ data }) =>
        this.ledger.acknowledged.has(data.n),
      );
      const visitors = Array.from({ length: VISITORS }, () => this.#visit(server));
      let isRotating = this.#round++ % ROTATE_EVERY === 0;
      const rotating = isRotating ? this.#rotate().finally(() => (isRotating = false)) : null;
      const hasStarted = () => !isRotating || this.power.running > 1 || this.power.isOff;
      await until(hasStarted, 'the command that rotates the keys to start', WAIT_TIMEOUT_MS);
      if (!this.power.isOff)
        this.power.cutAtSync(1 + Math.floor(Math.random() * (rotating ? WITHIN_ROTATION : WITHIN_SYNCS)));
      for (const item of known.slice(0, DELETIONS_PER_ROUND)) await this.ledger.delete(server, this.testData, item);
      await this.power.whenOff;
      await server.end('SIGKILL');
      await Promise.all([...visitors, rotating]);
    }
    this.power.restore();
    return server === null;
  }

  /** Starts a last time without a cut and compares. */
  async finish(): Promise<void> {
    this.power.on();
    const server = await this.#start();
    if (!server) throw new Error('the power is off');
    await this.#compare(server);
    await mailedPosts(this.smtp, this.ledger.acknowledged, this.testData);
    const code = await server.end();
    if (code !== 0) throw new Error(`it ended with ${code}`);
    const only = [...this.ledger.refusals.keys()].filter((what) => what !== 'no answer');
    if (only.length > 0) throw new Error(`posts were refused with ${only.join(', ')}`);
  }

  async scrap(): Promise<void> {
    await this.#server?.end('SIGKILL');
    this.power.close();
  }

  /** Removes unused keys and starts a rotation to a new key. */
  async #rotate(): Promise<void> {
    const vault = (...args: string[]) =>
      formstead(
        this.testData.dataDir,
        ['vault', ...args, '--json'],
        { SYNC_SOCKET: this.power.socket },
        ON_FAULTY_DISK,
      );
    const { code, stdout } = await vault('list');
    const keys = code === 0 ? (JSON.parse(stdout) as Array<{ id: string; state: string }>) : [];
    for (const { id, state } of keys) if (state === 'unused') await vault('remove', id, '--yes');
    await vault('rotate');
  }

  async #start(): Promise<ServerProcess | null> {
    const env = { SYNC_SOCKET: this.power.socket, READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' };
    const mailing = { SMTP_URL: this.smtp.url, MAIL_FROM: 'forms@mail.example' };
    try {
      this.#server = await spawnServer(this.testData.dataDir, { ...env, ...mailing }, ON_FAULTY_DISK);
      return this.#server;
    } catch (error) {
      if (this.power.isOff) return null;
      throw error;
    }
  }

  async #compare(server: ServerProcess): Promise<void> {
    try {
      const { missing } = await this.ledger.compare(server, this.testData);
      if (missing.length > 0) throw new Error(missing.join(', '));
    } catch (error) {
      if (!this.power.isOff) throw error;
    }
  }

  /** Posts until there is no response. */
  async #visit(server: ServerProcess): Promise<void> {
    for (let status: number | null = 200; status !== null; ) {
      const post = this.#pending.pop() ?? postOf(this.#sent++);
      status = await this.ledger.send(server, this.testData.formId, post, { 'Idempotency-Key': `key ${post.n}` });
      if (status !== 200) this.#pending.push(post);
    }
  }
}
