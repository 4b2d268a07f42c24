import { describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearMisses } from '../../src/config/near-misses.ts';
import { SETTING_LIST } from '../../src/config/settings.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { createDir, dataDirs, instances, run } from './command-line.ts';

const fresh = dataDirs();
const instance = instances();

type Row = Readonly<{ name: string; value: unknown; source: string }>;

describe('config', () => {
  test('lists every setting with value and source, without an instance', async () => {
    const dataDir = fresh();
    const env = { TRUSTED_PROXIES: '127.0.0.1, ::1', REQUIRE_SECOND_FACTOR: 'yes', PLANS: '{}' };
    const { code, stdout } = await run(dataDir, ['config', '--json'], env);
    const rows = JSON.parse(stdout) as Row[];
    expect([code, rows.map(({ name }) => name)]).toEqual([0, SETTING_LIST.map(({ name }) => name)]);
    const rowOf = (name: string) => rows.find((row) => row.name === name);
    expect(['DATA_DIR', 'TRUSTED_PROXIES', 'REQUIRE_SECOND_FACTOR', 'PLANS', 'PORT', 'MAIL_FROM'].map(rowOf)).toEqual([
      { name: 'DATA_DIR', value: dataDir, source: 'environment' },
      { name: 'TRUSTED_PROXIES', value: '127.0.0.1,::1', source: 'environment' },
      { name: 'REQUIRE_SECOND_FACTOR', value: 'yes', source: 'environment' },
      { name: 'PLANS', value: '{}', source: 'environment' },
      { name: 'PORT', value: 3000, source: 'default' },
      { name: 'MAIL_FROM', value: null, source: 'default' },
    ]);
    expect((await run(dataDir, ['config'])).stdout).toMatch(/^name +value +source\nHOST +127\.0\.0\.1 +default$/m);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('hides secrets, also inside URLs', async () => {
    const key = join(createDir(fresh()), 'key');
    writeFileSync(key, 'ab'.repeat(32));
    const env = {
      ENCRYPTION_KEY_FILE: key,
      METRICS_TOKEN: 'hunter2-hunter2-hunter2',
      SMTP_URL: 'smtp://ada:hunter2@mail.example:587/?tls.passphrase=hunter2',
      MAIL_FROM: 'forms@mail.example',
      HTTPS_PROXY: 'ada:hunter2@proxy.example:3128',
      NO_PROXY: 'localhost',
    };
    const { stdout, stderr } = await run(fresh(), ['config', '--json'], env);
    expect(stdout + stderr).not.toMatch(/hunter2|ada|abab/);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { name: 'ENCRYPTION_KEY_FILE', value: key, source: 'environment' },
        { name: 'METRICS_TOKEN', value: '(hidden)', source: 'environment' },
        { name: 'SMTP_URL', value: 'smtp://(hidden)@mail.example:587/(hidden)', source: 'environment' },
        { name: 'HTTPS_PROXY', value: 'http://(hidden)@proxy.example:3128', source: 'environment' },
        { name: 'NO_PROXY', value: 'localhost', source: 'environment' },
      ]),
    );
  });
});

describe('several bad values', () => {
  const env = { PORT: 'eighty', LOG_LEVEL: 'loud', SMTP_URL: 'hunter2', METRICS_TOKEN: 'short' };
  const faults = [
    /^PORT must be/,
    /^LOG_LEVEL must be/,
    /^SMTP_URL is set but MAIL_FROM/,
    /^SMTP_URL must/,
    /^METRICS_TOKEN must/,
  ];

  test.each(['serve', 'config', 'team list'])('are reported at once by %s, each on its own line', async (line) => {
    const { code, stderr } = await (line === 'serve' ? formstead : run)(fresh(), line.split(' '), env);
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      78,
      faults.map(({ source }) => expect.stringMatching(new RegExp(`^formstead: ${source.slice(1)}`))),
    ]);
    expect(stderr).not.toContain('hunter2');
  });

  test('are findings of doctor, and one error with --json', async () => {
    const { code, stdout } = await run(fresh(), ['doctor', '--json'], env);
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      faults.map((says) => ({ check: 'start', state: 'broken', message: expect.stringMatching(says) })),
    ]);
    const { stderr } = await run(fresh(), ['team', 'list', '--json'], env);
    expect(JSON.parse(stderr)).toEqual({ error: expect.stringContaining('LOG_LEVEL must'), code: 'invalid_settings' });
  });

  test('include the settings of backups', async () => {
    const backup = { PORT: 'eighty', BACKUP_DIR: '/backups' };
    const { stderr } = await formstead(fresh(), ['serve'], backup);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringContaining('PORT must'),
      expect.stringContaining('Set BACKUP_WITH_KEY'),
    ]);
  });
});

