import { describe, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadEnvironment, parseVariables } from '../../src/config/environment.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { createDir, dataDirs, instances, json, refused, run } from './command-line.ts';

const fresh = dataDirs();
const instance = instances();

/** Writes a settings file and returns its path. */
function settingsFile(text: string): string {
  const path = join(createDir(fresh()), 'formstead.env');
  writeFileSync(path, text);
  return path;
}

type Row = Readonly<{ name: string; value: unknown; source: string }>;

/** Returns a row of `formstead config` for each of these names. */
async function rowsOf(args: readonly string[], env: Record<string, string>, names: readonly string[]): Promise<Row[]> {
  const rows = await json<Row[]>(fresh(), [...args, 'config'], env);
  return names.map((name) => rows.find((row) => row.name === name) ?? { name, value: 'no row', source: '' });
}

describe('--env-file', () => {
  test('sets the variables of a command and of a server; the environment takes precedence', async () => {
    const dataDir = instance();
    await json(dataDir, ['team', 'create', '--name', 'Acme']);
    const file = settingsFile(`# Settings\nDATA_DIR=${dataDir}\nBASE_URL=https://forms.example.com\nPORT=1\n`);
    const noDir = { DATA_DIR: '' };
    const withoutDir = { command: ['env', '-u', 'DATA_DIR', 'bun', join(import.meta.dir, '../../src/main.ts')] };
    const list = await formstead('', ['--env-file', file, 'team', 'list', '--json'], {}, withoutDir);
    expect(JSON.parse(list.stdout)).toMatchObject([{ name: 'Acme' }]);
    const after = await formstead('', ['team', 'list', '--env-file', file, '--json'], {}, withoutDir);
    expect(after.stdout).toBe(list.stdout);
    expect(
      await rowsOf(['--env-file', file], { ...noDir, PORT: '2' }, ['DATA_DIR', 'PORT', 'BASE_URL', 'HOST']),
    ).toEqual([
      { name: 'DATA_DIR', value: './data', source: 'default' },
      { name: 'PORT', value: 2, source: 'environment' },
      { name: 'BASE_URL', value: 'https://forms.example.com', source: file },
      { name: 'HOST', value: '127.0.0.1', source: 'default' },
    ]);
    const [serve, reset] = [settingsFile('BASE_URL=https://forms.example.com\n'), ['user', 'create', '--json']];
    const { stdout } = await run(dataDir, ['--env-file', serve, ...reset]);
    expect(JSON.parse(stdout)).toMatchObject({ link: expect.stringContaining('https://forms.example.com/dashboard/') });
  });

  test('is used by a server and its scheduled backups', async () => {
    const backups = join(fresh(), '../backups');
    const dataDir = fresh();
    const key = `ENCRYPTION_KEY=${'ab'.repeat(32)}`;
    const file = settingsFile(`DATA_DIR=${dataDir}\nBACKUP_DIR=${backups}\nBACKUP_WITH_KEY=no\n${key}\n`);
    const main = join(import.meta.dir, '../../src/main.ts');
    const program = { command: ['sh', '-c', 'unset DATA_DIR; exec bun "$0" --env-file "$1" serve', main, file] };
    const server = await spawnServer(dataDir, {}, program);
    await until(() => server.stdout().includes('"backup made"'), 'the backup');
    expect(await server.end()).toBe(0);
  });

  test('that is missing, unreadable or invalid is refused', async () => {
    const dataDir = instance();
    const refusalOf = (path: string) => run(dataDir, ['--env-file', path, 'team', 'list']);
    expect(await refusalOf('/nowhere/formstead.env')).toEqual(
      refused(/There is no settings file \/nowhere\/formstead\.env\. Check the path\./),
    );
    expect(await refusalOf(dataDir)).toEqual(
      refused(/Could not read the settings in .* \(EISDIR\)\. Run this command/),
    );
    const bad = settingsFile('PORT=3000\n\nexport HOST=0.0.0.0\n');
    expect(await refusalOf(bad)).toEqual(refused(/formstead\.env line 3 must be NAME=value\. Correct the line/));
  });

  test('is named by doctor and config', async () => {
    const dataDir = instance();
    const file = settingsFile('LOG_LEVEL=warn\n');
    const { stdout } = await run(dataDir, ['--env-file', file, 'doctor']);
    expect(stdout).toMatch(new RegExp(`^settings +ok +They are read from the environment and from ${file}\\.$`, 'm'));
    expect((await run(dataDir, ['--env-file', file, 'config'])).stderr).toBe(`Settings file: ${file}\n`);
    expect((await run(dataDir, ['config'])).stderr).toBe('No settings file was read.\n');
  });
});

