import { SettingsError, SetupError } from '../domain/errors.ts';
import type { S3Credentials, S3Location } from '../domain/instance/s3-location.ts';
import { type MailAccount, toMailAccount } from '../domain/mail/mail-server.ts';
import { isInside } from '../lib/is-inside.ts';
import { type Proxies, readProxies } from '../lib/proxies.ts';
import type { Parse } from './parsers.ts';
import { SETTING_LIST, SETTINGS, type Setting } from './settings.ts';

type Table = typeof SETTINGS;

/** The type that a setting is parsed to, or null if it may be unset. */
type Value<S> = S extends Readonly<{ parse: Parse<infer T>; unset: infer Unset }> ? T | Extract<Unset, null> : never;

type SecretName = { [Key in keyof Table]: Table[Key] extends { secret: true } ? Key : never }[keyof Table];

/** All settings except the secrets; frozen. */
export type Config = { readonly [Key in Exclude<keyof Table, SecretName>]: Value<Table[Key]> };

/**
 * Secrets, separate from `Config` so that a configuration can be shown or logged. Those of the bucket are null without
 * `S3_URL`; URLs of proxies may contain credentials.
 */
export type Secrets = { readonly [Key in SecretName]: Value<Table[Key]> } & Readonly<{ proxies: Proxies }>;

type Environment = Readonly<Record<string, string | undefined>>;
type ReadFile = (path: string) => string;

/** Reads all settings except the secrets. An empty variable counts as unset. Throws `SettingsError`. */
export const loadConfig = (env: Environment): Config => withFaults((attempt) => readConfig(env, attempt));

/**
 * Reads the secrets, each from its variable or from the file in `NAME_FILE`. Throws `SettingsError`, which never
 * contains a secret.
 */
export function loadSecrets(env: Environment, readFile: ReadFile): Secrets {
  return withFaults((attempt) => readSecrets(env, readFile, attempt));
}

/** Reads settings and secrets. Throws `SettingsError` with all faults at once. */
export function loadSettings(env: Environment, readFile: ReadFile): Readonly<{ config: Config; secrets: Secrets }> {
  return withFaults((attempt) => ({ config: readConfig(env, attempt), secrets: readSecrets(env, readFile, attempt) }));
}

/** Reads the settings of a server, which also needs consistent settings of scheduled backups. */
export function loadServerSettings(env: Environment, readFile: ReadFile) {
  return withFaults((attempt) => {
    const config = readConfig(env, attempt);
    const secrets = readSecrets(env, readFile, attempt);
    attempt(() => requireBackupSettings(config, secrets));
    return { config, secrets };
  });
}

/** Returns the texts of secret settings by variable, empty for unset ones. The settings must be valid. */
export function secretTexts(env: Environment, readFile: ReadFile): ReadonlyMap<string, string> {
  const textOf = (name: string, path = env[`${name}_FILE`]) => (path ? readFile(path) : (env[name] ?? ''));
  return new Map(SETTING_LIST.flatMap(({ name, secret }) => (secret ? [[name, textOf(name)]] : [])));
}

/** Runs a parser. Records the message of a `SetupError` and returns undefined instead. */
type Attempt = <T>(parse: () => T) => T | undefined;

/** Runs `read`, and throws `SettingsError` with all faults that its attempts recorded. */
function withFaults<T>(read: (attempt: Attempt) => T): T {
  const faults: string[] = [];
  const result = read((parse) => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof SetupError)) throw error;
      faults.push(error.message);
      return undefined;
    }
  });
  if (faults.length > 0) throw new SettingsError(faults);
  return result;
}

function readConfig(env: Environment, attempt: Attempt): Config {
  const config: Record<string, unknown> = {};
  for (const [key, setting] of Object.entries<Setting<unknown>>(SETTINGS)) {
    if (!setting.secret) config[key] = attempt(() => parseValue(setting, setting.name, env[setting.name] || null));
  }
  // The mapped type of SETTINGS has every key of Config with its type.
  const loaded = config as Config;
  attempt(() => {
    if (loaded.mailFrom === null && (env.SMTP_URL || env.SMTP_URL_FILE)) {
      throw new SetupError('SMTP_URL is set but MAIL_FROM is not. Set MAIL_FROM to the sender address of all mails.');
    }
  });
  attempt(() => requireSignInSettings(loaded));
  return Object.freeze(loaded);
}

