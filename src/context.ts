import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, Secrets } from './config.ts';
import { SetupError } from './domain/errors.ts';
import { planNamed } from './domain/plan.ts';
import { KeyUse } from './jobs/key-use.ts';
import { startLoop } from './jobs/loop.ts';
import { Outbox, type OutboxKeeper } from './jobs/outbox.ts';
import { sweepJob } from './jobs/sweep.ts';
import { type Clock, monotonicClock, systemClock } from './lib/clock.ts';
import { createLogger, type Logger } from './lib/log.ts';
import { syncFolder } from './lib/sync-folder.ts';
import type { Mailer } from './mail/mailer.ts';
import type { Blobs } from './storage/blobs.ts';
import { diskBlobs } from './storage/disk/disk-blobs.ts';
import { openDatabase } from './storage/sqlite/database.ts';
import { takeServerLock } from './storage/sqlite/server-lock.ts';
import { sqliteStore } from './storage/sqlite/sqlite-store.ts';
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
  vault: Vault;
  keyUse: KeyUse;
  /** Null where no mail server is set. */
  mail: Mail | null;
  keyFile: KeyFile;
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
  const close = async () => {
    for (const closeOne of opened.splice(0).reverse()) await closeOne();
  };
  try {
    if (serving) opened.push(takeServerLock(join(config.dataDir, 'server.lock')).release);
    const limitOf = (plan: string) => planNamed(config.plans, plan).submissions_limit;
    const store = sqliteStore(openDatabase(join(config.dataDir, 'formstead.db')), now, limitOf);
    opened.push(store.close);
    syncFolder(config.dataDir);
    const { vault, keyFile } = await unlockVault(store, {
      configuredKey: secrets.encryptionKey,
      keyFile: join(config.dataDir, 'encryption.key'),
      now: now(),
    });
    const blobs = diskBlobs(join(config.dataDir, 'files'));
    const keyUse = new KeyUse();
    const keeper = { store, vault, blobs, clock: now, log };
    const mail = await openMail(keeper, config, secrets);
    if (mail) opened.push(mail.mailer.close);
    if (serving) {
      await store.freeMails();
      const jobs = [keyUse.job(store), sweepJob(keeper), ...(mail ? [mail.outbox.job()] : [])];
      opened.push(startLoop(jobs, log).stop);
    }
    return {
      config,
      clock: now,
      monotonic: monotonicClock,
      log,
      store,
      blobs,
      vault,
      keyUse,
      mail,
      keyFile,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openMail(
  keeper: Omit<OutboxKeeper, 'mailer' | 'attachLimit'>,
  { mailFrom, mailAttachLimit: attachLimit }: Config,
  { smtpUrl }: Secrets,
): Promise<Mail | null> {
  if (smtpUrl === null || mailFrom === null) return null;
  // Loaded only where it is used: it takes a third of a start.
  const { smtpMailer } = await import('./mail/smtp.ts');
  const mailer = smtpMailer(smtpUrl, mailFrom);
  const sender = mailFrom.replace(/^.*<|>$/g, '');
  return { mailer, sender, outbox: new Outbox({ ...keeper, mailer, attachLimit }) };
}

function makeDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : error;
    throw new SetupError(`DATA_DIR is ${JSON.stringify(path)}, which cannot be made (${reason}).`);
  }
}
