import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parseAddress } from './domain/email-address.ts';
import { SetupError } from './domain/errors.ts';
import { MAX_RETENTION_DAYS } from './domain/form.ts';
import { BUILT_IN_PLANS, type Plans } from './domain/plan.ts';
import { LOG_LEVELS, type LogLevel } from './lib/log.ts';
import { isNetwork } from './lib/networks.ts';
import { type Proxies, proxiesOf } from './lib/proxies.ts';
import { type MasterKeys, parseMasterKeys } from './vault/key-ring.ts';

/** Everything that can be set, but the secrets; it is frozen. */
export type Config = Readonly<{
  host: string;
  port: number;
  dataDir: string;
  /** Without a slash at its end; null where it is the address that is listened on. */
  baseUrl: string | null;
  /** Addresses and networks in CIDR notation whose `X-Forwarded-For` is believed. */
  trustedProxies: readonly string[];
  /** Host names, addresses and networks that challenge services may have although they are not public. */
  allowedPrivateHosts: readonly string[];
  plans: Plans;
  logLevel: LogLevel;
  maxBodyBytes: number;
  maxUploadBytes: number;
  maxFiles: number;
  maxFileBytes: number;
  /** What a body may take, and one second more for each 32 KiB. */
  bodySeconds: number;
  /** What all mails come from: an address, or a name with one in angle brackets; null where no mail is sent. */
  mailFrom: string | null;
  /** The files of one mail together. */
  mailAttachLimit: number;
  /** Whether nobody sees a page of any team without a second factor. */
  requireSecondFactor: boolean;
  /** The rates: uses in any 60 seconds, 0 for no limit. */
  postsPerMinute: number;
  readsPerMinute: number;
  writesPerMinute: number;
  /** What somebody signed in may ask for, by one session; a twentieth of it are exports. */
  pagesPerMinute: number;
  /** What has to be free on the disk of the data directory for posts to be taken; 0 for no floor. */
  minFreeBytes: number;
  /** After how many days submissions are deleted where the form says nothing else; null for never. */
  retentionDays: number | null;
  /** Where backups are made by themselves; null for nowhere. */
  backupDir: string | null;
  backupHours: number;
  /** How many are kept. */
  backupKeep: number;
  /** Whether the key file goes into them; null where that was not said. */
  backupWithKey: boolean | null;
}>;

