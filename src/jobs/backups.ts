import { type Clock, HOUR } from '../lib/clock.ts';
import type { Logger } from '../lib/log.ts';
import { newestBackup } from '../services/backups.ts';
import type { Job } from './loop.ts';

/** So often it is looked whether one is due: one that failed is tried again then. */
const EVERY_MS = 5 * 60 * 1000;
const EXCERPT = 500;

/** `program` are the words that a command line begins with. */
type Deps = Readonly<{
  clock: Clock;
  log: Logger;
  program: readonly string[];
  folder: string;
  hours: number;
  keep: number;
  withKey: boolean;
}>;

/**
 * Makes a backup when the newest one is so many hours old, and removes those beyond `keep`. A process of its own does it, so
 * that nothing here waits for the disk.
 */
export function backupJob(deps: Deps): Job {
  const { clock, hours } = deps;
  const isOver = (since: number) => Math.abs(clock() - since) >= hours * HOUR;
  // A folder may have a backup from a clock that was ahead: what was made here counts more.
  let madeAt: number | null = null;
  const step = async (signal: AbortSignal) => {
    const since = madeAt ?? (await newestTime(deps.folder));
    if (since !== null && !isOver(since)) return;
    const began = clock();
    if (await run(deps, signal)) madeAt = began;
  };
  return { name: 'backup', everyMs: EVERY_MS, step };
}

async function newestTime(folder: string): Promise<number | null> {
  const newest = await newestBackup(folder);
  return newest && newest.at * 1000;
}

/** Whether a backup was made; what kept it from that is logged. */
async function run({ log, program, folder, keep, withKey }: Deps, signal: AbortSignal): Promise<boolean> {
  const began = performance.now();
  const words = ['backup', folder, '--keep', String(keep), withKey ? '--with-key' : '--without-key', '--json'];
  const child = Bun.spawn([...program, ...words], { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', signal });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code === 0) {
    const { path, files, bytes } = JSON.parse(stdout);
    log.info('backup made', { path, files, bytes, seconds: Math.round(performance.now() - began) / 1000 });
  } else if (!signal.aborted) {
    log.error('a backup failed, and is tried again', { code, says: stderr.slice(-EXCERPT).trim() });
  }
  return code === 0;
}