describe('a settings file', () => {
  test.each([
    ['A=1', '1'],
    ['A=', ''],
    ['  A= two words  ', 'two words'],
    ['A="two  words "', 'two  words '],
    ['A=\'$x \\n "y"\'', '$x \\n "y"'],
    ['A="a\\"b\\\\c\\$d\\e"', 'a"b\\c$d\\e'],
    ['A="one\ntwo"', 'one\ntwo'],
    ['A=one\\\ntwo', 'onetwo'],
    ['A=p#a;s', 'p#a;s'],
    ["A=it's", "it's"],
    ['A=a\\ b', 'a b'],
    ['A="x"\'y\'z', 'xyz'],
    ['# A=2\n; A=3\n\nA=1\r\n', '1'],
    ['A=1\nA=2', '2'],
    ['A={"tiny":{"api_access":true}}', '{"tiny":{"api_access":true}}'],
  ])('%j is read as systemd does', (text, value) => {
    expect(parseVariables(text, 'x')).toEqual({ A: value });
  });

  test.each(['A', '=1', 'A B=1', 'A="1', "A='1", 'A-B=1'])('%j is refused with its line', (text) => {
    expect(() => parseVariables(`B=1\n${text}\n`, '/etc/x')).toThrow('/etc/x line 2 must be NAME=value.');
  });
});

describe('the settings of the systemd service', () => {
  const PROGRAM = ['/usr/local/bin/formstead'];

  /** Creates a root directory with the unit, and with a settings file if `text` is not null. */
  async function machine(text: string | null) {
    const root = createDir(fresh());
    mkdirSync(join(root, 'etc/systemd/system'), { recursive: true });
    expect(await run(fresh(), ['service', 'install', '--root', root])).toMatchObject({ code: 0 });
    const file = join(root, 'etc/formstead.env');
    if (text !== null) writeFileSync(file, text);
    const load = (env: Record<string, string>, program = PROGRAM) => loadEnvironment(env, { program, root });
    return { root, file, load, unit: join(root, 'etc/systemd/system/formstead.service') };
  }

  test('are found by the program that the unit runs', async () => {
    const { file, load, unit } = await machine('BASE_URL=https://forms.example.com\nPORT=1\n');
    expect(load({ PORT: '2' })).toEqual({
      env: { PORT: '2', BASE_URL: 'https://forms.example.com', DATA_DIR: '/var/lib/formstead' },
      file,
      sources: { BASE_URL: file, DATA_DIR: unit },
    });
    expect(load({ DATA_DIR: '/var/lib/formstead/' }).env.BASE_URL).toBe('https://forms.example.com');
  });

  test('are not used by another program or for another instance', async () => {
    const { load } = await machine('BASE_URL=https://forms.example.com\n');
    const none = (env: Record<string, string>) => ({ env, file: null, sources: {} });
    expect(load({}, ['/usr/bin/bun', '/opt/formstead/src/main.ts'])).toEqual(none({}));
    expect(load({ DATA_DIR: './data' })).toEqual(none({ DATA_DIR: './data' }));
  });

  test('name another data directory if the file does', async () => {
    const { file, load } = await machine('DATA_DIR=/srv/forms\n');
    expect(load({})).toMatchObject({ env: { DATA_DIR: '/srv/forms' }, sources: { DATA_DIR: file } });
    expect(load({ DATA_DIR: '/var/lib/formstead' }).file).toBeNull();
  });

  test('are the data directory alone without a file', async () => {
    const { load } = await machine(null);
    expect(load({}).env).toEqual({ DATA_DIR: '/var/lib/formstead' });
  });

  test('are an error if the file is unreadable, except for the service itself, which has DATA_DIR', async () => {
    const { file, load } = await machine(null);
    mkdirSync(file);
    expect(() => load({})).toThrow(
      /Could not read the settings in .*formstead\.env \(EISDIR\)\. Run this command with sudo/,
    );
    expect(load({ DATA_DIR: '/var/lib/formstead' })).toMatchObject({ file: null });
  });
});
