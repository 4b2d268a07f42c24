import { cpSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Report } from '../bench/report.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { ON_FAULTY_DISK } from './faulty-disk.ts';
import { type Ground, KILLED, Ledger, makeGround, newFolder } from './ground.ts';

const SYNCS = 50;
/** A server that has taken so many has not met its sync: it cannot be that far away. */
const ENOUGH = 2_000;

const SAYS_WHY = /^formstead: [^\n]+\n$/m;
/** SQLite syncs the folder when it first writes to its log, and does not look whether it succeeds. */
const SECOND_LOOK = 'the data directory';

type Round = Readonly<{ where: string; acknowledged: number; refused: number; faults: readonly string[] }>;

/** Lets each of the first syncs of a server fail in turn. Whether all went as promised. */
export async function failedSync(report: Report, progress: (text: string) => void): Promise<boolean> {
  const folder = newFolder();
  const prepared = await makeGround(join(folder, 'prepared'));
  const rounds: Round[] = [];
  for (let sync = 1; sync <= SYNCS; sync++) {
    progress(`sync ${sync} of ${SYNCS} fails`);
    const dataDir = join(folder, String(sync));
    cpSync(prepared.dataDir, dataDir, { recursive: true });
    rounds.push(await failAt(sync, { ...prepared, dataDir }));
    rmSync(dataDir, { recursive: true });
  }
  rmSync(folder, { recursive: true });
  const faults = rounds.flatMap((round, at) => round.faults.map((fault) => `sync ${at + 1}: ${fault}`));
  const sum = (among: readonly Round[], what: 'acknowledged' | 'refused') =>
    among.reduce((total, round) => total + round[what], 0).toLocaleString('en');
  const places = Map.groupBy(rounds, ({ where }) => where);
  report.section(
    `Each of the first ${SYNCS} syncs fails`,
    [
      ['the sync that failed was of', 'servers', 'posts acknowledged', 'refused or cut off'],
      ...[...places].map(([where, among]) => [
        where,
        String(among.length),
        sum(among, 'acknowledged'),
        sum(among, 'refused'),
      ]),
    ],
    [
      'A failed sync of the data directory is one of SQLite, which does not look at it; the server has made sure of it before.',
      'What was written to a file since its last sync is taken back when a sync of it fails, as a kernel may drop it.',
      `${rounds.length} servers; each is to end with ${KILLED} and a message, but for that, and to start again with all that it acknowledged.`,
      faults.length === 0 ? 'All did.' : `Not as promised: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

async function failAt(sync: number, ground: Ground): Promise<Round> {
  const ledger = new Ledger();
  const faults: string[] = [];
  let said = '';
  const env = { FAIL_SYNC: String(sync) };
  const server = await spawnServer(ground.dataDir, env, ON_FAULTY_DISK).catch(() => null);
  if (server) {
    await ledger.flood(server, ground.formId, () => ledger.acknowledged.size >= ENOUGH);
    // By itself, if all is well: the signal comes to nobody.
    const code = await server.end();
    said = server.stderr();
    const isAsPromised = nameOf(said, ground) === SECOND_LOOK ? code === 0 : code === KILLED && SAYS_WHY.test(said);
    if (!isAsPromised) faults.push(`it ended with ${code} and said ${said}`);
    if (ledger.withoutRetryAfter > 0) faults.push(`${ledger.withoutRetryAfter} answers without Retry-After`);
  } else {
    const again = await formstead(ground.dataDir, ['serve'], { PORT: '0', ...env }, ON_FAULTY_DISK);
    said = again.stderr;
    if (again.code !== 1 || !SAYS_WHY.test(said)) faults.push(`the start ended with ${again.code} and said ${said}`);
  }
  const next = await spawnServer(ground.dataDir, { READS_PER_MINUTE: '0' });
  const { missing } = await ledger.compare(next, ground);
  if (missing.length > 0) faults.push(`lost: ${missing.join(', ')}`);
  faults.push(...(await takesPosts(next, ground)));
  const where = `${nameOf(said, ground)}${server ? '' : ', at the start'}`;
  return { where, acknowledged: ledger.acknowledged.size, refused: ledger.refused, faults };
}

/** What the sync that failed was of. */
function nameOf(said: string, { dataDir }: Ground): string {
  const path = /^fault: sync \d+, of (.*)$/m.exec(said)?.[1];
  if (path === undefined) return 'none';
  const name = relative(dataDir, path);
  if (name.startsWith('files/')) return 'an uploaded file';
  return { '': SECOND_LOOK, files: 'the folder of uploads' }[name] ?? name;
}

async function takesPosts(server: ServerProcess, { formId }: Ground): Promise<string[]> {
  const ledger = new Ledger();
  await ledger.post(server, formId, 1_000);
  const code = await server.end();
  return ledger.acknowledged.size === 1 && code === 0 ? [] : [`afterwards it took nothing, or ended with ${code}`];
}