/** Throws `SetupError` if settings of the sign-in lack others. The values of refused settings are undefined. */
function requireSignInSettings({ oidcIssuer, oidcClientId, oidcOnly, authHeader, trustedProxies }: Config): void {
  if (oidcIssuer && oidcClientId === null) {
    throw new SetupError('OIDC_ISSUER is set but OIDC_CLIENT_ID is not. Set OIDC_CLIENT_ID to the id of the client.');
  }
  if (oidcOnly && oidcIssuer === null) {
    throw new SetupError('OIDC_ONLY is yes but OIDC_ISSUER is not set. Set OIDC_ISSUER, or remove OIDC_ONLY.');
  }
  if (authHeader && trustedProxies?.length === 0) {
    throw new SetupError(
      'AUTH_HEADER is set but TRUSTED_PROXIES is not, so anyone could sign in as anyone. Set TRUSTED_PROXIES to the address of the proxy.',
    );
  }
}

function readSecrets(env: Environment, readFile: ReadFile, attempt: Attempt): Secrets {
  // A failed attempt makes `withFaults` throw, so its undefined is never returned.
  const secret = <T>(setting: Setting<T>) => attempt(() => getSecret(setting, env, readFile)) as T;
  const databaseUrl = secret(SETTINGS.databaseUrl);
  const encryptionKeys = secret(SETTINGS.encryptionKeys);
  attempt(() => {
    if (databaseUrl !== null && encryptionKeys === null) {
      throw new SetupError(
        'DATABASE_URL is set but ENCRYPTION_KEY is not. Set ENCRYPTION_KEY to the same key for all servers of the database.',
      );
    }
  });
  // Without S3_URL, these variables are for other programs.
  const s3Secret = (setting: Setting<string | null>) => (env.S3_URL ? secret(setting) : null);
  const s3AccessKeyId = s3Secret(SETTINGS.s3AccessKeyId);
  const s3SecretAccessKey = s3Secret(SETTINGS.s3SecretAccessKey);
  attempt(() => {
    const missing = [
      s3AccessKeyId === null && SETTINGS.s3AccessKeyId.name,
      s3SecretAccessKey === null && SETTINGS.s3SecretAccessKey.name,
    ].filter((name) => name !== false);
    if (!env.S3_URL || missing.length === 0) return;
    const [first] = missing;
    throw new SetupError(
      `S3_URL is set but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not. Set ${missing.length > 1 ? 'them' : 'it'} or ${first}_FILE to the credentials of the bucket.`,
    );
  });
  return {
    databaseUrl,
    encryptionKeys,
    s3AccessKeyId,
    s3SecretAccessKey,
    s3SessionToken: s3Secret(SETTINGS.s3SessionToken),
    smtpUrl: secret(SETTINGS.smtpUrl),
    metricsToken: secret(SETTINGS.metricsToken),
    oidcClientSecret: secret(SETTINGS.oidcClientSecret),
    proxies: readProxies(env),
  };
}

/** Throws `SetupError` unless scheduled backups are off or their folder and the handling of the key are right. */
function requireBackupSettings({ backupDir, backupWithKey, dataDir }: Config, { encryptionKeys }: Secrets): void {
  if (!backupDir) return;
  if (dataDir && isInside(dataDir, backupDir)) {
    throw new SetupError(
      `BACKUP_DIR (${backupDir}) is inside DATA_DIR (${dataDir}). Set BACKUP_DIR to a folder outside of it, best on another disk.`,
    );
  }
  if (encryptionKeys === null && backupWithKey === null) {
    throw new SetupError(
      'BACKUP_DIR is set and the key is in the data directory. Set BACKUP_WITH_KEY to yes to include the key in each ' +
        'backup, which anyone who has one can then read, or to no and keep a copy of the key elsewhere.',
    );
  }
  if (encryptionKeys && backupWithKey) {
    throw new SetupError('BACKUP_WITH_KEY is yes but ENCRYPTION_KEY is set. Remove BACKUP_WITH_KEY.');
  }
}

/** Returns the bucket of the files with its credentials, or null if files are in the data directory. */
export function s3Account(
  { s3: location }: Config,
  { s3AccessKeyId, s3SecretAccessKey, s3SessionToken: sessionToken }: Secrets,
): Readonly<{ location: S3Location; credentials: S3Credentials }> | null {
  if (location === null || s3AccessKeyId === null || s3SecretAccessKey === null) return null;
  return { location, credentials: { accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey, sessionToken } };
}

/** Returns the mail server of `SMTP_URL`; null without it. */
export function mailAccount({ mailFrom: from }: Config, { smtpUrl: url }: Secrets): MailAccount | null {
  return url === null || from === null ? null : toMailAccount(url, from);
}

function getSecret<T>(setting: Setting<T>, env: Environment, readFile: (path: string) => string): T {
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
