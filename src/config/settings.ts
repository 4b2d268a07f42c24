import { MAX_RETENTION_DAYS } from '../domain/forms/setting-parsers.ts';
import { BUILT_IN_PLANS } from '../domain/teams/plan.ts';
import { LOG_LEVELS } from '../lib/log.ts';
import { snakeCase } from '../lib/snake-case.ts';
import * as parsers from './parsers.ts';

/** One environment variable. */
export type Setting<T> = Readonly<{
  name: string;
  /** Heading of the manual's table. */
  section: string;
  /** Default value as the manual shows it, in Markdown. */
  default: string;
  /** One sentence, in Markdown. */
  description: string;
  /** Accepted values, in Markdown; completes "NAME must be …". */
  takes: string;
  /** Set for a secret: its value is never shown, and `NAME_FILE` may name a file that contains it. */
  secret?: true;
  /** Value of an unset variable. */
  unset: T;
  parse: parsers.Parse<T>;
}>;

const KiB = 1024;
const MiB = 1024 * KiB;
const PRINTABLE = { takes: 'printable ASCII characters without spaces', parse: parsers.printable };
const TEAM_ROLE = { takes: 'the id of a team and a role, such as `team_…:viewer`', parse: parsers.teamRole };

/** All settings by their key in `Config` or `Secrets`: read by both loaders, and the source of the manual's table. */
export const SETTINGS = Object.freeze({
  ...inSection('Server', {
    host: {
      default: '`127.0.0.1`',
      description: 'Address to listen on; `0.0.0.0` means all IPv4 addresses.',
      takes: 'an IP address or a host name',
      unset: '127.0.0.1',
      parse: parsers.plainText,
    },
    port: { description: 'Port to listen on; `0` picks a free one.', ...wholeNumber(0, 65_535, 3_000) },
    baseUrl: {
      default: 'the listening address',
      description: 'Public address; without it mails have no links to the dashboard, with `https:` browsers get HSTS.',
      takes: 'the http or https URL that visitors use, without a path, such as `https://forms.example.com`',
      parse: parsers.baseUrl,
    },
    hstsSubdomains: {
      description: 'Extend HSTS to all subdomains of the host in an `https:` `BASE_URL`.',
      ...yesOrNo(true),
    },
    trustedProxies: {
      description: 'Reverse proxies whose `X-Forwarded-For` header is trusted.',
      takes: 'addresses or networks separated by commas, such as `127.0.0.1,10.0.0.0/8`',
      unset: [],
      parse: parsers.networkList,
    },
    shutdownDelaySeconds: {
      description:
        'Time to go on serving after the signal to stop while `/readyz` answers 503, so that [a load balancer](deployment.md#stopping) picks another server.',
      ...wholeNumber(0, 300, 0),
    },
    mcp: { description: 'Serve the [MCP server for agents](agents.md) at `/mcp`.', ...oneOf(['on', 'off'], 'off') },
  }),
  ...inSection('Data', {
    dataDir: {
      default: '`./data`',
      description: 'Directory of the database, the files and the key, on a local disk; one server per directory.',
      takes: 'the path of a directory',
      unset: './data',
      parse: parsers.plainText,
    },
    databaseUrl: {
      default: 'none: SQLite in `DATA_DIR`',
      description: 'PostgreSQL database for all rows, version 15 or later; requires `ENCRYPTION_KEY`.',
      takes:
        '`postgres://user:password@host:5432/database`, password percent-encoded (`%40` for `@`); on another machine with `?sslmode=verify-full`',
      secret: true,
      parse: parsers.postgresUrl,
    },
    s3: {
      name: 'S3_URL',
      default: 'none: files are in `DATA_DIR`',
      description: 'Bucket for [files](postgresql-and-s3.md), on any S3-compatible store.',
      takes: '`s3://bucket/prefix?region=…`, with `&endpoint=https://…` for other stores than AWS',
      parse: parsers.s3Url,
    },
    s3AccessKeyId: {
      name: 'AWS_ACCESS_KEY_ID',
      description: 'Access key of the bucket; required with `S3_URL`.',
      takes: 'letters, digits, `.`, `_` and `-`',
      secret: true,
      parse: parsers.s3AccessKeyId,
    },
    s3SecretAccessKey: {
      name: 'AWS_SECRET_ACCESS_KEY',
      description: 'Secret of the access key; required with `S3_URL`.',
      secret: true,
      ...PRINTABLE,
    },
    s3SessionToken: {
      name: 'AWS_SESSION_TOKEN',
      description: 'Session token of temporary credentials. They are read at the start and not renewed.',
      secret: true,
      ...PRINTABLE,
    },
    encryptionKeys: {
      name: 'ENCRYPTION_KEY',
      default: '`DATA_DIR/encryption.key`, created at the first start',
      description: 'Key that all submissions and files are encrypted with; required with `DATABASE_URL`.',
      takes: 'a 32-byte key in hex or base64, optionally followed by a comma and the previous key',
      secret: true,
      parse: parsers.encryptionKeys,
    },
    minFreeBytes: {
      description: 'Free disk space below which posts are refused; `0` means no floor.',
      ...wholeNumber(0, 1024 ** 3 * MiB, 64 * MiB, '64 MiB'),
    },
    retentionDays: {
      description: 'Age in days at which submissions are deleted; a form can override it.',
      ...wholeNumber(1, MAX_RETENTION_DAYS, null),
      default: 'none: kept forever',
    },
  }),
  ...inSection('Mail', {
    smtpUrl: {
      default: 'none: that of the dashboard, if any',
      description:
        'Mail server; `smtp:` uses STARTTLS where the server offers it, `smtps:` uses TLS from the start. Credentials are sent over TLS only, except to this machine.',
      takes:
        '`smtp://user:password@host:587` or `smtps://user:password@host:465`, password percent-encoded (`%40` for `@`)',
      secret: true,
      parse: parsers.smtpUrl,
    },
    mailFrom: {
      description: 'Sender of all mails; required with `SMTP_URL`.',
      takes: 'an address such as `forms@example.com` or `Forms <forms@example.com>`',
      parse: parsers.sender,
    },
    mailAttachLimit: {
      description: 'Total size of the files attached to one mail; larger sets are only named.',
      ...wholeNumber(0, 1024 * MiB, 10 * MiB, '10 MiB'),
    },
  }),
  ...inSection('Submissions', {
    maxBodyBytes: {
      description: 'Largest post without files, and the most text beside files.',
      ...wholeNumber(KiB, 64 * MiB, MiB, '1 MiB'),
    },
    maxUploadBytes: { description: 'Largest post with files.', ...wholeNumber(KiB, 1024 * MiB, 25 * MiB, '25 MiB') },
    bodyMemoryBytes: {
      description:
        'Memory for request bodies that are being received, a quarter of it for one client (half for an IPv6 /48); further ones get 503.',
      ...wholeNumber(MiB, 1024 ** 2 * MiB, 64 * MiB, '64 MiB'),
    },
    maxFiles: { description: 'Most files in one post.', ...wholeNumber(0, 1_000, 10) },
    maxFileBytes: { description: 'Largest single file.', ...wholeNumber(KiB, 1024 * MiB, 10 * MiB, '10 MiB') },
    bodySeconds: {
      description: 'Time for a post to arrive; each 32 KiB adds one second.',
      ...wholeNumber(1, 3_600, 30),
    },
    allowedPrivateHosts: {
      description: 'Private hosts that challenges and webhooks may use, on any port, webhooks also over plain http.',
      takes: 'host names, addresses or networks separated by commas, such as `cap,10.0.0.7,fd00::/8`, without ports',
      unset: [],
      parse: parsers.hostList,
    },
    outboundHosts: {
      default: 'none: all public hosts',
      description:
        'Hosts that challenges and webhooks may use, beside `ALLOWED_PRIVATE_HOSTS`; all others are refused.',
      takes:
        'host names, addresses or networks separated by commas, such as `hooks.slack.com,discord.com`, without ports',
      unset: [],
      parse: parsers.hostList,
    },
  }),
  ...inSection('Rate limits', {
    postsPerMinute: {
      description:
        'Posts per client address (an IPv6 /64 counts as one; a /48 has eight times the limit) in any 60 seconds, and as many requests for hosted pages; `0` means no limit.',
      ...wholeNumber(0, 1_000_000, 600),
    },
    uploadBytesPerMinute: {
      description:
        'Bytes of posts, files included, per client address and minute, counted like `POSTS_PER_MINUTE`; `0` means no limit.',
      ...wholeNumber(0, 1024 ** 3 * MiB, 200_000_000, '200 MB'),
    },
    uploadBytesPerHour: {
      description: 'The same per hour; `0` means no limit.',
      ...wholeNumber(0, 1024 ** 3 * MiB, 1024 * MiB, '1 GiB'),
    },
    readsPerMinute: {
      description: 'Reads per API key in any 60 seconds; `0` means no limit.',
      ...wholeNumber(0, 1_000_000, 120),
    },
    writesPerMinute: {
      description: 'Writes per API key in any 60 seconds; `0` means no limit.',
      ...wholeNumber(0, 1_000_000, 30),
    },
    pagesPerMinute: {
      description:
        'Dashboard requests per session in any 60 seconds, a twentieth of which may be exports; without a session, posts of ' +
        'a client up to a tenth; `0` means no limit.',
      ...wholeNumber(0, 1_000_000, 600),
    },
  }),
  ...inSection('Backups', {
    backupDir: {
      default: 'none: no scheduled backups',
      description:
        'Folder of the scheduled backups of this instance, outside of `DATA_DIR`; no other instance may use it.',
      takes: 'the path of a folder',
      parse: parsers.plainText,
    },
    backupHours: { description: 'Hours between scheduled backups.', ...wholeNumber(1, 8_760, 24) },
    backupKeep: { description: 'Number of scheduled backups to keep.', ...wholeNumber(1, 10_000, 7) },
    backupWithKey: {
      description:
        'Include `encryption.key` in scheduled backups; required with `BACKUP_DIR` unless `ENCRYPTION_KEY` is set.',
      ...yesOrNo(null),
    },
  }),
  ...inSection('Teams', {
    plans: {
      default: '`free`, `pro`, `business`, `unlimited`',
      description: 'Plans added to the built-in ones, or replacing them; commands need the same value as the server.',
      takes:
        'JSON such as `{"tiny":{"api_access":true,"submissions_limit":5,"storage_bytes":1000000}}`, with `null` for no limit',
      unset: BUILT_IN_PLANS,
      parse: parsers.plans,
    },
    requireSecondFactor: { description: 'Require a second factor of every user of every team.', ...yesOrNo(false) },
  }),
  ...inSection('Sign-in', {
    oidcIssuer: {
      default: 'none: no sign-in by a provider',
      description: 'OpenID Connect provider that [signs users in](dashboard-and-teams.md#sign-in-with-oidc).',
      takes:
        'the https URL of the issuer without `/.well-known/…`, such as `https://login.example.com`; http only to `localhost` or `127.0.0.1`',
      parse: parsers.issuer,
    },
    oidcClientId: { description: 'Client id at the provider; required with `OIDC_ISSUER`.', ...PRINTABLE },
    oidcClientSecret: {
      default: 'none: a public client, with PKCE alone',
      description: 'Secret of the client.',
      secret: true,
      ...PRINTABLE,
    },
    oidcName: {
      default: 'the host of `OIDC_ISSUER`',
      description: 'Name of the provider on the button “Sign in with …”.',
      takes: 'a text',
      parse: parsers.plainText,
    },
    oidcScopes: {
      default: '`openid email profile`',
      description: 'Scopes to request.',
      takes: 'words separated by spaces, with `openid`',
      unset: 'openid email profile',
      parse: parsers.scopes,
    },
    oidcAllowedDomains: {
      default: 'none: all domains',
      description: 'Domains of the verified addresses that may sign in by the provider; subdomains are others.',
      takes: 'domains separated by commas, such as `example.com,example.org`',
      unset: [],
      parse: parsers.domainList,
    },
    oidcJoin: {
      default: 'none: only invited people and linked accounts',
      description: 'Team and role of everyone else whose address the provider has verified.',
      ...TEAM_ROLE,
    },
    oidcOnly: {
      description: 'Refuse passwords; `formstead user reset` still prints links that sign in.',
      ...yesOrNo(false),
    },
    authHeader: {
      default: 'none: no sign-in by a proxy',
      description:
        'Header with the email address of the user, from `TRUSTED_PROXIES`, which it requires; see [Sign in by a proxy header](dashboard-and-teams.md#sign-in-by-a-proxy-header).',
      takes: 'the name of a header, such as `Remote-Email`',
      parse: parsers.headerName,
    },
    authHeaderJoin: {
      default: 'none: only invited people and accounts',
      description: 'Team and role of everyone else whom the proxy lets in.',
      ...TEAM_ROLE,
    },
    authSignOutUrl: {
      description: 'Page of the proxy that ends its session, opened by “Sign out”.',
      takes: 'an http or https URL such as `https://login.example.com/logout`',
      parse: parsers.pageUrl,
    },
  }),
  ...inSection('Monitoring', {
    logLevel: { description: 'Lowest level that is logged.', ...oneOf(LOG_LEVELS, 'info') },
    logAddresses: {
      description:
        'Client addresses in the log; `full` adds those of clients refused for their key, password or rate, for fail2ban.',
      ...oneOf(['short', 'full'], 'short'),
    },
    metricsToken: {
      default: 'none: `/metrics` answers this machine only, and nobody with `BASE_URL`',
      description: 'Bearer token of `/metrics`.',
      takes: '16 to 256 printable ASCII characters without spaces, such as the output of `openssl rand -hex 32`',
      secret: true,
      parse: parsers.metricsToken,
    },
  }),
});

