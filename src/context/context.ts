import { hostname } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { type Config, mailAccount, type Secrets, s3Account } from '../config/config.ts';
import { OutboxEngine } from '../delivery/engine.ts';
import { MailService } from '../delivery/mail/mail-service.ts';
import type { MailTransportDeps } from '../delivery/mail/transport.ts';
import { webhookTransport } from '../delivery/webhook/transport.ts';
import { SetupError } from '../domain/errors.ts';
import { markText } from '../domain/instance/move.ts';
import { describeFailure } from '../domain/instance/system-fault.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { ClientAddress } from '../http/client-address.ts';
import { RefusedClients } from '../http/refused-clients.ts';
import { TrustedHeader } from '../http/trusted-header.ts';
import { Heartbeat } from '../jobs/heartbeat.ts';
import { serverJobs } from '../jobs/index.ts';
import { LastUse } from '../jobs/last-use.ts';
import { startLoop } from '../jobs/loop.ts';
import { type Clock, type Micros, monotonicClock, systemClock } from '../lib/clock.ts';
import { syncFolder } from '../lib/file-system.ts';
import { freeBytes } from '../lib/free-space.ts';
import type { GuardedNetwork } from '../lib/guarded-fetch.ts';
import { Histogram } from '../lib/histogram.ts';
import { createLogger, type Logger } from '../lib/log.ts';
import { OutgoingShares } from '../lib/outgoing-shares.ts';
import { SsrfGuard } from '../lib/ssrf-guard.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { MemoryMailer } from '../mail/memory-mailer.ts';
import { adviceText } from '../services/mail/test-mail.ts';
import { serializeSubmission } from '../services/submissions/serialize-submission.ts';
import type { Blobs } from '../storage/blobs.ts';
import { createDataDir } from '../storage/data-dir.ts';
import { diskBlobs } from '../storage/disk/disk-blobs.ts';
import { DiskWatch } from '../storage/disk-watch.ts';
import { layeredBlobs } from '../storage/layered-blobs.ts';
import type { S3Bucket } from '../storage/s3/s3-bucket.ts';
import { SoleWriter } from '../storage/sole-writer.ts';
import { watchedStore } from '../storage/watched-store.ts';
import { unlockVault } from '../vault/unlock.ts';
import type { Release } from '../version.ts';
import type { InstanceDatabase } from './database.ts';
import { sqliteDatabase } from './sqlite.ts';

export { storageAtRest } from '../storage/sqlite/at-rest.ts';

/** Shared services of the process. The caller of `openContext` must call `close`. */
export type Context = Readonly<Awaited<ReturnType<typeof openContext>>>;

/** An engine that delivers mails or webhooks. */
type Engine = Pick<OutboxEngine<never, never>, 'attempts' | 'fill' | 'wake' | 'drain' | 'stop'>;

/** A demo: its mails, and the session that its link gives out. Anyone gets it if `token` is null, and may change nothing. */
export type Demo = Readonly<{
  mailer: MemoryMailer;
  token: string | null;
  session: string;
  /** The time at which everything starts anew; null for never. */
  resetsAt: Micros | null;
}>;

type Options = Readonly<{
  config: Config;
  secrets: Secrets;
  writeLog: (line: string) => void;
  prettyLog: boolean;
  clock?: Clock;
  /** Timeout of a delivery to a webhook in milliseconds, if not the default. */
  webhookMs?: number;
  /** Timeout of a request to the bucket in milliseconds, if not the default. */
  s3Ms?: number;
  /** Sends mails in place of `SMTP_URL`. */
  mailer?: Mailer;
  demo?: Demo;
  /** Take the server lock and run the jobs; commands do neither. */
  serving?: boolean;
  /** Create an instance and require that there is none. Without this and `serving`, there must be one. */
  isNew?: boolean | undefined;
  /** Logged when a server starts. */
  release?: Release | null;
  /** Command line that runs this program, for scheduled backups. */
  program?: readonly string[];
  /** Environment of scheduled backups. */
  env?: Readonly<Record<string, string | undefined>>;
}>;

/**
 * Opens an instance. A server creates and migrates its storage if needed, and starts its jobs. On failure closes what was
 * opened and throws `SetupError`.
 */
