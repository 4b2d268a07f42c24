import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../bench/report.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { type SmtpSink, startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { ON_FAULTY_DISK } from './faulty-disk.ts';
import { type Ground, Ledger, listAll, makeGround, newFolder, PATIENCE_MS, type Post, postOf } from './ground.ts';
import { mailedPosts } from './mails.ts';
import { Power, type Sync } from './power.ts';

const CUTS = Number(Bun.env.CUTS ?? 200);
/** After so many cuts it goes on with a new data directory: to compare takes longer with each. */
const CUTS_A_GROUND = 10;
const VISITORS = 8;
const DELETED_AT_ONCE = 3;
/** A cut comes at one of the next syncs; the second of each five at one of the first of a start. */
const IN_START_EVERY = 5;
const WITHIN_SYNCS = 120;
const WITHIN_START = 8;
const WITHIN_ROTATION = 500;
/** In one round of so many a command rotates the keys beside the server. */
const ROTATE_EVERY = 4;

/** A disk on which some syncs do nothing, though it says that they did. */
export type Disk = Readonly<{ what: string; isSwallowed: (sync: Sync) => boolean }>;

export const HONEST: Disk = { what: 'none', isSwallowed: () => false };

const isLog = ({ path }: Sync) => path === 'formstead.db-wal';
const isDatabase = (sync: Sync) => isLog(sync) || sync.path === 'formstead.db';

/** Where what was acknowledged has to be lost, or the cuts would find nothing. */
export const DISHONEST: readonly Disk[] = [
  { what: 'the log, by our own descriptor', isSwallowed: (sync) => isLog(sync) && sync.isReader },
  { what: 'the log, by any', isSwallowed: isLog },
  { what: 'the log and the database', isSwallowed: isDatabase },
  { what: 'uploaded files', isSwallowed: ({ path }) => path.startsWith('files/') },
  { what: 'the folder of uploads', isSwallowed: ({ path }) => path === 'files' },
];

type Counts = { cuts: number; inStart: number; syncs: number; acknowledged: number; deleted: number };
type Outcome = Readonly<Counts & { faults: readonly string[] }>;

/** Cuts the power again and again, and where syncs do nothing until something is lost. Whether all went as promised. */
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
    'The power is cut',
    [['syncs that do nothing', 'cuts', 'in the start', 'syncs', 'acknowledged', 'deleted', 'lost'], ...rows],
    [
      'The process is killed when it asks for a sync, and of what was not synced any part survives: blocks of 4 KiB one by one, lengths, all new, renamed and removed names of a folder or none.',
      'Posts in three encodings with an Idempotency-Key, mails, deletions and rotations of the keys are under way; what had no answer is sent again after the next start.',
      'After each cut the server starts, and has each acknowledged post once, its text and files as sent, and nothing that was deleted; after ten, each was mailed.',
      'Where syncs do nothing, it goes on until something is lost: the cuts would find it.',
      isWell ? 'All went as promised.' : 'Not as promised.',
    ],
  );
  return isWell;
}