/** All settings in the order of the manual. */
export const SETTING_LIST: ReadonlyArray<Setting<unknown>> = Object.values(SETTINGS);

/** Headings of the manual's tables, in their order. */
export const SECTIONS = [...new Set(SETTING_LIST.map(({ section }) => section))];

type Row = Omit<Setting<unknown>, 'name' | 'section' | 'default' | 'unset'> &
  Partial<Pick<Setting<unknown>, 'name' | 'default' | 'unset'>>;

/**
 * Returns settings with their section. Those that say nothing else are named like their key, such as BASE_URL for
 * `baseUrl`, have no default, and are null if unset.
 */
function inSection<Rows extends Readonly<Record<string, Row>>>(section: string, rows: Rows) {
  const entries = Object.entries(rows).map(([key, row]) => {
    return [key, { name: snakeCase(key).toUpperCase(), section, default: 'none', unset: null, ...row }];
  });
  return Object.fromEntries(entries) as {
    readonly [Key in keyof Rows]: Rows[Key] &
      Readonly<{ name: string; section: string; default: string }> &
      (Rows[Key] extends { unset: unknown } ? unknown : Readonly<{ unset: null }>);
  };
}

/** Fields that settings with a whole number share. `size` is the default in words. */
function wholeNumber<T extends number | null>(min: number, max: number, unset: T, size = '') {
  const takes = `a whole number from ${min} to ${max}`;
  const shown = `\`${unset}\`${size && ` (${size})`}`;
  return { default: shown, takes, unset, parse: parsers.wholeNumber(min, max) };
}

/** Fields of settings that are on or off. */
function yesOrNo<T extends boolean | null>(unset: T) {
  const shown = unset === null ? 'none' : unset ? '`yes`' : '`no`';
  return { default: shown, takes: '`yes` or `no`', unset, parse: parsers.yesOrNo };
}

/** Fields of settings with one of several values. */
function oneOf<const T extends string>(values: readonly T[], unset: T) {
  const [first, second, ...more] = values.map((value) => `\`${value}\``);
  const takes = more.length > 0 ? `one of ${[first, second, ...more].join(', ')}` : `${first} or ${second}`;
  return { default: `\`${unset}\``, takes, unset, parse: parsers.oneOf(values) };
}