/** Kept apart from the rest so that a configuration can be shown or logged. */
export type Secrets = Readonly<{
  /** Null where they are in the key file. */
  encryptionKeys: MasterKeys | null;
  /** With the credentials in it; null where no mail is sent. */
  smtpUrl: string | null;
  /** What `/metrics` takes; null where only this machine may ask for it. */
  metricsToken: string | null;
  /** With their credentials. */
  proxies: Proxies;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

const MiB = 1024 * 1024;

/**
 * Reads the environment. An empty variable counts as unset. Throws `SetupError` naming the first variable that does not
 * fit, what it holds and what it takes; a secret's value is never repeated.
 */
export function loadConfig(env: Environment): Config {
  return Object.freeze({
    host: env.HOST || '127.0.0.1',
    port: wholeNumber(env, 'PORT', 3000, 0, 65_535),
    dataDir: env.DATA_DIR || './data',
    baseUrl: baseUrl(env),
    trustedProxies: trustedProxies(env),
    allowedPrivateHosts: allowedPrivateHosts(env),
    plans: plans(env),
    logLevel: logLevel(env),
    maxBodyBytes: wholeNumber(env, 'MAX_BODY_BYTES', MiB, 1024, 64 * MiB),
    maxUploadBytes: wholeNumber(env, 'MAX_UPLOAD_BYTES', 25 * MiB, 1024, 1024 * MiB),
    maxFiles: wholeNumber(env, 'MAX_FILES', 10, 0, 1_000),
    maxFileBytes: wholeNumber(env, 'MAX_FILE_BYTES', 10 * MiB, 1024, 1024 * MiB),
    bodySeconds: wholeNumber(env, 'BODY_SECONDS', 30, 1, 3_600),
    mailFrom: mailFrom(env),
    mailAttachLimit: wholeNumber(env, 'MAIL_ATTACH_LIMIT', 10 * MiB, 0, 1024 * MiB),
    postsPerMinute: wholeNumber(env, 'POSTS_PER_MINUTE', 600, 0, 1_000_000),
    readsPerMinute: wholeNumber(env, 'READS_PER_MINUTE', 120, 0, 1_000_000),
    writesPerMinute: wholeNumber(env, 'WRITES_PER_MINUTE', 30, 0, 1_000_000),
    pagesPerMinute: wholeNumber(env, 'PAGES_PER_MINUTE', 600, 0, 1_000_000),
    requireSecondFactor: yesOrNo(env, 'REQUIRE_SECOND_FACTOR') === true,
    backupDir: env.BACKUP_DIR || null,
    backupHours: wholeNumber(env, 'BACKUP_HOURS', 24, 1, 8_760),
    backupKeep: wholeNumber(env, 'BACKUP_KEEP', 7, 1, 10_000),
    backupWithKey: yesOrNo(env, 'BACKUP_WITH_KEY'),
    minFreeBytes: wholeNumber(env, 'MIN_FREE_BYTES', 64 * MiB, 0, 1024 ** 3 * MiB),
    retentionDays: env.RETENTION_DAYS ? wholeNumber(env, 'RETENTION_DAYS', 0, 1, MAX_RETENTION_DAYS) : null,
  });
}

/** Reads the secrets, each from its variable or from the file that `NAME_FILE` names. Throws as `loadConfig` does. */
export function loadSecrets(env: Environment, readFile: (path: string) => string): Secrets {
  const text = secret(env, 'ENCRYPTION_KEY', readFile);
  const encryptionKeys = text === null ? null : parseMasterKeys(text);
  if (text !== null && !encryptionKeys) {
    throw new SetupError(
      `${env.ENCRYPTION_KEY ? 'ENCRYPTION_KEY' : 'ENCRYPTION_KEY_FILE'} holds a text of ${text.length} characters (not shown); it takes 32 bytes as 64 hex digits or in base64, and after a comma perhaps the key before.`,
    );
  }
  return {
    encryptionKeys,
    smtpUrl: smtpUrl(env, readFile),
    metricsToken: metricsToken(env, readFile),
    proxies: proxiesOf(env),
  };
}

function refuse(name: string, takes: string, value: string | undefined): SetupError {
  return new SetupError(`${name} is ${JSON.stringify(value)}; it takes ${takes}.`);
}

function wholeNumber(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (!text) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= min && value <= max) return value;
  throw refuse(name, `a whole number from ${min} to ${max}`, text);
}

function yesOrNo(env: Environment, name: string): boolean | null {
  const text = env[name];
  if (!text) return null;
  if (text === 'yes' || text === 'no') return text === 'yes';
  throw refuse(name, 'yes or no', text);
}

function baseUrl(env: Environment): string | null {
  const text = env.BASE_URL;
  if (!text) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password) {
    return (url.origin + url.pathname).replace(/\/+$/, '');
  }
  throw refuse('BASE_URL', 'the http or https address visitors use, such as https://forms.example.com', text);
}

function trustedProxies(env: Environment): string[] {
  return list(
    env,
    'TRUSTED_PROXIES',
    isNetwork,
    'addresses or networks with commas between, such as 127.0.0.1,10.0.0.0/8',
  );
}

function allowedPrivateHosts(env: Environment): string[] {
  // What ends in a number is an address, and was mistyped.
  const isName = (item: string) => /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/i.test(item) && !/(^|\.)\d+$/.test(item);
  const takes = 'host names, addresses or networks with commas between, such as cap,10.0.0.7,fd00::/8, without ports';
  return list(env, 'ALLOWED_PRIVATE_HOSTS', (item) => isNetwork(item) || isName(item), takes);
}

