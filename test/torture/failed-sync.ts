import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../bench/report.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { ON_FAULTY_DISK } from './faulty-disk.ts';
import { type Ground, Ledger, makeGround, newFolder } from './ground.ts';

const SYNCS = 50;
/** A server that has taken so many has not met its sync: it cannot be that far away. */
const ENOUGH = 2_000;

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
      'What was written to a file since its last sync is taken back when a sync of it fails, as a kernel may drop it.',
      `${rounds.length} servers; each is to end with 1 and a message, and to start again with all that it acknowledged.`,
      faults.length === 0 ? 'All did.' : `Not as promised: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

async function failAt(sync: number, ground: Ground): Promise<Round> {
  const ledger = new Ledger();
  const faults: string[] = [];
  let where = 'the start';
  const env = { FAIL_SYNC: String(sync) };
  const server = await spawnServer(ground.dataDir, env, ON_FAULTY_DISK).catch(() => null);
  if (server) {
    await ledger.flood(server, ground.formId, () => ledger.acknowledged.size >= ENOUGH);
    // By itself, if all is well: the signal comes to nobody.
    const code = await server.end();
    if (code !== 1) faults.push(`it ended with ${code}`);
    if (!server.stderr().includes('formstead: a sync of the disk failed.')) faults.push('it did not say why');
    where = `the ${/"message":"a sync failed[^"]*","what":"(\w+)"/.exec(server.stdout())?.[1] ?? 'unknown'}`;
    if (ledger.withoutRetryAfter > 0) faults.push(`${ledger.withoutRetryAfter} answers without Retry-After`);
  } else {
    faults.push(...(await startAgain(ground, env)));
  }
  const next = await spawnServer(ground.dataDir, { READS_PER_MINUTE: '0' });
  const { missing } = await ledger.compare(next, ground);
  if (missing.length > 0) faults.push(`lost: ${missing.join(', ')}`);
  faults.push(...(await takesPosts(next, ground)));
  return { where, acknowledged: ledger.acknowledged.size, refused: ledger.refused, faults };
}

/** A start that failed, once more, to see what it says. */
async function startAgain({ dataDir }: Ground, env: Record<string, string>): Promise<string[]> {
  const { code, stderr } = await formstead(dataDir, ['serve'], { PORT: '0', ...env }, ON_FAULTY_DISK);
  return code === 1 && /^formstead: [^\n]+\n$/.test(stderr) ? [] : [`the start ended with ${code}: ${stderr}`];
}

async function takesPosts(server: ServerProcess, { formId }: Ground): Promise<string[]> {
  const ledger = new Ledger();
  await ledger.post(server, formId, 1_000);
  const code = await server.end();
  return ledger.acknowledged.size === 1 && code === 0 ? [] : [`afterwards it took nothing, or ended with ${code}`];
}