export async function openContext(options: Options) {
  const { config, secrets, clock = systemClock, serving = false, isNew = false, release = null } = options;
  const database = await findDatabase(config, secrets);
  await database.requireInstance(serving || isNew, isNew);
  createDataDir(config.dataDir);
  const log = createLogger({ level: config.logLevel, isPretty: options.prettyLog, write: options.writeLog });
  const closers: Closers = [];
  const freeSpace = () => freeBytes(config.dataDir);
  const { minFreeBytes } = config;
  const disk = new DiskWatch({ readFreeBytes: freeSpace, minFreeBytes, monotonic: monotonicClock, log });
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) {
      if (!disk.hasFailed) await closeOne();
    }
  };
  try {
    if (serving) {
      const lock = database.lockForServing();
      if (lock) closers.push(lock.release);
      if (release) log.info('starting', { version: release.version, commit: release.commit ?? undefined });
    }
    const moveMark = await database.readMoveMark();
    if (moveMark && (serving || moveMark.role === 'target')) throw new SetupError(markText(moveMark));
    let mail: MailService | null = null;
    const mailDomain = () => mail?.account?.domain ?? null;
    const commits = {
      submissions: new Histogram([1, 2, 4, 8, 16, 32, 64, 128, 256]),
      seconds: new Histogram([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]),
    };
    const onCommit = (submissions: number, seconds: number) => {
      commits.submissions.observe(submissions);
      commits.seconds.observe(seconds);
    };
    const storeOptions = { clock, mailDomain, onCommit, log: serving ? log : undefined };
    const store = watchedStore(await database.openStore(storeOptions, serving || isNew), disk);
    closers.push(store.close);
    const checkpoint = () =>
      orWarn(store.upkeep.maintain(true), log, 'could not checkpoint the database; the next start does it');
    if (serving) closers.push(checkpoint);
    // Covers the WAL's name too: SQLite syncs it only later and ignores a failure.
    syncFolder(config.dataDir);
    const { vault, keyFile, readPrimaryKey } = await unlockVault(store.vaultKeys, {
      configuredKeys: secrets.encryptionKeys,
      keyFile: join(config.dataDir, 'encryption.key'),
      now: clock(),
    });
    const clientAddress = new ClientAddress(config.trustedProxies);
    const bucket = await openBucket(config, secrets, options.s3Ms);
    const { origin } = await store.files.describe();
    const files = await openBlobs(config.dataDir, bucket, disk, log, origin);
    if (bucket && serving) warnIfUnreadable(bucket, log);
    const soleWriter = database.isShared && !bucket && serving ? new SoleWriter(log) : null;
    const blobs = soleWriter?.guard(files) ?? files;
    const keyUse = new LastUse('keys', store.keys.recordUse);
    const sessionUse = new LastUse('sessions', store.sessions.recordUse);
    const deps = { store, vault, blobs, clock, log };
    const heartbeat = new Heartbeat(monotonicClock);
    const network = { ssrfGuard: new SsrfGuard(config), proxies: secrets.proxies, shares: new OutgoingShares() };
    mail = openMail({ ...deps, ssrfGuard: network.ssrfGuard }, config, secrets, options.mailer);
    await mail.refresh();
    closers.push(mail.mailer.close);
    const webhooks = openWebhooks(deps, config, network, options.webhookMs);
    if (serving) {
      const own = { disk, heartbeat, keyUse, sessionUse, config, keyFile, readPrimaryKey, network, mail, webhooks };
      await startJobs({ ...deps, ...own }, options, database, soleWriter, closers);
    }
    return {
      config,
      /** The version and commit of a server; null in commands. */
      release,
      clock,
      monotonic: monotonicClock,
      log,
      clientAddress,
      trustedHeader: new TrustedHeader(config.authHeader, clientAddress, log),
      refusedClients: new RefusedClients(clientAddress, config.logAddresses, log),
      store,
      blobs,
      disk,
      vault,
      keyUse,
      sessionUse,
      /** Mail, whose `sender` is null without a mail server. */
      mail,
      /** Null unless this is a demo. */
      demo: options.demo ?? null,
      /** Delivers to webhooks while serving. */
      webhooks,
      /** Network access of requests to URLs that users choose. */
      network,
      keyFile,
      readPrimaryKey,
      takeLock: database.takeLock,
      heartbeat,
      /** Submissions per group commit, and its duration in seconds. */
      commits,
      /** Returns the free bytes on the file system of the data directory. */
      freeBytes: freeSpace,
      /** Reports whether a process serves the database. */
      isServerRunning: () => database.isServed(store),
      databaseTls: database.tls,
      /** The name of this process among those that serve one database; null with SQLite. */
      instanceName: database.isShared ? `${hostname()}:${config.port}` : null,
      /** Set if the instance was moved: commands must not change it. */
      moveMark,
      metricsToken: secrets.metricsToken,
      oidcClientSecret: secrets.oidcClientSecret,
      proxies: secrets.proxies,
      /** Closes everything, unless a disk sync has failed: closing would write. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type StorageDeps = Pick<MailTransportDeps, 'store' | 'vault' | 'blobs' | 'clock' | 'log'>;

type Closers = Array<() => Promise<void> | void>;

type JobDeps = Omit<Parameters<typeof serverJobs>[0], 'backups' | 'beat'> &
  Readonly<{ config: Config; mail: MailService }>;

/** Registers this process among the instances and starts its jobs. */
async function startJobs(
  deps: JobDeps,
  { release, program = [], env = {} }: Options,
  { isShared }: InstanceDatabase,
  soleWriter: SoleWriter | null,
  closers: Closers,
): Promise<void> {
  const { config, store, vault, log, mail } = deps;
  const beat = async () => {
    await store.instances.beat({ host: hostname(), pid, version: release?.version ?? 'unknown', keyId: vault.keyId });
    soleWriter?.observe((await store.instances.list()).length);
    if (isShared) await mail.refresh();
  };
  await beat();
  closers.push(() => orWarn(store.instances.leave(), log, 'could not remove this process from the instances'));
  const { backupDir: folder, backupHours: hours, backupKeep: keep, backupWithKey } = config;
  const withKey = backupWithKey === true;
  const backups = isShared || folder === null ? null : { program, env, folder, hours, keep, withKey };
  const reason = 'the rows are in the PostgreSQL database of DATABASE_URL. Back it up with pg_dump';
  if (!backups && folder !== null) log.warn(`BACKUP_DIR is ignored, because ${reason}.`);
  closers.push(startLoop(serverJobs({ ...deps, backups, beat }), log).stop);
}

function openWebhooks(deps: StorageDeps, { baseUrl }: Config, network: GuardedNetwork, timeoutMs?: number): Engine {
  const { vault, clock, log } = deps;
  const serialize = (submission: StoredSubmission) => serializeSubmission({ vault, log }, submission);
  const poster = { network, clock, ...(timeoutMs && { timeoutMs }) };
  return new OutboxEngine(webhookTransport({ ...deps, baseUrl, serialize, tokens: new Map(), poster }), log);
}

/** Returns the database that the settings name. Loads the driver of PostgreSQL only if needed. */
async function findDatabase(config: Config, { databaseUrl }: Secrets): Promise<InstanceDatabase> {
  if (databaseUrl === null) return sqliteDatabase(config);
  const { postgresDatabase } = await import('./postgres.ts');
  return postgresDatabase(databaseUrl, config);
}

/** Returns the bucket of the files, or null if they are on disk. Loads its client only if needed. */
export async function openBucket(config: Config, secrets: Secrets, idleMs?: number): Promise<S3Bucket | null> {
  const account = s3Account(config, secrets);
  if (!account) return null;
  const { S3Bucket } = await import('../storage/s3/s3-bucket.ts');
  return new S3Bucket(account.location, account.credentials, idleMs);
}

/** Opens the files of a data directory and of its bucket, if any. `origin` identifies the database. */
export async function openBlobs(
  dataDir: string,
  bucket: S3Bucket | null,
  disk: DiskWatch,
  log: Logger,
  origin: string,
): Promise<Blobs> {
  const onDisk = diskBlobs(join(dataDir, 'files'), disk);
  if (!bucket) return onDisk;
  const { getWriterId, s3Blobs } = await import('../storage/s3/s3-blobs.ts');
  const inBucket = s3Blobs({ bucket, writerId: getWriterId(dataDir, origin), spoolFolder: dataDir, disk, log });
  return layeredBlobs(inBucket, onDisk);
}

/** Warns if the bucket cannot be listed, without waiting for it: posts without files work meanwhile. */
function warnIfUnreadable(bucket: S3Bucket, log: Logger): void {
  const message = 'the bucket in S3_URL cannot be used, so uploads will fail; run "formstead doctor"';
  void orWarn(bucket.list('').next(), log, message);
}

/** Waits for work whose failure is only logged. What is left of stopping, the next start does. */
async function orWarn(step: Promise<unknown>, log: Logger, message: string): Promise<void> {
  await step.catch((error: unknown) => log.warn(message, { error: describeFailure(error) }));
}

function openMail(
  deps: StorageDeps & Readonly<{ ssrfGuard: SsrfGuard }>,
  config: Config,
  secrets: Secrets,
  ownMailer?: Mailer,
): MailService {
  const { mailAttachLimit: attachLimit, baseUrl, plans } = config;
  const explain: MailTransportDeps['explain'] = (failure) => adviceText(failure, 'en');
  return new MailService({ ...deps, attachLimit, baseUrl, plans, explain }, mailAccount(config, secrets), ownMailer);
}
