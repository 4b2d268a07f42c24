import { SETTINGS, type Setting } from './config/settings.ts';
import { SetupError } from './domain/errors.ts';
import type { Plans } from './domain/plan.ts';
import type { LogLevel } from './lib/log.ts';
import { type Proxies, readProxies } from './lib/proxies.ts';
import type { MasterKeys } from './vault/key-ring.ts';

/** All settings except the secrets; frozen. */
export type Config = Readonly<{
  host: string;
  port: number;
  dataDir: string;
  /** Has no trailing slash; null means the listening address. */
  baseUrl: string | null;
  /** Addresses and CIDR networks whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[];
  /** Host names, addresses and networks that challenges may be verified at although they are not public. */
  allowedPrivateHosts: readonly string[];
  plans: Plans;
  logLevel: LogLevel;
  /** `full` logs the addresses of refused clients as they are. */
  logAddresses: 'short' | 'full';
  maxBodyBytes: number;
  maxUploadBytes: number;
  maxFiles: number;
  maxFileBytes: number;
  /** Time for a request body to arrive; each 32 KiB adds one second. */
  bodySeconds: number;
  /** Sender of all mails: an address, or a name with an address in angle brackets. */
  mailFrom: string | null;
  /** Total size of the files attached to one mail. */
  mailAttachLimit: number;
  requireSecondFactor: boolean;
  /** Requests in any 60 seconds, here and in the next three; 0 means no limit. */
  postsPerMinute: number;
  readsPerMinute: number;
  writesPerMinute: number;
  /** Dashboard requests of one session; exports get a twentieth of it. */
  pagesPerMinute: number;
  /** Free space below which posts are refused; 0 means no floor. */
  minFreeBytes: number;
  /** Default age at which submissions are deleted; null means never. */
  retentionDays: number | null;
  /** Folder of scheduled backups; null turns them off. */
  backupDir: string | null;
  backupHours: number;
  backupKeep: number;
  /** Null if not set. */
  backupWithKey: boolean | null;
}>;

/** Secrets, separate from `Config` so that a configuration can be shown or logged. */
export type Secrets = Readonly<{
  /** Null means the key file of the data directory. */
  encryptionKeys: MasterKeys | null;
  /** Contains the credentials; null turns mail off. */
  smtpUrl: string | null;
  /** Bearer token of `/metrics`; null allows this machine only. */
  metricsToken: string | null;
  /** Proxy URLs may contain credentials. */
  proxies: Proxies;
}>;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings except the secrets. An empty variable counts as unset. Throws `SetupError` with the name of the
 * first variable that does not fit, the values it takes and its present value.
 */
export function loadConfig(env: Environment): Config {
  const config: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    if (!setting.secret) config[key] = parseValue(setting, setting.name, env[setting.name] || null);
  }
  // The mapped type of SETTINGS has every key of Config with its type.
  const loaded = config as Config;
  if (loaded.mailFrom === null && (env.SMTP_URL || env.SMTP_URL_FILE)) {
    throw new SetupError('SMTP_URL is set but MAIL_FROM is not. Set MAIL_FROM to the sender address of all mails.');
  }
  return Object.freeze(loaded);
}

/**
 * Reads the secrets, each from its variable or from the file in `NAME_FILE`. Throws like `loadConfig`, but never
 * repeats a value.
 */
export function loadSecrets(env: Environment, readFile: (path: string) => string): Secrets {
  return {
    encryptionKeys: secretOf(SETTINGS.encryptionKeys, env, readFile),
    smtpUrl: secretOf(SETTINGS.smtpUrl, env, readFile),
    metricsToken: secretOf(SETTINGS.metricsToken, env, readFile),
    proxies: readProxies(env),
  };
}

function secretOf<T>(setting: Setting<T>, env: Environment, readFile: (path: string) => string): T {
  const fileName = `${setting.name}_FILE`;
  const [text, path] = [env[setting.name], env[fileName]];
  if (text && path) throw new SetupError(`${setting.name} and ${fileName} are both set. Set only one of them.`);
  if (!path) return parseValue(setting, setting.name, text || null);
  let content: string;
  try {
    content = readFile(path).trim();
  } catch {
    throw new SetupError(`${fileName} must be the path of a readable file (got ${JSON.stringify(path)}).`);
  }
  return parseValue(setting, fileName, content);
}

/** Parses `text`; `name` is the variable named in an error. */
function parseValue<T>({ unset, parse, takes, secret }: Setting<T>, name: string, text: string | null): T {
  if (text === null) return unset;
  return parse(text, (got) => {
    const shown = secret ? `${text.length} characters` : JSON.stringify(got);
    return new SetupError(`${name} must be ${takes.replaceAll('`', '')} (got ${shown}).`);
  });
}
