import { Database } from 'bun:sqlite';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { openDatabase } from '../../src/storage/sqlite/database.ts';
import { type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { until } from '../../test/support/until.ts';
import type { Report } from '../bench/report.ts';
import { ON_FAULTY_DISK } from './faulty-disk.ts';
import { createTestData, Ledger, listAll, newFolder, postOf, type TestData, WAIT_TIMEOUT_MS } from './harness.ts';
import { Power, type Sync } from './power.ts';
import { type Disk, HONEST } from './power-cuts.ts';
import { DEFECTS, UNSYNCED_TRUNCATION } from './purging.ts';

const CUTS = Number(Bun.env.CUTS ?? 200);
const CUTS_PER_DIRECTORY = 8;
const VISITORS = 3;
const POST_PAUSE_MS = 150;
const DELETIONS = 3;
/** The limits, for each run, of purges before the last one, and of syncs from there to the cut. */
const MAX_PURGES = 3;
const WITHIN_SYNCS = 120;
const LARGE_BYTES = 8_000_000;

/** A disk on which no sync of the database does anything. */
const FORGETFUL: Disk = {
  what: 'syncs of the database do nothing',
  isSwallowed: ({ path }) => path === 'formstead.db',
};

/** A way to spoil the runs. `defect` is one of `DEFECTS`. */
export type Spoiling = Readonly<{ disk: Disk; defect: string }>;

export const UNSPOILED: Spoiling = { disk: HONEST, defect: '' };
export const SPOILED: readonly Spoiling[] = [
  ...Object.keys(DEFECTS)
    .filter((defect) => defect !== UNSYNCED_TRUNCATION)
    .map((defect) => ({ disk: HONEST, defect })),
  { disk: FORGETFUL, defect: '' },
];

type Outcome = { cuts: number; syncs: number; acknowledged: number; purges: number; faults: string[] };

/** Cuts the power during purges. Returns true if only spoiled runs lost data or left copies. */
export async function purges(report: Report, progress: (text: string) => void): Promise<boolean> {
  const rows: string[][] = [];
  let isWell = true;
  for (const spoiling of [UNSPOILED, ...SPOILED]) {
    const what = spoiling.defect || spoiling.disk.what;
    const { faults, ...counts } = await cutDuringPurges(spoiling, CUTS, (cut) => progress(`${what}: ${cut}`));
    const [found = 'nothing'] = faults;
    rows.push([what, ...Object.values(counts).map((count) => count.toLocaleString('en')), found.slice(0, 80)]);
    if ((faults.length === 0) !== (spoiling === UNSPOILED)) isWell = false;
  }
  const [kept = 'nothing'] = await cutAfterPurge('');
  const [back = 'nothing'] = await cutAfterPurge(UNSYNCED_TRUNCATION);
  if (kept !== 'nothing' || back === 'nothing') isWell = false;
  report.section(
    'Power cuts during purges',
    [['defect', 'cuts', 'syncs', 'posts acknowledged', 'purges', 'found'], ...rows],
    [
      'Two processes purge the database while posts, deletions and erasures change it; one in four runs ends with SIGKILL, the others with a power cut at a sync.',
      'After a power cut, any part of the unsynced data survives, in sectors of 512 bytes.',
      'After each, `integrity_check` must pass, each acknowledged post and each kept row must be there unchanged, and nothing erased before an acknowledged purge may be readable in the database or its log.',
      'With a defect, the run continues until it is found.',
      `A cut right after a purge that loses all unsynced data, with an erased row in the log: the row is then in ${kept}. If the truncation of the log is not synced: in ${back}.`,
      isWell ? 'Passed.' : 'Failed.',
    ],
  );
  return isWell;
}

export async function cutDuringPurges(
  { disk, defect }: Spoiling,
  cuts: number,
  progress: (text: string) => void = () => {},
): Promise<Outcome> {
  const folder = newFolder();
  const prepared = await createTestData(join(folder, 'prepared'));
  const sum: Outcome = { cuts: 0, syncs: 0, acknowledged: 0, purges: 0, faults: [] };
  while (sum.cuts < cuts && sum.faults.length === 0) {
    const dataDir = join(folder, `after-${sum.cuts}`);
    cpSync(prepared.dataDir, dataDir, { recursive: true });
    const run = new Run({ ...prepared, dataDir }, disk, defect);
    try {
      for (let cut = 0; cut < CUTS_PER_DIRECTORY && sum.cuts < cuts; cut++) {
        progress(`cut ${sum.cuts + 1} of ${cuts}`);
        await run.untilCut(sum.cuts++ % 4 === 3);
      }
    } catch (error) {
      sum.faults.push(error instanceof Error ? error.message.trim() : String(error));
    }
    sum.syncs += run.power.syncs;
    sum.acknowledged += run.ledger.acknowledged.size;
    sum.purges += run.purges;
    await run.end();
    if (sum.faults.length === 0) rmSync(dataDir, { recursive: true });
  }
  const isKept = disk === HONEST && defect === '' && sum.faults.length > 0;
  if (isKept) sum.faults.push(`the data directory is in ${folder}`);
  else rmSync(folder, { recursive: true });
  return sum;
}

/**
 * Cuts the power right after a purge, during which another connection wrote its cached copy of a page with an erased row.
 * Everything unsynced is lost. Returns the files with the erased row: after the cut, and after a recovery by SQLite.
 */
export async function cutAfterPurge(defect: string): Promise<string[]> {
  const folder = newFolder();
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  const path = join(dataDir, 'formstead.db');
  const { $client: database } = openDatabase(path);
  database.run('PRAGMA secure_delete = OFF');
  // The free pages before that of the row: more than a purge overwrites before its first sync.
  database.run(`CREATE TABLE large AS SELECT randomblob(${LARGE_BYTES}) AS body`);
  database.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT)');
  database.run('DROP TABLE large');
  database.run("INSERT INTO notes VALUES (1, 'kept'), (2, 'an erased row')");
  database.run('DELETE FROM notes WHERE id = 2');
  database.run('PRAGMA wal_checkpoint(TRUNCATE)');
  let writes = 0;
  const writeOnce = ({ path: synced }: Sync) => {
    if (synced === 'formstead.db' && isPurging && writes++ === 0) database.run("UPDATE notes SET body = 'KEPT'");
    return false;
  };
  let isPurging = true;
  const power = new Power(dataDir, writeOnce);
  power.on();
  const purging = spawnPurging(power, 'purge-once.ts', path, defect);
  const { value } = await purging.stdout.getReader().read();
  isPurging = false;
  purging.kill('SIGKILL');
  await purging.exited;
  database.close();
  power.restore(true);
  power.close();
  const found = filesWith('an erased row', dataDir).map((name) => `${name} after the cut`);
  const recovered = new Database(path);
  recovered.query('SELECT count(*) FROM notes').get();
  recovered.close();
  found.push(...filesWith('an erased row', dataDir).map((name) => `${name} after the recovery`));
  rmSync(folder, { recursive: true });
  if (!value || writes === 0) throw new Error('the program did not purge');
  return found;
}