function list(env: Environment, name: string, isFine: (item: string) => boolean, takes: string): string[] {
  const items = (env[name] ?? '').split(',').map((item) => item.trim());
  const wrong = items.find((item) => item && !isFine(item));
  if (wrong) throw refuse(name, takes, wrong);
  return items.filter(Boolean);
}

function mailFrom(env: Environment): string | null {
  const text = env.MAIL_FROM?.trim();
  if (text) {
    const [, name = '', bracketed = text] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
    const address = parseAddress(bracketed.trim());
    if (address === null) {
      throw refuse('MAIL_FROM', 'an address such as forms@example.com or Forms <forms@example.com>', text);
    }
    // In quotes, or a comma in the name would make two senders of one.
    const quoted = name.replace(/["\\]/g, '').trim();
    return quoted ? `"${quoted}" <${address}>` : address;
  }
  if (env.SMTP_URL || env.SMTP_URL_FILE) {
    throw new SetupError('SMTP_URL is set and MAIL_FROM is not; set it to the address that mails come from.');
  }
  return null;
}

function smtpUrl(env: Environment, readFile: (path: string) => string): string | null {
  const text = secret(env, 'SMTP_URL', readFile);
  if (text === null || isSmtpUrl(text)) return text;
  throw new SetupError(
    `${env.SMTP_URL ? 'SMTP_URL' : 'SMTP_URL_FILE'} holds something else (not shown); it takes smtp://user:password@host:587 or smtps://user:password@host:465, with every special character of the password percent-encoded, such as %40 for @.`,
  );
}

function metricsToken(env: Environment, readFile: (path: string) => string): string | null {
  const text = secret(env, 'METRICS_TOKEN', readFile);
  if (text === null || /^[\x21-\x7e]{16,256}$/.test(text)) return text;
  throw new SetupError(
    `${env.METRICS_TOKEN ? 'METRICS_TOKEN' : 'METRICS_TOKEN_FILE'} holds a text of ${text.length} characters (not shown); it takes 16 to 256 printable ASCII characters without spaces, such as \`openssl rand -hex 32\` makes.`,
  );
}

/** One with a path or an `@` in its query is one whose password was not encoded: what counts as its host is part of that. */
function isSmtpUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) return false;
  const isPlain = /^\/?$/.test(url.pathname) && !url.hash && !url.search.includes('@') && !/[\s\p{Cc}]/u.test(text);
  return isPlain && [url.username, url.password].every(isDecodable);
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

const PlansFromEnvironment = Type.Record(
  Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}$' }),
  Type.Object(
    { api_access: Type.Boolean(), submissions_limit: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]) },
    { additionalProperties: false },
  ),
  { additionalProperties: false },
);

function plans(env: Environment): Plans {
  const text = env.PLANS;
  if (!text) return BUILT_IN_PLANS;
  const takes = 'JSON such as {"tiny":{"api_access":true,"submissions_limit":5}}, with null for no limit';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw refuse('PLANS', takes, text);
  }
  if (!Value.Check(PlansFromEnvironment, value)) throw refuse('PLANS', takes, text);
  return { ...BUILT_IN_PLANS, ...value };
}

function logLevel(env: Environment): LogLevel {
  const text = env.LOG_LEVEL;
  if (!text) return 'info';
  const level = LOG_LEVELS.find((name) => name === text);
  if (!level) throw refuse('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, text);
  return level;
}

function secret(env: Environment, name: string, readFile: (path: string) => string): string | null {
  const direct = env[name];
  const path = env[`${name}_FILE`];
  if (direct && path) throw new SetupError(`${name} and ${name}_FILE are both set; it takes one of them.`);
  if (!path) return direct || null;
  try {
    return readFile(path).trim();
  } catch {
    throw refuse(`${name}_FILE`, 'the path of a file that can be read', path);
  }
}
