import { describe, expect, test } from 'bun:test';
import { type Config, loadConfig, loadSecrets } from '../../src/config/config.ts';
import { SetupError } from '../../src/domain/errors.ts';

const KiB = 1024;
const MiB = 1024 * KiB;

describe('without configuration', () => {
  test('every setting has its documented default', () => {
    expect(loadConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      s3: null,
      baseUrl: null,
      hstsSubdomains: true,
      trustedProxies: [],
      shutdownDelaySeconds: 0,
      mcp: 'off',
      allowedPrivateHosts: [],
      outboundHosts: [],
      plans: {
        free: { api_access: false, submissions_limit: 100 },
        pro: { api_access: true, submissions_limit: 5_000 },
        business: { api_access: true, submissions_limit: 50_000 },
        unlimited: { api_access: true, submissions_limit: null },
      },
      logLevel: 'info',
      logAddresses: 'short',
      maxBodyBytes: MiB,
      maxUploadBytes: 25 * MiB,
      bodyMemoryBytes: 64 * MiB,
      maxFiles: 10,
      maxFileBytes: 10 * MiB,
      bodySeconds: 30,
      mailFrom: null,
      mailAttachLimit: 10 * MiB,
      uploadBytesPerMinute: 200_000_000,
      uploadBytesPerHour: 1024 ** 3,
      postsPerMinute: 600,
      readsPerMinute: 120,
      writesPerMinute: 30,
      pagesPerMinute: 600,
      requireSecondFactor: false,
      oidcIssuer: null,
      oidcClientId: null,
      oidcName: null,
      oidcScopes: 'openid email profile',
      oidcAllowedDomains: [],
      oidcJoin: null,
      oidcOnly: false,
      authHeader: null,
      authHeaderJoin: null,
      authSignOutUrl: null,
      backupDir: null,
      backupHours: 24,
      backupKeep: 7,
      backupWithKey: null,
      minFreeBytes: 64 * MiB,
      retentionDays: null,
    });
    expect(loadSecrets({}, readNothing)).toEqual({
      databaseUrl: null,
      encryptionKeys: null,
      s3AccessKeyId: null,
      s3SecretAccessKey: null,
      s3SessionToken: null,
      smtpUrl: null,
      metricsToken: null,
      oidcClientSecret: null,
      proxies: { http: null, https: null, noProxy: [] },
    });
  });

  test('an empty variable counts as unset', () => {
    const names = ['HOST', 'PORT', 'DATA_DIR', 'BASE_URL', 'TRUSTED_PROXIES', 'PLANS', 'LOG_LEVEL', 'MAX_BODY_BYTES'];
    expect(loadConfig(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(loadConfig({}));
    expect(loadSecrets({ ENCRYPTION_KEY: '', ENCRYPTION_KEY_FILE: '' }, readNothing).encryptionKeys).toBeNull();
  });
});

describe('a valid value is accepted', () => {
  test.each<[Record<string, string>, Partial<Config>]>([
    [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
    [{ PORT: '8080' }, { port: 8080 }],
    [{ PORT: '0' }, { port: 0 }],
    [{ PORT: '65535' }, { port: 65_535 }],
    [{ DATA_DIR: '/var/lib/formstead' }, { dataDir: '/var/lib/formstead' }],
    [{ BASE_URL: 'https://forms.example.com' }, { baseUrl: 'https://forms.example.com' }],
    [{ BASE_URL: 'https://forms.example.com//' }, { baseUrl: 'https://forms.example.com' }],
    [{ BASE_URL: 'http://example.com:8080/' }, { baseUrl: 'http://example.com:8080' }],
    [{ BASE_URL: 'https://forms.example.com/?' }, { baseUrl: 'https://forms.example.com' }],
    [{ BASE_URL: 'https://forms.example.com#' }, { baseUrl: 'https://forms.example.com' }],
    [{ TRUSTED_PROXIES: '127.0.0.1' }, { trustedProxies: ['127.0.0.1'] }],
    [{ TRUSTED_PROXIES: ' 10.0.0.0/8 , ::1,fd00::/8, ' }, { trustedProxies: ['10.0.0.0/8', '::1', 'fd00::/8'] }],
    [{ ALLOWED_PRIVATE_HOSTS: 'cap, Cap.lan' }, { allowedPrivateHosts: ['cap', 'Cap.lan'] }],
    [{ OUTBOUND_HOSTS: 'hooks.slack.com, 203.0.113.7' }, { outboundHosts: ['hooks.slack.com', '203.0.113.7'] }],
    [{ ALLOWED_PRIVATE_HOSTS: '10.0.0.7,fd00::/8' }, { allowedPrivateHosts: ['10.0.0.7', 'fd00::/8'] }],
    [{ MIN_FREE_BYTES: '0' }, { minFreeBytes: 0 }],
    [{ MIN_FREE_BYTES: '1073741824' }, { minFreeBytes: 1024 * MiB }],
    [{ RETENTION_DAYS: '1' }, { retentionDays: 1 }],
    [{ RETENTION_DAYS: '36500' }, { retentionDays: 36_500 }],
    [{ RETENTION_DAYS: '' }, { retentionDays: null }],
    [{ BACKUP_DIR: '/mnt/backups' }, { backupDir: '/mnt/backups' }],
    [
      { BACKUP_HOURS: '1', BACKUP_KEEP: '48' },
      { backupHours: 1, backupKeep: 48 },
    ],
    [{ BACKUP_WITH_KEY: 'yes' }, { backupWithKey: true }],
    [{ BACKUP_WITH_KEY: 'no' }, { backupWithKey: false }],
    [{ REQUIRE_SECOND_FACTOR: 'yes' }, { requireSecondFactor: true }],
    [{ REQUIRE_SECOND_FACTOR: 'no' }, { requireSecondFactor: false }],
    [{ OIDC_NAME: 'Example' }, { oidcName: 'Example' }],
    [{ OIDC_SCOPES: 'openid  groups' }, { oidcScopes: 'openid groups' }],
    [{ OIDC_ALLOWED_DOMAINS: 'Example.com, b.example' }, { oidcAllowedDomains: ['example.com', 'b.example'] }],
    [{ OIDC_JOIN: 'team_1a:viewer' }, { oidcJoin: { teamId: 'team_1a', role: 'viewer' } }],
    [{ AUTH_HEADER_JOIN: 'team_1a:owner' }, { authHeaderJoin: { teamId: 'team_1a', role: 'owner' } }],
    [{ AUTH_SIGN_OUT_URL: 'https://a.example/out?x=y' }, { authSignOutUrl: 'https://a.example/out?x=y' }],
    [
      { AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: '::1' },
      { authHeader: 'Remote-Email', trustedProxies: ['::1'] },
    ],
    ...[
      ['https://login.example.com', 'https://login.example.com/'],
      ['https://a.example/application/o/formstead/', 'https://a.example/application/o/formstead/'],
      ['http://localhost:9000', 'http://localhost:9000/'],
      ['http://127.0.0.1:9000/realms/a', 'http://127.0.0.1:9000/realms/a'],
    ].map(([text = '', oidcIssuer = '']): [Record<string, string>, Partial<Config>] => [
      { OIDC_ISSUER: text, OIDC_CLIENT_ID: 'formstead' },
      { oidcIssuer, oidcClientId: 'formstead' },
    ]),
    [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
    [{ MAX_BODY_BYTES: '2048' }, { maxBodyBytes: 2048 }],
    [{ MAX_UPLOAD_BYTES: '52428800' }, { maxUploadBytes: 50 * MiB }],
    [{ POSTS_PER_MINUTE: '0' }, { postsPerMinute: 0 }],
    [{ READS_PER_MINUTE: '0' }, { readsPerMinute: 0 }],
    [{ WRITES_PER_MINUTE: '1000' }, { writesPerMinute: 1000 }],
    [{ PAGES_PER_MINUTE: '0' }, { pagesPerMinute: 0 }],
  ])('%j', (env, expected) => {
    expect(loadConfig(env)).toEqual({ ...loadConfig({}), ...expected });
  });

  test('PLANS adds to the built-in plans or replaces one', () => {
    const tiny = { api_access: true, submissions_limit: 5 };
    const free = { api_access: true, submissions_limit: null };
    const builtIn = loadConfig({}).plans;
    expect(loadConfig({ PLANS: JSON.stringify({ tiny }) }).plans).toEqual({ ...builtIn, tiny });
    expect(loadConfig({ PLANS: JSON.stringify({ free }) }).plans).toEqual({ ...builtIn, free });
    expect(loadConfig({ PLANS: '{}' }).plans).toEqual(builtIn);
    expect(loadConfig({}).plans).toEqual(builtIn);
  });
});

const notNumbers = ['-1', '1.5', '1e3', '0x10', 'many', ' ', '12 ', '99999999999999999999', 'NaN', 'Infinity', '+5'];
const plan = (inner: unknown) => JSON.stringify({ tiny: inner });

describe('an invalid value is refused with the variable, the accepted values and the actual one', () => {
  const cases: ReadonlyArray<readonly [name: string, takes: RegExp, values: readonly string[]]> = [
    ['PORT', /0 to 65535/, [...notNumbers, '65536', 'http']],
    ['MAX_BODY_BYTES', /1024 to \d+/, [...notNumbers, '0', '1023', '1MiB', String(65 * MiB)]],
    ['MAX_UPLOAD_BYTES', /1024 to \d+/, [...notNumbers, '0', '1023', '25M', String(1025 * MiB)]],
    ['POSTS_PER_MINUTE', /0 to \d+/, [...notNumbers, 'off']],
    ['READS_PER_MINUTE', /0 to \d+/, [...notNumbers, 'unlimited']],
    ['WRITES_PER_MINUTE', /0 to \d+/, [...notNumbers, 'false']],
    ['PAGES_PER_MINUTE', /0 to \d+/, [...notNumbers, 'off']],
    ['BACKUP_HOURS', /1 to 8760/, [...notNumbers, '0', '24h']],
    ['BACKUP_KEEP', /1 to 10000/, [...notNumbers, '0']],
    ['BACKUP_WITH_KEY', /yes or no/, ['true', '1', 'Yes', 'maybe']],
    ['REQUIRE_SECOND_FACTOR', /yes or no/, ['true', '1', 'Yes', 'on']],
    ['MIN_FREE_BYTES', /0 to \d+/, [...notNumbers, '64MiB']],
    ['RETENTION_DAYS', /1 to 36500/, [...notNumbers, '0', '36501', 'none']],
    [
      'ALLOWED_PRIVATE_HOSTS',
      /host names, addresses or networks/,
      ['http://cap', 'cap:3000', '10.0.0.0/33', '10.0.0.', '10.0.0', '[::1]', '*', '-'],
    ],
    ['OUTBOUND_HOSTS', /host names, addresses or networks/, ['https://hooks.slack.com', 'hooks.slack.com:443', '*']],
    [
      'OIDC_ISSUER',
      /the https URL of the issuer/,
      [
        'login.example.com',
        'http://login.example.com',
        'http://localhost.example.com',
        'http://127.0.0.1.example.com',
        'https://a.example/.well-known/openid-configuration',
        'https://a.example/?tenant=b',
        'https://ada:word@a.example',
        'javascript:alert(1)',
      ],
    ],
    ['OIDC_SCOPES', /with openid/, ['email profile', 'openid "email"', 'openid\nemail']],
    ['OIDC_JOIN', /a team and a role/, ['team_1', 'team_1:admin', 'viewer', 'usr_1:viewer', 'team_1:viewer:editor']],
    ['OIDC_ONLY', /yes or no/, ['true', '1']],
    ['AUTH_HEADER', /the name of a header/, ['Remote Email', 'Remote_Email', 'X:Y', 'é']],
    ['AUTH_HEADER_JOIN', /a team and a role/, ['viewer']],
    ['AUTH_SIGN_OUT_URL', /http or https/, ['/logout', 'javascript:alert(1)', 'https://a:b@c.example']],
    ['LOG_LEVEL', /debug, info, warn, error, silent/, ['INFO', 'trace', 'verbose', '1', 'info,debug', 'toString']],
    [
      'BASE_URL',
      /http or https/,
      [
        'forms.example.com',
        '/forms',
        '//example.com',
        'ftp://example.com',
        'javascript:alert(1)',
        'https://',
        'https://example.com/?a=b',
        'https://example.com/#top',
        'https://ada@example.com',
        'https://:word@example.com',
      ],
    ],
    [
      'PLANS',
      /JSON such as/,
      [
        'tiny',
        '[]',
        'null',
        '"pro"',
        '{"tiny":',
        '{"Tiny":{"api_access":true,"submissions_limit":5}}',
        '{"":{"api_access":true,"submissions_limit":5}}',
        '{"__proto__":{"api_access":true,"submissions_limit":5}}',
        plan(null),
        plan({ api_access: true }),
        plan({ submissions_limit: 5 }),
        plan({ api_access: 'yes', submissions_limit: 5 }),
        plan({ api_access: true, submissions_limit: '5' }),
        plan({ api_access: true, submissions_limit: -1 }),
        plan({ api_access: true, submissions_limit: 1.5 }),
        plan({ api_access: true, submissions_limit: 5, price: 9 }),
      ],
    ],
  ];

  for (const [name, takes, values] of cases) {
    test.each(values.map((value) => [name, value]))('%s=%s', (_, value) => {
      const message = refusalOf(() => loadConfig({ [name]: value }));
      expect(message).toStartWith(`${name} must be `);
      expect(message).toEndWith(` (got ${JSON.stringify(value)}).`);
      expect(message).toMatch(takes);
      expect(message).not.toContain('\n');
    });
  }

  test.each([
    ['localhost', 'localhost'],
    ['10.0.0.0/33', '10.0.0.0/33'],
    ['10.0.0.0/', '10.0.0.0/'],
    ['10.0.0.0/8/8', '10.0.0.0/8/8'],
    ['10.0.0.0/-1', '10.0.0.0/-1'],
    ['10.0.0', '10.0.0'],
    ['010.0.0.1', '010.0.0.1'],
    ['::1/129', '::1/129'],
    ['127.0.0.1;10.0.0.1', '127.0.0.1;10.0.0.1'],
    ['127.0.0.1,*', '*'],
    ['127.0.0.1, proxy.internal', 'proxy.internal'],
  ])('TRUSTED_PROXIES=%s', (value, wrong) => {
    const message = refusalOf(() => loadConfig({ TRUSTED_PROXIES: value }));
    expect(message).toMatch(/^TRUSTED_PROXIES must be addresses or networks/);
    expect(message).toEndWith(` (got ${JSON.stringify(wrong)}).`);
  });
});

test.each([
  [{ OIDC_ALLOWED_DOMAINS: 'example.com,@b.example' }, /^OIDC_ALLOWED_DOMAINS must be domains .*\(got "@b.example"\)/],
  [{ OIDC_ISSUER: 'https://a.example' }, /^OIDC_ISSUER is set but OIDC_CLIENT_ID is not/],
  [{ OIDC_ONLY: 'yes' }, /^OIDC_ONLY is yes but OIDC_ISSUER is not set/],
  [{ AUTH_HEADER: 'Remote-Email' }, /^AUTH_HEADER is set but TRUSTED_PROXIES is not/],
  [{ AUTH_HEADER: 'Remote-Email', TRUSTED_PROXIES: ',' }, /^AUTH_HEADER is set but TRUSTED_PROXIES is not/],
])('settings of the sign-in that need others are refused: %j', (env, message) => {
  expect(refusalOf(() => loadConfig(env))).toMatch(message);
});

describe('ENCRYPTION_KEY', () => {
  const bytes = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));
  const keyOf = (text: string) => loadSecrets({ ENCRYPTION_KEY: text }, readNothing).encryptionKeys;

  test('is the same key in hex, in base64 and from a file', () => {
    const hex = bytes.toString('hex');
    expect(keyOf(hex)?.map((key) => key.bytes)).toEqual([bytes]);
    for (const text of [hex.toUpperCase(), bytes.toString('base64'), bytes.toString('base64url')]) {
      expect(keyOf(text)).toEqual(keyOf(hex));
    }
    const files: Record<string, string> = { '/run/secrets/key': `${hex}\n` };
    expect(
      loadSecrets({ ENCRYPTION_KEY_FILE: '/run/secrets/key' }, (path) => files[path] ?? '').encryptionKeys,
    ).toEqual(keyOf(hex));
  });

  test('may be followed by the previous key, after a comma or on the next line of a file', () => {
    const texts = [bytes.toString('hex'), Buffer.from(bytes.toReversed()).toString('hex')];
    const listOf = (separator: string) => {
      const env = { ENCRYPTION_KEY_FILE: '/key' };
      return loadSecrets(env, () => texts.join(separator)).encryptionKeys?.map((key) =>
        Buffer.from(key.bytes).toString('hex'),
      );
    };
    expect([listOf(','), listOf('\n')]).toEqual([texts, texts]);
    expect(keyOf(texts.join(','))?.map(({ id }) => [id])).toEqual(
      texts.map((text) => keyOf(text)?.map(({ id }) => id) ?? []),
    );
  });

  test.each([
    'hunter2',
    `${bytes.toString('hex')},hunter2`,
    bytes.toString('hex').slice(1),
    `${bytes.toString('hex')}0`,
    bytes.subarray(1).toString('base64'),
    `${bytes.toString('hex').slice(1)}g`,
    ' ',
  ])('%s is refused without being printed', (text) => {
    const message = refusalOf(() => keyOf(text));
    expect(message).toStartWith('ENCRYPTION_KEY ');
    expect(message).toBe(
      `ENCRYPTION_KEY must be a 32-byte key in hex or base64, optionally followed by a comma and the previous key (got ${text.length} characters).`,
    );
    if (text.trim()) expect(message).not.toContain(text);
    const fromFile = refusalOf(() => loadSecrets({ ENCRYPTION_KEY_FILE: '/run/key' }, () => text));
    expect(fromFile).toMatch(/^ENCRYPTION_KEY/);
    if (text.trim()) expect(fromFile).not.toContain(text);
  });

  test('is refused if its file is unreadable or both variables are set', () => {
    expect(refusalOf(() => loadSecrets({ ENCRYPTION_KEY_FILE: '/nowhere' }, readNothing))).toBe(
      'ENCRYPTION_KEY_FILE must be the path of a readable file (got "/nowhere").',
    );
    const both = refusalOf(() => loadSecrets({ ENCRYPTION_KEY: 'hunter2', ENCRYPTION_KEY_FILE: '/a' }, readNothing));
    expect(both).toMatch(/ENCRYPTION_KEY and ENCRYPTION_KEY_FILE are both set/);
    expect(both).not.toContain('hunter2');
  });
});

describe('METRICS_TOKEN', () => {
  const TOKEN = 'Ab0-._~+/=!{}"token';

  test('comes from the variable or a file', () => {
    expect(loadSecrets({ METRICS_TOKEN: TOKEN }, readNothing).metricsToken).toBe(TOKEN);
    expect(loadSecrets({ METRICS_TOKEN_FILE: '/run/token' }, () => `${TOKEN}\n`).metricsToken).toBe(TOKEN);
    expect(loadSecrets({ METRICS_TOKEN: '' }, readNothing).metricsToken).toBeNull();
  });

  test.each(['hunter2', 'hunter2 and more words', 'hunter2-hünter2-hunter2', 'hunter2'.repeat(40), ' '])(
    '%j is refused without being printed',
    (text) => {
      const direct = refusalOf(() => loadSecrets({ METRICS_TOKEN: text }, readNothing));
      const fromFile = refusalOf(() => loadSecrets({ METRICS_TOKEN_FILE: '/run/token' }, () => text));
      expect(direct).toStartWith('METRICS_TOKEN must be');
      expect(fromFile).toStartWith('METRICS_TOKEN_FILE must be');
      for (const message of [direct, fromFile]) {
        expect(message).toMatch(/16 to 256 printable ASCII/);
        expect(message).not.toContain('hunter2');
      }
    },
  );

  test('is refused if its file is empty or both variables are set', () => {
    expect(refusalOf(() => loadSecrets({ METRICS_TOKEN_FILE: '/empty' }, () => '\n'))).toStartWith(
      'METRICS_TOKEN_FILE',
    );
    const both = { METRICS_TOKEN: TOKEN, METRICS_TOKEN_FILE: '/a' };
    expect(refusalOf(() => loadSecrets(both, readNothing))).toMatch(
      /METRICS_TOKEN and METRICS_TOKEN_FILE are both set/,
    );
  });
});

describe('the mail server', () => {
  const FROM = 'forms@mail.example';
  const smtpUrl = (SMTP_URL: string) => loadSecrets({ SMTP_URL, MAIL_FROM: FROM }, readNothing).smtpUrl;

  test.each([
    'smtp://mail.example',
    'smtp://mail.example:587',
    'smtps://mail.example:465/',
    'smtp://ada:secret@mail.example:587',
    'smtps://ada%40mail.example:p%40ss%2Fw%3Ard@mail.example',
    'smtp://127.0.0.1:2525',
    'smtp://[::1]:2525',
    'smtp://ada:secret@mail.example/?tls.rejectUnauthorized=false',
  ])('comes from SMTP_URL or a file: %s', (url) => {
    expect(smtpUrl(url)).toBe(url);
    expect(loadSecrets({ SMTP_URL_FILE: '/run/secrets/smtp' }, () => `${url}\n`).smtpUrl).toBe(url);
  });

  test.each([
    'hunter2',
    'mail.example:587',
    'ada:hunter2@mail.example',
    'http://ada:hunter2@mail.example',
    'smtp://',
    'smtp:ada:hunter2@mail.example',
    'smtp://ada:hunter2',
    'smtp://ada:hunter2/x@mail.example',
    'smtp://ada:123/hunter2@mail.example',
    'smtp://ada:123?hunter2@mail.example',
    'smtp://ada:123#hunter2@mail.example',
    'smtp://ada:hunter2%@mail.example',
    'smtp://ada:hunter2%ff@mail.example',
    'smtp://ada:hun ter2@mail.example',
    'smtp://ada:hunter2@mail.example:99999',
  ])('is refused without being printed: %s', (url) => {
    const direct = refusalOf(() => smtpUrl(url));
    const fromFile = refusalOf(() => loadSecrets({ SMTP_URL_FILE: '/run/secrets/smtp' }, () => url));
    expect(direct).toStartWith('SMTP_URL ');
    expect(fromFile).toStartWith('SMTP_URL_FILE ');
    for (const message of [direct, fromFile]) {
      expect(message).toMatch(/smtp:\/\/user:password@host.*percent-encoded/);
      expect(message).not.toMatch(/hunter2|ter2|ada|123/);
      expect(message).not.toContain('\n');
    }
  });

  test('is refused if its file is unreadable or empty or both variables are set', () => {
    expect(refusalOf(() => loadSecrets({ SMTP_URL_FILE: '/nowhere' }, readNothing))).toMatch(
      /^SMTP_URL_FILE must be .*"\/nowhere"/,
    );
    expect(refusalOf(() => loadSecrets({ SMTP_URL_FILE: '/empty' }, () => '\n'))).toStartWith('SMTP_URL_FILE ');
    const both = { SMTP_URL: 'smtp://ada:hunter2@mail.example', SMTP_URL_FILE: '/a' };
    const message = refusalOf(() => loadSecrets(both, readNothing));
    expect(message).toMatch(/SMTP_URL and SMTP_URL_FILE are both set/);
    expect(message).not.toContain('hunter2');
  });

  test.each([
    [FROM, FROM],
    [` ${FROM} `, FROM],
    [`<${FROM}>`, FROM],
    [`Forms <${FROM}>`, `"Forms" <${FROM}>`],
    [`"Forms, Inc." <${FROM}>`, `"Forms, Inc." <${FROM}>`],
    [`Forms, Inc. <${FROM}>`, `"Forms, Inc." <${FROM}>`],
    [`Förms: "all" of them; <${FROM}>`, `"Förms: all of them;" <${FROM}>`],
    ['forms@bücher.example', 'forms@xn--bcher-kva.example'],
  ])('sends from the address in MAIL_FROM, with or without a name: %s', (text, mailFrom) => {
    expect(loadConfig({ MAIL_FROM: text }).mailFrom).toBe(mailFrom);
  });

  test.each([
    'forms',
    'forms@',
    `${FROM}, eve@mail.example`,
    `Forms <${FROM}>, Eve <eve@mail.example>`,
    `Forms\r\nBcc: eve@mail.example <${FROM}>`,
    `Forms\u0000 <${FROM}>`,
    'Forms <forms>',
    `Forms ${FROM}`,
  ])('refuses %j in MAIL_FROM', (text) => {
    const message = refusalOf(() => loadConfig({ MAIL_FROM: text }));
    expect(message).toStartWith('MAIL_FROM must be an address such as');
    expect(message).toEndWith(` (got ${JSON.stringify(text)}).`);
  });

  test.each(['SMTP_URL', 'SMTP_URL_FILE'])('needs MAIL_FROM with %s', (name) => {
    const message = refusalOf(() => loadConfig({ [name]: 'smtp://ada:hunter2@mail.example' }));
    expect(message).toMatch(/MAIL_FROM is not/);
    expect(message).not.toContain('hunter2');
  });

  test.each(['-1', '10MiB', String(1025 * MiB)])('refuses %s in MAIL_ATTACH_LIMIT', (text) => {
    expect(refusalOf(() => loadConfig({ MAIL_ATTACH_LIMIT: text }))).toMatch(/^MAIL_ATTACH_LIMIT must be .*0 to \d+/);
  });

  test.each([
    ['0', 0],
    ['1000', 1000],
  ])('accepts %s in MAIL_ATTACH_LIMIT', (text, mailAttachLimit) => {
    expect(loadConfig({ MAIL_ATTACH_LIMIT: text }).mailAttachLimit).toBe(mailAttachLimit);
  });
});

function readNothing(): string {
  throw new Error('there is no such file');
}

/** Returns the message of the error that `work` throws. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof SetupError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}
