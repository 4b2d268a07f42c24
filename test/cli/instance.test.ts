import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json';
import { TEST_COMMIT } from '../support/binary.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { createDir, dataDirs, instances, json, type Resource, refused, run } from './command-line.ts';

const fresh = dataDirs();
const instance = instances();

/** One command line of each command that needs an instance. */
const COMMANDS = [
  'doctor',
  'team create --name Acme',
  'team update team_1 --name Acme',
  'team list',
  'team delete team_1 --yes',
  'instance list',
  'team member list team_1',
  'team member add team_1 --email ada@example.com --role owner',
  'team member update team_1 --email ada@example.com --role owner',
  'team member set team_1 --email ada@example.com --role owner',
  'team member remove team_1 --email ada@example.com',
  'user create',
  'user reset --email ada@example.com',
  'user sign-out --email ada@example.com',
  'user delete ada@example.com --yes',
  'user list',
  'workspace create --team team_1 --name Site',
  'workspace list --team team_1',
  'workspace update wsp_1 --name Site',
  'workspace delete wsp_1',
  'form create --workspace wsp_1 --name Contact',
  'form update frm_1 --name Contact',
  'form list --team team_1',
  'form show frm_1',
  'form move frm_1 --workspace wsp_1',
  'form delete frm_1',
  'form restore frm_1',
  'submission list --form frm_1',
  'submission mark sub_1 --spam',
  'submission show sub_1',
  'submission delete sub_1 --yes',
  'submission export --form frm_1',
  'submission erase --team team_1 --email ada@example.com --yes',
  'key create --team team_1 --name CI',
  'key revoke key_1 --yes',
  'key list --team team_1',
  'webhook create --form frm_1 --url https://example.com',
  'webhook list --form frm_1',
  'webhook update whk_1 --active false',
  'webhook delete whk_1',
  'webhook rotate-secret whk_1',
  'webhook test whk_1',
  'webhook deliveries whk_1',
  'webhook redeliver dlv_1',
  'apply forms.yaml',
  'diff forms.yaml',
  'pull',
  'outbox list',
  'outbox retry --dead',
  'mail test --to ada@example.com',
  'audit export',
  'backup ../backups --with-key',
  'backup - --with-key',
  'vault rotate',
  'vault list',
  'vault check',
  'vault remove 00000000 --yes',
].map((line) => line.split(' '));

describe('without an instance', () => {
  const message = (dataDir: string) =>
    refused(new RegExp(`There is no instance in ${dataDir}\\. Set DATA_DIR to .*, or run "formstead init"`));

  test.each(COMMANDS)('%s %s %s fails and creates nothing', async (...args) => {
    const dataDir = fresh();
    const words = args.filter((word) => word !== undefined);
    expect(await run(dataDir, words)).toEqual(message(dataDir));
    expect(readdirSync(dirname(dataDir))).toEqual([]);
    createDir(dataDir);
    expect(await run(dataDir, words)).toEqual(message(dataDir));
    writeFileSync(join(dataDir, 'notes.txt'), 'mine');
    expect(await run(dataDir, words)).toEqual(message(dataDir));
    expect(readdirSync(dataDir)).toEqual(['notes.txt']);
  });

  test.each([['doctor'], ['user list'], ['vault rotate'], ['backup x --with-key']])(
    '%s fails as a process of its own, with JSON if asked for',
    async (line) => {
      const dataDir = fresh();
      expect(await formstead(dataDir, line.split(' '))).toEqual(message(dataDir));
      const { code, stdout, stderr } = await formstead(dataDir, [...line.split(' '), '--json']);
      expect([code, stdout, JSON.parse(stderr)]).toEqual([
        1,
        '',
        { error: expect.stringContaining(`There is no instance in ${dataDir}.`), code: 'no_instance' },
      ]);
      expect(existsSync(dataDir)).toBe(false);
    },
  );
});

