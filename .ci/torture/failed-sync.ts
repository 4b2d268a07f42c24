import { cpSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { formstead, type ServerProcess, spawnServer } from '../../test/support/process.ts';
import type { Report } from '../bench/report.ts';
import { ON_FAULTY_DISK } from './faulty-disk.ts';
import { createTestData, KILLED, Ledger, newFolder, type TestData } from './harness.ts';

const SYNCS = 50;
/** The number of posts after which a server certainly has no failing sync ahead. */
const MAX_POSTS = 2_000;

const ERROR_LINE = /^formstead: [^\n]+\n$/m;
/** SQLite syncs the folder on its first write to the log and ignores the result. */
const UNCHECKED = 'the data directory';

type Round = Readonly<{ where: string; acknowledged: number; refused: number; faults: readonly string[] }>;

/** Makes each of the first syncs of a server fail in turn. Returns true if every round met its requirements. */
export async function failedSync(report: Report, progress: (text: string) => void): Promise<boolean> {
  const folder = newFolder();
  const prepared = await createTestData(join(folder, 'prepared'));
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
      ['failed sync of', 'servers', 'posts acknowledged', 'refused or aborted'],
      ...[...places].map(([where, among]) => [
        where,
        String(among.length),
        sum(among, 'acknowledged'),
        sum(among, 'refused'),
      ]),
    ],
    [
      'SQLite syncs the data directory once more and ignores the result; the server has synced it before and checked that.',
      'When a sync of a file fails, its writes since the last sync are undone, because a kernel may drop them.',
      `${rounds.length} servers; each is to end with ${KILLED} and a message, except in that case, and to restart with everything it acknowledged.`,
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

async function failAt(sync: number, testData: TestData): Promise<Round> {
  const ledger = new Ledger();
  const faults: string[] = [];
  let stderr = '';
  const env = { FAIL_SYNC: String(sync) };
  const server = await spawnServer(testData.dataDir, env, ON_FAULTY_DISK).catch(() => null);
  if (server) {
    await ledger.flood(server, testData.formId, () => ledger.acknowledged.size >= MAX_POSTS);
    // If all is well, the process has exited by itself and the signal has no target.
    const code = await server.end();
    stderr = server.stderr();
    const isAsPromised =
      nameOf(stderr, testData) === UNCHECKED ? code === 0 : code === KILLED && ERROR_LINE.test(stderr);
    if (!isAsPromised) faults.push(`it ended with ${code} and said ${stderr}`);
    if (ledger.withoutRetryAfter > 0) faults.push(`${ledger.withoutRetryAfter} answers without Retry-After`);
  } else {
    const again = await formstead(testData.dataDir, ['serve'], { PORT: '0', ...env }, ON_FAULTY_DISK);
    stderr = again.stderr;
    if (again.code !== 1 || !ERROR_LINE.test(stderr))
      faults.push(`the start ended with ${again.code} and said ${stderr}`);
  }
  const next = await spawnServer(testData.dataDir, { READS_PER_MINUTE: '0' });
  const { missing } = await ledger.compare(next, testData);
  if (missing.length > 0) faults.push(`lost: ${missing.join(', ')}`);
  faults.push(...(await takesPosts(next, testData)));
  const where = `${nameOf(stderr, testData)}${server ? '' : ', at startup'}`;
  return { where, acknowledged: ledger.acknowledged.size, refused: ledger.refused, faults };
}

/** Returns a name for the file or folder whose sync failed. */
function nameOf(stderr: string, { dataDir }: TestData): string {
  const path = /^fault: sync \d+, of (.*)$/m.exec(stderr)?.[1];
  if (path === undefined) return 'none';
  const name = relative(dataDir, path);
  if (name.startsWith('files/')) return 'an uploaded file';
  return { '': UNCHECKED, files: 'the folder of uploads' }[name] ?? name;
}

async function takesPosts(server: ServerProcess, { formId }: TestData): Promise<string[]> {
  const ledger = new Ledger();
  await ledger.post(server, formId, 1_000);
  const code = await server.end();
  return ledger.acknowledged.size === 1 && code === 0 ? [] : [`afterwards it took nothing, or ended with ${code}`];
}
