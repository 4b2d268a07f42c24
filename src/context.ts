import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Secrets } from './config.ts';
import { UNFINISHED_RESTORE } from './domain/backup.ts';
import { SetupError } from './domain/errors.ts';
import { planNamed } from './domain/plan.ts';
import { backupJob } from './jobs/backups.ts';
import { digestJob } from './jobs/digests.ts';
import { Heartbeat } from './jobs/heartbeat';
import { LastUse } from './jobs/last-use.ts';
import { startLoop } from './jobs/loop.ts';
import { Outbox, type OutboxDeps } from './jobs/outbox.ts';
import { retentionJob } from './jobs/retention.ts';
import { rotationJob } from './jobs/rotation.ts';
import { sweepJob } from './jobs/sweep.ts';
import { type Clock, monotonicClock, systemClock } from './lib/clock.ts';
import { freeBytes } from './lib/free-space.ts';
import { Histogram } from './lib/histogram.ts';
import { createLogger, type Logger } from './lib/log.ts';
import type { Proxies } from './lib/proxies.ts';
import { makeFolder, syncFolder } from './lib/sync-folder.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Blobs } from './storage/blobs.ts';
import { diskBlobs } from './storage/disk/disk-blobs.ts';
import { DiskWatch } from './storage/disk-watch.ts';
import { openDatabase, settleLog } from './storage/sqlite/database.ts';
import { isLocked, type Lock, takeLock } from './storage/sqlite/lock.ts';
import { sqliteStore } from './storage/sqlite/sqlite-store.ts';
import { watchedStore } from './storage/sqlite/watched-store.ts';
import type { Store } from './storage/store.ts';
import { type KeyFile, unlockVault, type WantedKey } from './vault/unlock.ts';
import type { Vault } from './vault/vault.ts';
import type { Release } from './version.ts';

export { storageAtRest } from './storage/sqlite/at-rest.ts';

/** Everything that is opened once. Whoever opened it calls `close`. */
export type Context = Readonly<{
  config: Config;
  clock: Clock;
  monotonic: Clock;
  log: Logger;
  store: Store;
  blobs: Blobs;
  disk: DiskWatch;
  vault: Vault;
  keyUse: LastUse;
  sessionUse: LastUse;
  /** Null where no mail server is set. */
  mail: Mail | null;
  keyFile: KeyFile;
  wantedKey: WantedKey;
  /** Makes this process the only one that serves the data directory, or that changes its keys; null if another is that. */
  takeLock: (of: 'server' | 'keys') => Lock | null;
  heartbeat: Heartbeat;
  /** Of submissions: how many a commit held, and how many seconds it took. */
  commits: Readonly<{ submissions: Histogram; seconds: Histogram }>;
  /** Where the data directory lies. */
  freeBytes: () => number;
  /** Whether a server has the data directory now. */
  isServed: () => boolean;
  metricsToken: string | null;
  proxies: Proxies;
  /** Deadline of a challenge service's answer in milliseconds; the default if absent. */
  challengeMs?: number;
  /** Leaves everything as it is once a sync has failed: to close is to write. */
  close: () => Promise<void>;
}>;

/** What mails are made and sent with; `sender` is the bare address that they come from. */
export type Mail = Readonly<{ outbox: Outbox; mailer: Mailer; sender: string }>;

type Options = Readonly<{
  config: Config;
  secrets: Secrets;
  writeLog: (line: string) => void;
  logForPerson: boolean;
  clock?: Clock;
  /** Whether to be the only server of the data directory and to run the jobs; a command does neither. */
  serving?: boolean;
  /** Logged first by a server. */
  release?: Release | null;
  /** What a command line begins with to run this program; scheduled backups need it. */
  program?: readonly string[];
}>;