function filesWith(text: string, dataDir: string): string[] {
  const names = ['formstead.db', 'formstead.db-wal'].filter((name) => existsSync(join(dataDir, name)));
  return names.filter((name) => readFileSync(join(dataDir, name)).includes(text));
}

function spawnPurging(power: Power, program: string, ...args: string[]) {
  const folder = import.meta.dir;
  return Bun.spawn([process.execPath, '--preload', join(folder, 'faults.ts'), join(folder, program), ...args], {
    env: { PATH: Bun.env.PATH ?? '', SYNC_SOCKET: power.socket },
    stdout: 'pipe',
    stderr: 'inherit',
  });
}

/** A data directory whose power is cut while it is purged. Methods throw an error that says what was lost or left. */
class Run {
  readonly ledger = new Ledger();
  readonly power: Power;
  purges = 0;
  #sent = 0;
  #nextRound = 1;
  #purged = 0;
  #server: ServerProcess | null = null;
  #purging: Subprocess | null = null;

  constructor(
    private readonly testData: TestData,
    disk: Disk,
    private readonly defect: string,
  ) {
    this.power = new Power(testData.dataDir, disk.isSwallowed, 512);
  }

  /** Runs a server and a program that purges until the power is cut, or both are killed, and checks what is left. */
  async untilCut(isKill: boolean): Promise<void> {
    this.power.on();
    const env = { SYNC_SOCKET: this.power.socket, READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' };
    const server = await spawnServer(this.testData.dataDir, env, ON_FAULTY_DISK);
    this.#server = server;
    await this.#compare(server);
    const items = await listAll(server, this.testData);
    const visitors = Array.from({ length: VISITORS }, () => this.#visit(server));
    const purging = this.#startPurging();
    for (const item of items.slice(0, DELETIONS)) await this.ledger.delete(server, this.testData, item);
    const before = this.purges + Math.floor(Math.random() * (MAX_PURGES + 1));
    await Promise.race([purging, until(() => this.purges >= before, 'the purges before the cut', WAIT_TIMEOUT_MS)]);
    this.power.cutAtSync(1 + Math.floor(Math.random() * WITHIN_SYNCS));
    await Promise.race([this.power.whenOff, purging]);
    if (!this.power.isOff) throw new Error('the program that purges ended');
    await Promise.all([server.end('SIGKILL'), purging, ...visitors]);
    this.#checkFiles();
    if (isKill) return;
    this.power.restore();
    this.#checkFiles();
  }

  async end(): Promise<void> {
    this.#purging?.kill('SIGKILL');
    await this.#server?.end('SIGKILL');
    this.power.close();
  }

  async #startPurging(): Promise<void> {
    const purging = spawnPurging(this.power, 'purging.ts', this.testData.dataDir, String(this.#nextRound), this.defect);
    this.#purging = purging;
    for await (const chunk of purging.stdout) {
      for (const line of Buffer.from(chunk).toString().split('\n').filter(Boolean)) {
        this.#purged = Number(line);
        this.purges += 1;
      }
    }
    // The rounds that may have begun are not used again.
    this.#nextRound = Math.max(this.#nextRound, this.#purged) + 3;
    await purging.exited;
  }

  async #visit(server: ServerProcess): Promise<void> {
    for (let status: number | null = 200; status !== null; ) {
      status = await this.ledger.send(server, this.testData.formId, postOf(this.#sent++));
      await Bun.sleep(POST_PAUSE_MS);
    }
  }

  async #compare(server: ServerProcess): Promise<void> {
    const { missing } = await this.ledger.compare(server, this.testData);
    if (missing.length > 0) throw new Error(`lost: ${missing.join(', ')}`);
  }

  /** Checks the files, of which SQLite opens copies. */
  #checkFiles(): void {
    const { dataDir } = this.testData;
    const copies = join(dataDir, '..', 'copies');
    rmSync(copies, { recursive: true, force: true });
    mkdirSync(copies);
    for (const name of ['formstead.db', 'formstead.db-wal']) {
      if (!existsSync(join(dataDir, name))) continue;
      for (const [, round] of readFileSync(join(dataDir, name))
        .toString('latin1')
        .matchAll(/erased (\d+)=\1;/g)) {
        if (Number(round) <= this.#purged) throw new Error(`${name} has a row of round ${round} of ${this.#purged}`);
      }
      copyFileSync(join(dataDir, name), join(copies, name));
    }
    using database = new Database(join(copies, 'formstead.db'));
    const faults = database.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all();
    if (faults[0]?.integrity_check !== 'ok') throw new Error(`integrity_check: ${JSON.stringify(faults)}`);
    if (!database.query("SELECT 1 FROM sqlite_schema WHERE name = 'kept'").get()) return;
    for (const { id, body } of database.query<{ id: number; body: string }, []>('SELECT id, body FROM kept').all()) {
      const part = `kept ${id};`;
      if (body !== part.repeat(body.length / part.length)) throw new Error(`row ${id} changed`);
    }
  }
}
