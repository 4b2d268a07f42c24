import { mkdirSync, rmSync, statfsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type ServerProcess, spawnServer } from '../../test/support/process.ts';
import { startSmtp } from '../../test/support/smtp.ts';
import { until } from '../../test/support/until.ts';
import type { Report } from '../bench/report.ts';
import { createTestData, Ledger, listAll, newFolder, type TestData, WAIT_TIMEOUT_MS } from './harness.ts';

const MiB = 1024 * 1024;
const DISK = 32 * MiB;
/** The size of a file that is deleted to free space. */
const BALLAST = 8 * MiB;
const MIN_FREE = 6 * MiB;
const REFUSALS = 200;

/**
 * Fills a small disk until posts are refused, without and with `MIN_FREE_BYTES`, frees space and checks that the same
 * server recovers. Returns true if nothing was lost, null if no disk can be mounted.
 */
export async function fullDisk(report: Report, progress: (text: string) => void): Promise<boolean | null> {
  const disk = newFolder();
  const rows: string[][] = [];
  const faults: string[] = [];
  for (const floor of [0, MIN_FREE]) {
    const mounted = await run('mount', '-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk);
    if (!mounted) {
      rmSync(disk, { recursive: true });
      report.section('A full disk', [['not run'], ['requires permission to mount a file system']]);
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
    `A disk of ${DISK / MiB} MiB fills up with posts with files and gets space again`,
    [
      [
        'MIN_FREE_BYTES',
        'acknowledged until full',
        'refused',
        'free when full, KiB',
        'deleted while full',
        'acknowledged after',
        'missing',
      ],
      ...rows,
    ],
    [
      'Refusals are 500 storage_unavailable with Retry-After. While the disk is full, reads and /healthz return 200.',
      'The same process accepts posts again when space is freed. Then it is restarted and compared.',
      faults.length === 0 ? 'Passed.' : `Failed: ${faults.join('; ')}.`,
    ],
  );
  return faults.length === 0;
}

async function fill(disk: string, floor: number, faults: string[]): Promise<string[]> {
  const expect = (condition: boolean, what: string) => {
    if (!condition) faults.push(`floor ${floor}: ${what}`);
  };
  const smtp = await startSmtp();
  const ballast = join(disk, 'ballast');
  await Bun.write(ballast, new Uint8Array(BALLAST));
  mkdirSync(join(disk, 'data'));
  const testData = await createTestData(join(disk, 'data'));
  const env = {
    MIN_FREE_BYTES: String(floor),
    READS_PER_MINUTE: '0',
    SMTP_URL: smtp.url,
    MAIL_FROM: 'forms@mail.example',
  };
  const server = await spawnServer(testData.dataDir, env);
  const ledger = new Ledger();
  const statusOf = async (path: string) => (await fetch(server.url + path)).status;

  await ledger.flood(server, testData.formId, () => ledger.refused >= REFUSALS, 200_000);
  const before = ledger.acknowledged.size;
  const refused = ledger.refused;
  const { bavail, bsize } = statfsSync(disk);
  const only = [...ledger.refusals.keys()].join(', ');
  expect(only === '500 storage_unavailable', `posts were refused with ${only}`);
  expect(ledger.withoutRetryAfter === 0, `${ledger.withoutRetryAfter} refusals do not say when to come again`);
  expect(floor === 0 || bavail * bsize > floor / 2, `only ${bavail * bsize} bytes are free`);
  expect((await statusOf('/healthz')) === 200, '/healthz did not answer with 200');
  // Without a minimum, the log may have space for the page that the probe writes but not for a post.
  expect(floor === 0 || (await statusOf('/readyz')) !== 200, 'it said that it was ready');
  expect((await listAll(server, testData)).length >= before, 'not all can be read while the disk is full');
  const deleted = floor === 0 ? null : await deleteOldest(server, testData, ledger);
  expect(deleted !== 0, 'nothing could be deleted');

  unlinkSync(ballast);
  await until(async () => (await statusOf('/readyz')) === 200, 'the server to be ready', WAIT_TIMEOUT_MS);
  await ledger.flood(server, testData.formId, () => ledger.acknowledged.size >= before + 40);
  const after = ledger.acknowledged.size - before + (deleted ?? 0);
  expect(ledger.refused === refused, 'posts were refused although there is room');
  expect((await server.end()) === 0, 'it did not end with 0');
  expect(server.stderr().includes('    at ') === false, 'it printed a stack trace');

  const next = await spawnServer(testData.dataDir, env);
  const { missing } = await ledger.compare(next, testData);
  expect(missing.length === 0, `missing: ${missing.join(', ')}`);
  await next.end();
  await smtp.stop();
  const free = Math.round((bavail * bsize) / 1024).toLocaleString('en');
  const shown = deleted === null ? 'not tried' : String(deleted);
  return [String(floor), String(before), String(refused), free, shown, String(after), String(missing.length)];
}

/** Deletes the oldest acknowledged submissions, also from the ledger. Returns the count. */
async function deleteOldest(server: ServerProcess, testData: TestData, ledger: Ledger): Promise<number> {
  const some = (await listAll(server, testData)).filter(({ data }) => ledger.acknowledged.has(data.n)).slice(-10);
  let deleted = 0;
  for (const item of some) if (await ledger.delete(server, testData, item)) deleted++;
  return deleted;
}

async function run(...command: string[]): Promise<boolean> {
  if (!Bun.which(command[0] ?? '')) return false;
  return (await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited) === 0;
}