/** Opens the data directory, making and migrating what is not there. Throws `SetupError`, with nothing left open. */
export async function openContext({
  config,
  secrets,
  writeLog,
  logForPerson,
  clock,
  serving,
  release = null,
  program = [],
}: Options): Promise<Context> {
  makeDataDir(config.dataDir);
  const log = createLogger({ level: config.logLevel, forPerson: logForPerson, write: writeLog });
  const now = clock ?? systemClock;
  const opened: Array<() => Promise<void> | void> = [];
  const free = () => freeBytes(config.dataDir);
  const disk = new DiskWatch({
    measure: free,
    least: config.minFreeBytes,
    monotonic: monotonicClock,
    log,
  });
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) {
      if (!disk.hasFailed) await closeOne();
    }
  };
  try {
    const lockOf = (name: string) => takeLock(join(config.dataDir, `${name}.lock`));
    if (serving) {
      const lock = lockOf('server');
      if (!lock) throw new SetupError(OTHER_SERVER);
      opened.push(lock.release);
      if (release) log.info('starting', { version: release.version, commit: release.commit ?? undefined });
    }
    const limitOf = (plan: string) => planNamed(config.plans, plan).submissions_limit;
    const account = mailAccount(config, secrets);
    const database = openDatabase(join(config.dataDir, 'formstead.db'), serving ? log : undefined);
    if (serving) settleLog(database);
    const commits = {
      submissions: new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256]),
      seconds: new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
    };
    const sqlite = sqliteStore(database, now, limitOf, account?.domain ?? null, (submissions, seconds) => {
      commits.submissions.observe(submissions);
      commits.seconds.observe(seconds);
    });
    const store = watchedStore(sqlite, disk);
    opened.push(store.close);
    if (serving) opened.push(() => leaveNoLog(store, log));
    // With the log in it, too: SQLite syncs that name later and does not look whether it succeeds.
    syncFolder(config.dataDir);
    const { vault, keyFile, wantedKey } = await unlockVault(store, {
      configuredKeys: secrets.encryptionKeys,
      keyFile: join(config.dataDir, 'encryption.key'),
      now: now(),
    });
    const blobs = diskBlobs(join(config.dataDir, 'files'), disk);
    const keyUse = new LastUse('keys', store.recordKeyUse);
    const sessionUse = new LastUse('sessions', store.recordSessionUse);
    const deps = { store, vault, blobs, clock: now, log };
    const heartbeat = new Heartbeat(monotonicClock);
    const mail = await openMail(deps, config, account);
    if (mail) opened.push(mail.mailer.close);
    if (serving) {
      const backups = backupPlan(config, secrets);
      await store.freeMails();
      const jobs = [
        heartbeat.job(),
        keyUse.job(),
        sessionUse.job(),
        { name: 'log of the database', everyMs: 1_000, step: store.shortenLog },
        sweepJob(deps),
        retentionJob({ ...deps, retentionDays: config.retentionDays }),
        ...(backups ? [backupJob({ clock: now, log, program, ...backups })] : []),
        rotationJob({ ...deps, keyFile, wantedKey }),
        ...(mail ? [mail.outbox.job(), digestJob({ ...deps, ...mail })] : []),
      ];
      opened.push(startLoop(jobs, log).stop);
    }
    return {
      config,
      clock: now,
      monotonic: monotonicClock,
      log,
      store,
      blobs,
      disk,
      vault,
      keyUse,
      sessionUse,
      mail,
      keyFile,
      wantedKey,
      takeLock: lockOf,
      heartbeat,
      commits,
      freeBytes: free,
      isServed: () => isLocked(join(config.dataDir, 'server.lock')),
      metricsToken: secrets.metricsToken,
      proxies: secrets.proxies,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Null where none are made. Throws `SetupError` unless it is said what becomes of a key in the data directory. */
function backupPlan(config: Config, { encryptionKeys }: Secrets) {
  const { backupDir: folder, backupHours: hours, backupKeep: keep, backupWithKey } = config;
  if (folder === null) return null;
  if (encryptionKeys === null && backupWithKey === null) {
    throw new SetupError(
      'BACKUP_DIR is set and the key lies in the data directory; set BACKUP_WITH_KEY to yes to put it into each backup, which whoever has one can read then, or to no and keep a copy of the key elsewhere.',
    );
  }
  if (encryptionKeys !== null && backupWithKey) {
    throw new SetupError('BACKUP_WITH_KEY is yes and the key is set by ENCRYPTION_KEY; leave BACKUP_WITH_KEY out.');
  }
  return { folder, hours, keep, withKey: backupWithKey === true };
}

const OTHER_SERVER = 'another Formstead serves this data directory; stop it first, or set DATA_DIR to another one.';

/** What stays in the log of the database is safe there; the next start writes it down. */
async function leaveNoLog(store: Store, log: Logger): Promise<void> {
  try {
    await store.clearLog();
  } catch (error) {
    log.warn('the log of the database stays as it is until the next start', { error: String(error) });
  }
}

/** How mails are sent; `sender` is the bare address in `from`. Null where none are. */
function mailAccount({ mailFrom: from }: Config, { smtpUrl: url }: Secrets) {
  if (url === null || from === null) return null;
  const sender = from.replace(/^.*<|>$/g, '');
  return { url, from, sender, domain: sender.slice(sender.lastIndexOf('@') + 1) };
}

async function openMail(
  deps: Pick<OutboxDeps, 'store' | 'vault' | 'blobs' | 'clock' | 'log'>,
  { mailAttachLimit: attachLimit, baseUrl, plans }: Config,
  account: ReturnType<typeof mailAccount>,
): Promise<Mail | null> {
  if (!account) return null;
  // Loaded only where it is used: it takes a third of a start.
  const { smtpMailer } = await import('./mail/smtp.ts');
  const mailer = smtpMailer(account.url, account.from);
  return { mailer, sender: account.sender, outbox: new Outbox({ ...deps, mailer, attachLimit, baseUrl, plans }) };
}

function makeDataDir(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new SetupError(`DATA_DIR is ${JSON.stringify(path)}, which cannot be made (${reason}).`);
  }
  if (existsSync(join(path, UNFINISHED_RESTORE))) {
    throw new SetupError(`a restore into ${path} was cut off; remove all that is in there and restore again.`);
  }
}
