import { mkdirSync, rmSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../bench/report.ts';
import { type ServerProcess, spawnServer } from '../support/process.ts';
import { startSmtp } from '../support/smtp.ts';
import { until } from '../support/until.ts';
import { type Ground, Ledger, listAll, makeGround, newFolder, PATIENCE_MS } from './ground.ts';

const MiB = 1024 * 1024;
const DISK = 32 * MiB;
/** What lies on the disk beside the data, and is taken away to make room. */
const BALLAST = 8 * MiB;
const FLOOR = 6 * MiB;
const REFUSALS = 200;

/**
 * Fills a small disk of its own until posts are refused, once to the last byte and once to the floor, makes room, and
 * looks whether the same server takes posts again. Whether all went as promised; null where no disk can be mounted.
 */
export async function fullDisk(report: Report, progress: (text: string) => void): Promise<boolean | null> {
  const disk = newFolder();
  const rows: string[][] = [];
  const faults: string[] = [];
  for (const floor of [0, FLOOR]) {
    const mounted = await run('mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk);
    if (!mounted) {
      rmSync(disk, { recursive: true });
      report.section('A full disk', [['not run'], ['this needs the right to mount a file system']]);
      return null;
    }
    try {
      progress(floor === 0 ? 'filling a disk' : 'filling a disk to the floor');
      rows.push(await fill(disk, floor, faults));
    } finally {
      await run('umount', disk);
    }
  }
  rmSync(disk, { recursive: true });
  report.section(
    `A disk of ${DISK / MiB} MiB runs full under posts with files, and gets room again`,
    [
      [
        'MIN_FREE_BYTES',
        'acknowledged until full',
        'refused',
        'free then, KiB',
        'deleted while full',
        'acknowledged after',
        'missing',
      ],
      ...rows,
    ],
    [
      'Refused is 500 storage_unavailable with Retry-After. While the disk is full, reads and /healthz answer with 200.',
      'The same process takes posts again once there is room. Then it is stopped, started and compared.',
      faults.length === 0 ? 'All went as promised.' : `Not as promised: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

async function fill(disk: string, floor: number, faults: string[]): Promise<string[]> {
  const expect = (isSo: boolean, what: string) => {
    if (!isSo) faults.push(`floor ${floor}: ${what}`);
  };
  const smtp = await startSmtp();
  const ballast = join(disk, 'ballast');
  await Bun.write(ballast, new Uint8Array(BALLAST));
  mkdirSync(join(disk, 'data'));
  const ground = await makeGround(join(disk, 'data'));
  const env = {
    MIN_FREE_BYTES: String(floor),
    READS_PER_MINUTE: '0',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'forms@mail.example',
  };
  const server = await spawnServer(ground.dataDir, env);
  const ledger = new Ledger();
  const statusOf = async (path: string) => (await fetch(server.url + path)).status;

  await ledger.flood(server, ground.formId, () => ledger.refused >= REFUSALS, 200_000);
  const before = ledger.acknowledged.size;
  const refused = ledger.refused;
  const { bavail, bsize } = statfsSync(disk);
  const only = [...ledger.refusals.keys()].join(', ');
  expect(only === '500 storage_unavailable', `posts were refused with ${only}`);
  expect(ledger.withoutRetryAfter === 0, `${ledger.withoutRetryAfter} refusals do not say when to come again`);
  expect(floor === 0 || bavail * bsize > floor / 2, `only ${bavail * bsize} bytes are free`);
  expect((await statusOf('/healthz')) === 200, '/healthz did not answer with 200');
  // Without a floor there may be room in the log for the page that it tries to write, and none for a post.
  expect(floor === 0 || (await statusOf('/readyz')) !== 200, 'it said that it was ready');
  expect((await listAll(server, ground)).length >= before, 'not all can be read while the disk is full');
  const deleted = floor === 0 ? null : await deleteOldest(server, ground, ledger);
  expect(deleted !== 0, 'nothing could be deleted');

  unlinkSync(ballast);
  await until(async () => (await statusOf('/readyz')) === 200, 'the server to be ready', PATIENCE_MS);
  await ledger.flood(server, ground.formId, () => ledger.acknowledged.size >= before + 40);
  const after = ledger.acknowledged.size - before + (deleted ?? 0);
  expect(ledger.refused === refused, 'posts were refused although there is room');
  expect((await server.end()) === 0, 'it did not end with 0');
  expect(server.stderr().includes('    at ') === false, 'it printed a stack trace');

  const next = await spawnServer(ground.dataDir, env);
  const { missing } = await ledger.compare(next, ground);
  expect(missing.length === 0, `missing: ${missing.join(', ')}`);
  await next.end();
  await smtp.stop();
  const free = Math.round((bavail * bsize) / 1024).toLocaleString('en');
  const shown = deleted === null ? 'not tried' : String(deleted);
  return [String(floor), String(before), String(refused), free, shown, String(after), String(missing.length)];
}

/** Deletes some that were acknowledged, and takes them out of the ledger; how many. */
async function deleteOldest(server: ServerProcess, ground: Ground, ledger: Ledger): Promise<number> {
  const some = (await listAll(server, ground)).filter(({ data }) => ledger.acknowledged.has(data.n)).slice(-10);
  let deleted = 0;
  for (const item of some) if (await ledger.delete(server, ground, item)) deleted++;
  return deleted;
}

async function run(...command: string[]): Promise<boolean> {
  if (!Bun.which(command[0] ?? '')) return false;
  return (await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited) === 0;
}