/** Cuts so often, or until something is lost. */
export async function cutPower(disk: Disk, cuts: number, progress: (text: string) => void): Promise<Outcome> {
  const folder = newFolder();
  const prepared = await makeGround(join(folder, 'prepared'));
  const sum: Counts = { cuts: 0, inStart: 0, syncs: 0, acknowledged: 0, deleted: 0 };
  const faults: string[] = [];
  while (sum.cuts < cuts && faults.length === 0) {
    const dataDir = join(folder, `after-${sum.cuts}`);
    cpSync(prepared.dataDir, dataDir, { recursive: true });
    const smtp = await startSmtp();
    const machine = new Machine({ ...prepared, dataDir }, disk, smtp);
    try {
      for (let cut = 0; cut < CUTS_A_GROUND && sum.cuts < cuts; cut++) {
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

/** A server on a data directory below which the power is cut. What it lost is thrown as an error. */
class Machine {
  readonly ledger = new Ledger();
  readonly power: Power;
  readonly #pending: Post[] = [];
  #sent = 0;
  #cuts = 0;
  #round = 0;
  #server: ServerProcess | null = null;

  constructor(
    private readonly ground: Ground,
    { isSwallowed }: Disk,
    private readonly smtp: SmtpSink,
  ) {
    this.power = new Power(ground.dataDir, isSwallowed);
  }

  /** Whether it was cut in the start. */
  async runUntilCut(): Promise<boolean> {
    this.power.on();
    if (this.#cuts++ % IN_START_EVERY === 1) this.power.cutAtSync(1 + Math.floor(Math.random() * WITHIN_START));
    const server = await this.#start();
    if (server) {
      await this.#compare(server);
      // Of what was not acknowledged the key would say yes, once it is sent again.
      const known = (await listAll(server, this.ground).catch(() => [])).filter(({ data }) =>
        this.ledger.acknowledged.has(data.n),
      );
      const visitors = Array.from({ length: VISITORS }, () => this.#visit(server));
      let isRotating = this.#round++ % ROTATE_EVERY === 0;
      const rotating = isRotating ? this.#rotate().finally(() => (isRotating = false)) : null;
      const hasBegun = () => !isRotating || this.power.running > 1 || this.power.isOff;
      await until(hasBegun, 'the command that rotates the keys to start', PATIENCE_MS);
      if (!this.power.isOff)
        this.power.cutAtSync(1 + Math.floor(Math.random() * (rotating ? WITHIN_ROTATION : WITHIN_SYNCS)));
      for (const item of known.slice(0, DELETED_AT_ONCE)) await this.ledger.delete(server, this.ground, item);
      await this.power.whenOff;
      await server.end('SIGKILL');
      await Promise.all([...visitors, rotating]);
    }
    this.power.restore();
    return server === null;
  }

  /** Starts once more, without a cut. */
  async finish(): Promise<void> {
    this.power.on();
    const server = await this.#start();
    if (!server) throw new Error('it was dark');
    await this.#compare(server);
    await mailedPosts(this.smtp, this.ledger.acknowledged);
    const code = await server.end();
    if (code !== 0) throw new Error(`it ended with ${code}`);
    const only = [...this.ledger.refusals.keys()].filter((what) => what !== 'no answer');
    if (only.length > 0) throw new Error(`posts were refused with ${only.join(', ')}`);
  }

  async scrap(): Promise<void> {
    await this.#server?.end('SIGKILL');
    this.power.close();
  }

  /** Forgets the keys under which nothing is sealed any more, and begins to seal all anew under a new one. */
  async #rotate(): Promise<void> {
    const vault = (...args: string[]) =>
      formstead(this.ground.dataDir, ['vault', ...args, '--json'], { KEEPER: this.power.socket }, ON_FAULTY_DISK);
    const { code, stdout } = await vault('list');
    const keys = code === 0 ? (JSON.parse(stdout) as Array<{ id: string; state: string }>) : [];
    for (const { id, state } of keys) if (state === 'unused') await vault('remove', id, '--yes');
    await vault('rotate');
  }

  async #start(): Promise<ServerProcess | null> {
    const env = { KEEPER: this.power.socket, READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' };
    const mailing = { SMTP_URL: this.smtp.url, MAIL_FROM: 'forms@mail.example' };
    try {
      this.#server = await spawnServer(this.ground.dataDir, { ...env, ...mailing }, ON_FAULTY_DISK);
      return this.#server;
    } catch (error) {
      if (this.power.isOff) return null;
      throw error;
    }
  }

  async #compare(server: ServerProcess): Promise<void> {
    try {
      const { missing } = await this.ledger.compare(server, this.ground);
      if (missing.length > 0) throw new Error(missing.join(', '));
    } catch (error) {
      if (!this.power.isOff) throw error;
    }
  }

  /** Posts until nobody answers. */
  async #visit(server: ServerProcess): Promise<void> {
    for (let status: number | null = 200; status !== null; ) {
      const post = this.#pending.pop() ?? postOf(this.#sent++);
      status = await this.ledger.send(server, this.ground.formId, post, { 'Idempotency-Key': `key ${post.n}` });
      if (status !== 200) this.#pending.push(post);
    }
  }
}
