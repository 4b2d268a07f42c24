import { describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formstead, spawnServer } from '../support/process.ts';
import {
  createDir,
  createTeamWithForm,
  dataDirs,
  instances,
  json,
  post,
  type Resource,
  refused,
  run,
  storedNames,
} from './command-line.ts';

const fresh = dataDirs();
const instance = instances();
const PORT = { PORT: '0' };
const KEY = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 7));
const OTHER_KEY = Buffer.from(KEY.toReversed()).toString('hex');

const keyFileOf = (dataDir: string) => join(dataDir, 'encryption.key');
const modeOf = (path: string) => statSync(path).mode & 0o777;

/** Expects that a server and commands refuse to start, and leave key file and database unchanged. */
async function expectStartRefused(dataDir: string, says: RegExp, env: Record<string, string> = {}): Promise<void> {
  const before = contentsOf(dataDir);
  for (const args of [['serve'], ['team', 'list'], ['team', 'create', '--name', 'New']]) {
    expect(await formstead(dataDir, args, { ...PORT, ...env })).toEqual(refused(says));
  }
  expect(contentsOf(dataDir)).toEqual(before);
}

function filesIn(dataDir: string): string[] {
  return readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).isFile());
}

/** Returns the hash of each file in a data directory, without the empty lock file of the server. */
function contentsOf(dataDir: string): Record<string, string> {
  const names = filesIn(dataDir).filter((name) => !/^server\.lock/.test(name));
  const hash = (name: string) => Bun.SHA256.hash(readFileSync(join(dataDir, name)), 'hex');
  return Object.fromEntries(names.sort().map((name) => [name, hash(name)]));
}

