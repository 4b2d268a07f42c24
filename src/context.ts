import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Secrets } from './config.ts';
import { SetupError } from './domain/errors.ts';
import { planNamed } from './domain/plan.ts';
import { digestJob } from './jobs/digests.ts';
import { LastUse } from './jobs/last-use.ts';
import { startLoop } from './jobs/loop.ts';
import { Outbox, type OutboxKeeper } from './jobs/outbox.ts';
import { retentionJob } from './jobs/retention.ts';
import { sweepJob } from './jobs/sweep.ts';
import { type Clock, monotonicClock, systemClock } from './lib/clock.ts';
import { createLogger, type Logger } from './lib/log.ts';
import { syncFolder } from './lib/sync-folder.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Blobs } from './storage/blobs.ts';
import { diskBlobs } from './storage/disk/disk-blobs.ts';
import { freeBytes } from './storage/disk/free-space.ts';
import { DiskWatch } from './storage/disk-watch.ts';
import { openDatabase, settleLog } from './storage/sqlite/database.ts';
import { takeServerLock } from './storage/sqlite/server-lock.ts';
import { sqliteStore } from './storage/sqlite/sqlite-store.ts';
import { watchedStore } from './storage/sqlite/watched-store.ts';
import type { Store } from './storage/store.ts';
import { type KeyFile, unlockVault } from './vault/unlock.ts';
import type { Vault } from './vault/vault.ts';

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
}>;

/** Opens the data directory, making and migrating what is not there. Throws `SetupError`, with nothing left open. */
export async function openContext({
  config,
  secrets,
  writeLog,
  logForPerson,
  clock,
  serving,
}: Options): Promise<Context> {
  makeDataDir(config.dataDir);
  const log = createLogger({ level: config.logLevel, forPerson: logForPerson, write: writeLog });
  const now = clock ?? systemClock;
  const opened: Array<() => Promise<void> | void> = [];
  const disk = new DiskWatch({
    measure: () => freeBytes(config.dataDir),
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
    if (serving) opened.push(takeServerLock(join(config.dataDir, 'server.lock')).release);
    const limitOf = (plan: string) => planNamed(config.plans, plan).submissions_limit;
    const account = mailAccount(config, secrets);
    const database = openDatabase(join(config.dataDir, 'formstead.db'));
    if (serving) settleLog(database);
    const store = watchedStore(sqliteStore(database, now, limitOf, account?.domain ?? null), disk);
    opened.push(store.close);
    if (serving) opened.push(() => leaveNoLog(store, log));
    // With the log in it, too: SQLite syncs that name later and does not look whether it succeeds.
    syncFolder(config.dataDir);
    const { vault, keyFile } = await unlockVault(store, {
      configuredKey: secrets.encryptionKey,
      keyFile: join(config.dataDir, 'encryption.key'),
      now: now(),
    });
    const blobs = diskBlobs(join(config.dataDir, 'files'), disk);
    const keyUse = new LastUse('keys', store.recordKeyUse);
    const sessionUse = new LastUse('sessions', store.recordSessionUse);
    const keeper = { store, vault, blobs, clock: now, log };
    const mail = await openMail(keeper, config, account);
    if (mail) opened.push(mail.mailer.close);
    if (serving) {
      await store.freeMails();
      const jobs = [
        keyUse.job(),
        sessionUse.job(),
        { name: 'log of the database', everyMs: 1_000, step: store.shortenLog },
        sweepJob(keeper),
        retentionJob({ ...keeper, retentionDays: config.retentionDays }),
        ...(mail ? [mail.outbox.job(), digestJob({ ...keeper, ...mail })] : []),
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
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

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
  keeper: Pick<OutboxKeeper, 'store' | 'vault' | 'blobs' | 'clock' | 'log'>,
  { mailAttachLimit: attachLimit, baseUrl, plans }: Config,
  account: ReturnType<typeof mailAccount>,
): Promise<Mail | null> {
  if (!account) return null;
  // Loaded only where it is used: it takes a third of a start.
  const { smtpMailer } = await import('./mail/smtp.ts');
  const mailer = smtpMailer(account.url, account.from);
  return { mailer, sender: account.sender, outbox: new Outbox({ ...keeper, mailer, attachLimit, baseUrl, plans }) };
}

function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new SetupError(`DATA_DIR is ${JSON.stringify(path)}, which cannot be made (${reason}).`);
  }
}
