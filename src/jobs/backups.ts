import { HOUR } from '../lib/clock.ts';
import { jsonObject } from '../lib/json.ts';
import { newestBackup } from '../services/backups/backups.ts';
import type { Services } from '../services/services.ts';
import type { Job } from './loop.ts';

/** The interval of checks. A failed backup is retried at the next one. */
const CHECK_INTERVAL_MS = 5 * 60 * 1000;
/** The number of characters of stderr to log. */
const MAX_LOGGED_CHARS = 500;

/**
 * The settings of scheduled backups. `program` is the command line prefix that runs Formstead and `env` its environment,
 * `hours` the interval, `keep` the number of backups to keep, and `withKey` includes the encryption key.
 */
export type BackupPlan = Readonly<{
  program: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  folder: string;
  hours: number;
  keep: number;
  withKey: boolean;
}>;

type Deps = BackupPlan & Pick<Services, 'clock' | 'log'>;

/**
 * Creates the job that makes a backup when the newest is older than `hours`, and deletes all but the newest `keep`. A
 * child process runs each backup, so that the server does not wait for the disk.
 */
export function backupJob(deps: Deps): Job {
  const { clock, hours } = deps;
  const isDue = (lastAt: number) => Math.abs(clock() - lastAt) >= hours * HOUR;
  // Takes precedence over the newest backup in the folder, which may be from a clock that was ahead.
  let lastBackupAt: number | null = null;
  const step = async (signal: AbortSignal) => {
    const newest = lastBackupAt === null ? await newestBackup(deps.folder) : null;
    const lastAt = newest ? newest.at * 1000 : lastBackupAt;
    if (lastAt !== null && !isDue(lastAt)) return;
    const startedAt = clock();
    if (await runBackup(deps, signal)) lastBackupAt = startedAt;
  };
  return { name: 'backup', everyMs: CHECK_INTERVAL_MS, step };
}

/** Runs a backup. Returns false and logs the reason if it fails. */
async function runBackup({ log, program, env, folder, keep, withKey }: Deps, signal: AbortSignal): Promise<boolean> {
  const startedAt = performance.now();
  const args = ['backup', folder, '--keep', String(keep), withKey ? '--with-key' : '--without-key', '--json'];
  // Without `env`, Bun passes on the variables that the process started with, not those of a settings file.
  const child = Bun.spawn([...program, ...args], { env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', signal });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code === 0) {
    const { path, files, bytes } = JSON.parse(stdout);
    log.info('backup made', { path, files, bytes, seconds: Math.round(performance.now() - startedAt) / 1000 });
  } else if (!signal.aborted) {
    log.error('backup failed, will retry', { code, reason: reasonIn(stderr).slice(-MAX_LOGGED_CHARS) });
  }
  return code === 0;
}

/** Returns the message of the error that the child process printed as JSON, or else its whole output. */
function reasonIn(stderr: string): string {
  const { error = stderr.trim() } = jsonObject(stderr.trim().split('\n').at(-1) ?? '');
  return String(error);
}