describe('the first start', () => {
  test('creates a key file and tells the operator to keep a copy; the second start prints nothing about it', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    expect(server.stderr()).toMatch(/encryption key.*encryption\.key.*Keep a copy/);
    expect(server.stdout()).not.toContain(readFileSync(keyFileOf(dataDir), 'utf8').trim());
    await server.end();
    const again = await spawnServer(dataDir);
    expect(again.stderr()).not.toContain('encryption key');
    await again.end();
  });

  test('by init prints the same notice on stderr, next to its output', async () => {
    const dataDir = fresh();
    const { code, stdout, stderr } = await run(dataDir, ['init', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ created: dataDir, key_file: keyFileOf(dataDir) });
    expect(stderr).toMatch(/^The encryption key .*Keep a copy elsewhere.*\n$/);
    expect(await run(dataDir, ['team', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('makes all files private to the user, while serving and afterwards', async () => {
    const dataDir = fresh();
    const server = await spawnServer(dataDir);
    const [team] = await json<Resource[]>(dataDir, ['team', 'list']);
    expect(team).toBeDefined();
    const modes = () => filesIn(dataDir).map((name) => [name, modeOf(join(dataDir, name))]);
    expect(modes()).toContainEqual(['formstead.db-wal', 0o600]);
    expect(modes()).toEqual(filesIn(dataDir).map((name) => [name, 0o600]));
    expect(modeOf(dataDir)).toBe(0o700);
    await server.end();
    expect(modes()).toContainEqual(['encryption.key', 0o600]);
    expect(modes()).toContainEqual(['formstead.db', 0o600]);
  });

  test('makes all files private even in a directory that others can read', async () => {
    const dataDir = createDir(fresh());
    chmodSync(dataDir, 0o755);
    expect(await formstead(dataDir, ['init'])).toMatchObject({ code: 0 });
    expect(readdirSync(dataDir).map((name) => modeOf(join(dataDir, name)) & 0o077)).toEqual([0, 0, 0]);
  });

  test('of eight processes at once creates one key, which all of them use', async () => {
    const dataDir = fresh();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const outcomes = await Promise.all(names.map(() => formstead(dataDir, ['init'])));
    expect(outcomes.some(({ code }) => code === 0)).toBe(true);
    for (const { code, stderr } of outcomes) if (code !== 0) expect(stderr).toContain('already has an instance');
    expect(readdirSync(dataDir).filter((name) => name.includes('key'))).toEqual(['encryption.key']);
    for (const name of names) await json(dataDir, ['team', 'create', '--name', name]);
    const teams = await json<Resource[]>(dataDir, ['team', 'list']);
    expect(teams.map(({ name }) => name).sort()).toEqual(names);
  });
});

describe('a start is refused and changes nothing', () => {
  test('if the key file is missing; no new one is created', async () => {
    const dataDir = instance();
    await json(dataDir, ['team', 'create', '--name', 'Acme'], {}, formstead);
    const copy = readFileSync(keyFileOf(dataDir));
    rmSync(keyFileOf(dataDir));
    await expectStartRefused(dataDir, /key .*missing\. Restore your copy to .*encryption\.key, or set ENCRYPTION_KEY/);
    expect(existsSync(keyFileOf(dataDir))).toBe(false);

    writeFileSync(keyFileOf(dataDir), copy);
    expect(await run(dataDir, ['team', 'list', '--json'])).toMatchObject({ code: 0, stderr: '' });
  });

  test('if the key in the file or in the environment is another one', async () => {
    const dataDir = instance();
    await json(dataDir, ['team', 'create', '--name', 'Acme'], {}, formstead);
    await expectStartRefused(dataDir, /ENCRYPTION_KEY does not match this database/, { ENCRYPTION_KEY: OTHER_KEY });
    writeFileSync(keyFileOf(dataDir), OTHER_KEY);
    await expectStartRefused(dataDir, /encryption\.key does not match this database/);
  });

  test.each([
    ['empty', ''],
    ['cut short', KEY.subarray(1).toString('base64')],
    ['not a key', 'hunter2 '.repeat(6)],
    ['binary', '\u0000\u0001\ufffd'.repeat(12)],
  ])('if the key file is %s', async (_, text) => {
    const dataDir = instance();
    await json(dataDir, ['team', 'create', '--name', 'Acme'], {}, formstead);
    writeFileSync(keyFileOf(dataDir), text);
    await expectStartRefused(dataDir, /key file .*encryption\.key is damaged\. Restore it from your copy/);
  });
});

describe('ENCRYPTION_KEY', () => {
  test('can be given in hex, in base64 or in a file, and creates no key file', async () => {
    const dataDir = fresh();
    const file = join(createDir(fresh()), 'key');
    writeFileSync(file, `${KEY.toString('hex')}\n`);
    const hex = { ENCRYPTION_KEY: KEY.toString('hex') };
    const first = await spawnServer(dataDir, hex);
    expect(first.stderr()).not.toContain('encryption key');
    const [team] = await json<Resource[]>(dataDir, ['team', 'list'], hex, formstead);
    const [form] = await json<Resource[]>(dataDir, ['form', 'list', '--team', team?.id ?? ''], hex, formstead);
    const key = await json<Resource>(
      dataDir,
      ['key', 'create', '--team', team?.id ?? '', '--name', 'CI'],
      hex,
      formstead,
    );
    if (!form) throw new Error('there is no form');
    expect((await post(first.url, form.id, 'sealed')).status).toBe(200);
    await first.end();

    for (const env of [{ ENCRYPTION_KEY: KEY.toString('base64') }, { ENCRYPTION_KEY_FILE: file }]) {
      const server = await spawnServer(dataDir, env);
      expect(await storedNames(server.url, form, key.secret)).toEqual(['sealed']);
      await server.end();
    }
    expect(existsSync(keyFileOf(dataDir))).toBe(false);
    await expectStartRefused(dataDir, /key .*missing/);
    expect(existsSync(keyFileOf(dataDir))).toBe(false);
  });

  test('replaces a key file that has the same key', async () => {
    const dataDir = instance();
    await createTeamWithForm(dataDir);
    const env = { ENCRYPTION_KEY_FILE: join(createDir(fresh()), 'moved') };
    writeFileSync(env.ENCRYPTION_KEY_FILE, readFileSync(keyFileOf(dataDir)));
    rmSync(keyFileOf(dataDir));
    expect(await run(dataDir, ['team', 'list', '--json'], env)).toMatchObject({ code: 0, stderr: '' });
    expect(existsSync(keyFileOf(dataDir))).toBe(false);
  });
});