describe('a misspelled variable', () => {
  test.each([
    ['POSTS_PER_MIN', 'POSTS_PER_MINUTE'],
    ['POST_PER_MINUTE', 'POSTS_PER_MINUTE'],
    ['BASEURL', 'BASE_URL'],
    ['base_url', 'BASE_URL'],
    ['BASE_URI', 'BASE_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['TRUSTED_PROXEIS', 'TRUSTED_PROXIES'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['BACKUP_DIRS', 'BACKUP_DIR'],
    ['MAX_FILE', 'MAX_FILES'],
    ['SMTP_URLS', 'SMTP_URL'],
    ['SMTP_URLFILE', 'SMTP_URL_FILE'],
    ['ENCRYPTION_KEYFILE', 'ENCRYPTION_KEY_FILE'],
    ['METRIC_TOKEN', 'METRICS_TOKEN'],
  ])('%s is recognized as %s, unless that is set', (name, meant) => {
    expect(nearMisses({ [name]: 'x' })).toEqual([`${name} is not a setting. Did you mean ${meant}?`]);
    expect(nearMisses({ [name]: 'x', [meant]: 'y' })).toEqual([]);
    expect(nearMisses({ [name]: '' })).toEqual([]);
  });

  test('is also a file for a setting that is no secret', () => {
    expect(nearMisses({ MAIL_FROM_FILE: '/run/secrets/from' })).toEqual([
      'MAIL_FROM_FILE is not a setting. Set MAIL_FROM: only secrets can come from a file.',
    ]);
  });

  test('is none of the variables that shells, containers and other programs set', () => {
    const others =
      'PATH HOME HOSTNAME HOSTS USER LOGNAME SHELL MAIL TERM LANG LC_ALL TZ PWD OLDPWD SHLVL EDITOR DISPLAY TMPDIR ' +
      'XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR SSH_CONNECTION SUDO_USER INVOCATION_ID JOURNAL_STREAM STATE_DIRECTORY ' +
      'CREDENTIALS_DIRECTORY RUNTIME_DIRECTORY LOGS_DIRECTORY HTTP_URL HTTP_HOST SMTP_HOST SMTP_PORT SMTP_USER MAIL_TO ' +
      'DATABASE_URL REDIS_URL API_URL CACHE_DIR META_DIR DATA_SET BASE_DIR LOG_FILE LOG_DIR MAX_SIZE MAX_LINES NODE_ENV ' +
      'NODE_EXTRA_CA_CERTS BUN_INSTALL FORMSTEAD_PORT FORMSTEAD_SERVICE_HOST FORMSTEAD_SERVICE_PORT FORMSTEAD_COMMIT ' +
      'KUBERNETES_PORT KUBERNETES_SERVICE_HOST PORT_FILE HOST_NAME PLAN POST_URL BACKUP_PATH BACKUP_NAME READS WRITES ' +
      'AWS_ACCESS_KEY_ID ENCRYPTION_SALT METRICS_PORT HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY npm_config_cache';
    expect(nearMisses(Object.fromEntries(others.split(' ').map((name) => [name, 'x'])))).toEqual([]);
    const own = SETTING_LIST.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name]));
    expect(nearMisses(Object.fromEntries(own.map((name) => [name, 'x'])))).toEqual([]);
  });

  test('is logged at start and reported by doctor and config', async () => {
    const dataDir = instance();
    const hint = 'BASEURL is not a setting. Did you mean BASE_URL?';
    const env = { BASEURL: 'https://forms.example.com' };
    const server = await spawnServer(dataDir, env);
    expect(await server.end()).toBe(0);
    const lines = server
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.filter((line) => 'hint' in line)).toMatchObject([{ level: 'warn', message: 'unknown setting', hint }]);
    const doctor = await run(dataDir, ['doctor', '--json'], env);
    expect([doctor.code, (JSON.parse(doctor.stdout) as object[])[1]]).toEqual([
      1,
      { check: 'settings', state: 'broken', message: hint },
    ]);
    expect((await run(dataDir, ['config'], env)).stderr).toContain(`${hint}\n`);
  });
});

test('serve --help says where the settings are', async () => {
  expect((await run(fresh(), ['serve', '--help'])).stdout).toContain('"formstead config" lists them');
});