describe('init', () => {
  test('creates directory, key and database without a team, and the first start creates one', async () => {
    const dataDir = join(fresh(), 'deep/down');
    const { code, stdout, stderr } = await formstead(dataDir, ['init']);
    expect([code, stdout, stderr]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^created +${dataDir}\nkey_file +${dataDir}/encryption.key\n$`)),
      expect.stringContaining('Keep a copy elsewhere'),
    ]);
    expect(readdirSync(dataDir)).toContain('formstead.db');
    expect(await json<Resource[]>(dataDir, ['team', 'list'])).toEqual([]);
    const server = await spawnServer(dataDir);
    expect(await json<Resource[]>(dataDir, ['team', 'list'])).toHaveLength(1);
    expect(server.stderr()).toContain('/dashboard/welcome/');
    expect(await server.end()).toBe(0);
  });

  test('refuses a directory with an instance and changes nothing', async () => {
    const dataDir = instance();
    await json(dataDir, ['team', 'create', '--name', 'Acme']);
    expect(await run(dataDir, ['init'])).toEqual(refused(/already has an instance\. Set DATA_DIR to another/));
    expect(await json<Resource[]>(dataDir, ['team', 'list'])).toMatchObject([{ name: 'Acme' }]);
  });

  test('refuses a directory with an interrupted restore', async () => {
    const dataDir = fresh();
    mkdirSync(join(dataDir, 'restore-unfinished'), { recursive: true });
    expect(await run(dataDir, ['init'])).toEqual(refused(/was interrupted\. Empty that directory/));
    expect(readdirSync(dataDir)).toEqual(['restore-unfinished']);
  });
});

test('doctor names the directory, the version and BASE_URL of the instance', async () => {
  const dataDir = instance();
  const { stdout } = await formstead(dataDir, ['doctor', '--json'], { BASE_URL: 'http://forms.example.com' });
  const release = `${packageJson.version} (${TEST_COMMIT})`;
  const message = `Version ${release} in ${dataDir}; BASE_URL is http://forms.example.com.`;
  expect((JSON.parse(stdout) as object[])[0]).toEqual({ check: 'instance', state: 'ok', message });
});

describe('a command that cannot use the database says why and what to do', () => {
  const source = ['bun', join(import.meta.dir, '../../src/main.ts')];
  const asNobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const AS_OTHER_USER = { command: process.getuid?.() === 0 ? [...asNobody, ...source] : source };

  test('if another user owns the directory', async () => {
    const dataDir = instance();
    const names = readdirSync(dataDir).map((name) => join(dataDir, name));
    chmodSync(dataDir, 0o000);
    expect(await formstead(dataDir, ['team', 'list'], {}, AS_OTHER_USER)).toEqual(
      refused(/Could not open DATA_DIR ".*" \(EACCES\)\. Run this command as the user of the server, or with sudo/),
    );
    chmodSync(dirname(dataDir), 0o755);
    chmodSync(dataDir, 0o755);
    for (const name of names) chmodSync(name, 0o444);
    const env = { ENCRYPTION_KEY_FILE: join(dataDir, 'encryption.key') };
    expect(await formstead(dataDir, ['team', 'create', '--name', 'A'], env, AS_OTHER_USER)).toEqual(
      refused(/it is read-only\. Make DATA_DIR and its files writable for the user that runs Formstead/),
    );
    chmodSync(dataDir, 0o555);
    expect(await formstead(dataDir, ['serve'], { PORT: '0' }, AS_OTHER_USER)).toEqual(
      refused(/unable to open database file\. Make DATA_DIR and its files writable/),
    );
  });

  test('if its disk is full', async () => {
    const dataDir = instance();
    const { id } = await json(dataDir, ['team', 'create', '--name', 'Acme']);
    const create = ['key', 'create', '--team', String(id), '--name', 'CI'];
    // Limits of the file size have the effect of a full disk. The shared memory of the log has 32 KiB.
    const limited = (blocks: number) => {
      return { command: ['sh', '-c', `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`, 'sh', ...source] };
    };
    expect(await formstead(dataDir, create, {}, limited(1))).toEqual(
      refused(/use the database.*Check the .*disk of DATA_DIR/),
    );
    // An open read transaction keeps the log, which is then larger than the limit.
    using reader = new Database(join(dataDir, 'formstead.db'));
    reader.run('BEGIN');
    reader.query('SELECT * FROM teams').all();
    for (let n = 0; n < 12; n++) await json(dataDir, ['team', 'create', '--name', 'x'.repeat(200)]);
    expect(await formstead(dataDir, create, {}, limited(64))).toEqual(
      refused(/Could not use the database: .*\. Check the disk of DATA_DIR and its free space\./),
    );
  });
});
