import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { adoptKey } from '../../src/services/rotation.ts';
import { addKeyToFile } from '../../src/vault/key-file.ts';
import { formatKeyId } from '../../src/vault/key-ring.ts';
import { formData } from '../fast/submit/files.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import { dataDirs, expectRefused, household, json, refused, run, type Shown, storedNames } from './command-line.ts';

const fresh = dataDirs();
const PORT = { PORT: '0' };

type Key = Readonly<{ id: string; state: string; records: number }>;

const keyFileOf = (dataDir: string) => join(dataDir, 'encryption.key');
const keysIn = (dataDir: string) => readFileSync(keyFileOf(dataDir), 'utf8').trim().split('\n');

async function listed(dataDir: string, env: Record<string, string> = {}): Promise<Array<[string, number]>> {
  const keys = await json<Key[]>(dataDir, ['vault', 'list'], env);
  return keys.map(({ state, records }) => [state, records]);
}

async function oldestKey(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const [key] = await json<Key[]>(dataDir, ['vault', 'list'], env);
  return key?.id ?? '';
}

/** Waits until a server has taken up a second key and sealed everything under it. */
async function settled(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  await until(async () => {
    const keys = await listed(dataDir, env);
    return keys.length > 1 && keys.every(([state]) => state !== 'retiring');
  }, 'the server to seal everything under the new key');
}

/** Posts a name under an idempotency key of its own, the same each time. */
async function postOnce({ url }: ServerProcess, form: Shown, name: string, file?: string): Promise<number> {
  const entries: Array<[string, string | File]> = [['name', name]];
  if (file) entries.push(['cv', new File([file], 'cv.txt')]);
  const headers = { 'Idempotency-Key': `once ${name}` };
  const body = formData(entries);
  return (await fetch(`${url}/v1/forms/${form.id}/submissions`, { method: 'POST', headers, body })).status;
}

const checked = (dataDir: string, env: Record<string, string> = {}) => run(dataDir, ['vault', 'check', '--json'], env);

describe('vault rotate', () => {
  test('without a server seals everything anew itself, and the old key can be removed', async () => {
    const dataDir = fresh();
    const { form, key } = await household(dataDir);
    let server = await spawnServer(dataDir);
    expect(await postOnce(server, form, 'before', 'with a file')).toBe(200);
    expect(await server.end()).toBe(0);
    const [first = ''] = keysIn(dataDir);
    // As where root runs the command beside a service: only root can try that.
    const { uid } = userInfo();
    const owner = uid === 0 ? 65_532 : uid;
    chownSync(keyFileOf(dataDir), owner, -1);

    const rotated = await formstead(dataDir, ['vault', 'rotate', '--json']);
    expect(rotated).toMatchObject({ code: 0, stderr: expect.stringMatching(/has a new key.*Keep a new copy/) });
    expect(JSON.parse(rotated.stdout)).toMatchObject({ done: true, resealed: 2, damaged: 0 });
    expect(keysIn(dataDir)).toEqual([expect.any(String), first]);
    expect([statSync(keyFileOf(dataDir)).mode & 0o777, statSync(keyFileOf(dataDir)).uid]).toEqual([0o600, owner]);
    expect(await listed(dataDir)).toEqual([
      ['unused', 0],
      ['current', 2],
    ]);

    // What a crash left behind while keys were written; a copy that somebody made stays theirs.
    const draft = `${keyFileOf(dataDir)}.${crypto.randomUUID()}`;
    writeFileSync(draft, `${first}\n`);
    writeFileSync(`${keyFileOf(dataDir)}.old`, `${first}\n`);
    const old = await oldestKey(dataDir);
    const removed = await run(dataDir, ['vault', 'remove', old, '--yes', '--json']);
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringMatching(/Backups.*keep a copy/) });
    expect(keysIn(dataDir)).not.toContain(first);
    const beside = readdirSync(dataDir).filter((name) => name.startsWith('encryption.key'));
    expect(beside.sort()).toEqual(['encryption.key', 'encryption.key.old']);
    expect(keysIn(dataDir)).toHaveLength(1);
    expect(await checked(dataDir)).toMatchObject({ code: 0, stdout: '[]\n' });

    server = await spawnServer(dataDir);
    expect(await postOnce(server, form, 'before', 'with a file')).toBe(200);
    expect(await postOnce(server, form, 'after')).toBe(200);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['after', 'before']);
    expect(await server.end()).toBe(0);
    writeFileSync(keyFileOf(dataDir), first);
    const start = await formstead(dataDir, ['serve'], PORT);
    expect(start).toEqual(refused(/encryption\.key does not match this database/));
  });

  test('beside a server leaves it to that, which goes on taking posts', async () => {
    const dataDir = fresh();
    const { form, key } = await household(dataDir);
    let server = await spawnServer(dataDir);
    const names = Array.from({ length: 30 }, (_, n) => `${n}`);
    const statuses = new Set<number>();
    for (const name of names.slice(0, 10)) statuses.add(await postOnce(server, form, name));
    const rotated = await json<Shown>(dataDir, ['vault', 'rotate']);
    expect(rotated).toMatchObject({ done: false });
    for (const name of names.slice(10, 20)) statuses.add(await postOnce(server, form, name));
    await settled(dataDir);
    await json(dataDir, ['vault', 'remove', await oldestKey(dataDir), '--yes']);
    for (const name of names) statuses.add(await postOnce(server, form, name));
    expect([...statuses]).toEqual([200]);
    expect(await listed(dataDir)).toEqual([['current', 30]]);
    expect((await storedNames(server.url, form, key.secret)).toSorted()).toEqual(names.toSorted());
    expect(server.stdout()).not.toContain('"level":"error"');
    expect(await server.end()).toBe(0);

    server = await spawnServer(dataDir);
    expect(await storedNames(server.url, form, key.secret)).toHaveLength(30);
    expect(await server.end()).toBe(0);
    expect(await checked(dataDir)).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('goes on with what was broken off, by a command or by the next start, and makes no further key', async () => {
    for (const finish of ['command', 'start']) {
      const dataDir = fresh();
      const { form } = await household(dataDir);
      const server = await spawnServer(dataDir);
      expect(await postOnce(server, form, 'kept')).toBe(200);
      await server.end();
      // The moment after the file was written.
      addKeyToFile(keyFileOf(dataDir));
      expect(await listed(dataDir)).toEqual([['current', 1]]);
      if (finish === 'command') {
        expect(await json<Shown>(dataDir, ['vault', 'rotate'])).toMatchObject({ done: true, resealed: 1 });
      } else {
        const next = await spawnServer(dataDir);
        await settled(dataDir);
        await next.end();
      }
      expect(keysIn(dataDir)).toHaveLength(2);
      expect(await listed(dataDir)).toEqual([
        ['unused', 0],
        ['current', 1],
      ]);
    }
  });

  test('by several commands at once never loses a key', async () => {
    const dataDir = fresh();
    await household(dataDir);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => formstead(dataDir, ['vault', 'rotate'])));
    const done = outcomes.filter(({ code }) => code === 0);
    const others = outcomes.filter(({ code }) => code !== 0);
    expect(done.length).toBeGreaterThan(0);
    expect(others).toEqual(others.map(() => refused(/another command is changing the keys/)));
    // One that had begun before another ended finds the new key there, and makes none of its own.
    const keys = keysIn(dataDir).length;
    expect(keys).toBeGreaterThan(1);
    expect(keys).toBeLessThanOrEqual(done.length + 1);
    expect(await listed(dataDir)).toHaveLength(keys);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('encryption.key'))).toEqual(['encryption.key']);
  });
});

describe('with ENCRYPTION_KEY', () => {
  const OLD = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 5)).toString('hex');
  const old = { ENCRYPTION_KEY: OLD };

  test('rotate gives a new key and says what to do; the next start seals everything anew under it', async () => {
    const dataDir = fresh();
    const { form, key } = await household(dataDir, old);
    let server = await spawnServer(dataDir, old);
    expect(await postOnce(server, form, 'before')).toBe(200);
    const told = await json<{ new_key: string; next: string[] }>(dataDir, ['vault', 'rotate'], old);
    expect(told.next.join(' ')).toMatch(/ENCRYPTION_KEY=NEW,OLD.*Restart.*vault remove/);
    expect(await listed(dataDir, old)).toEqual([['current', 1]]);
    const both = { ENCRYPTION_KEY: `${told.new_key},${OLD}` };
    const beside = await run(dataDir, ['vault', 'rotate'], both);
    expect(beside).toEqual(refused(/running server has not taken up the key .* restart it/));
    await server.end();

    server = await spawnServer(dataDir, both);
    await settled(dataDir, both);
    expect(await postOnce(server, form, 'before')).toBe(200);
    expect(await postOnce(server, form, 'after')).toBe(200);
    expect(await listed(dataDir, both)).toEqual([
      ['unused', 0],
      ['current', 2],
    ]);
    await server.end();
    const audit = await run(dataDir, ['audit', 'export'], both);
    expect(audit.stdout).toContain('"action":"vault.rotated"');

    expect(await formstead(dataDir, ['serve'], { ...PORT, ...old })).toEqual(refused(/lacks the key [0-9a-f]{8}/));
    const alone = { ENCRYPTION_KEY: told.new_key };
    await json(dataDir, ['vault', 'remove', await oldestKey(dataDir, alone), '--yes'], alone);
    server = await spawnServer(dataDir, alone);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['after', 'before']);
    await server.end();
    expect(await checked(dataDir, alone)).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('rotate seals everything anew itself where no server runs, and an old key that is needed is missed', async () => {
    const dataDir = fresh();
    await household(dataDir, old);
    const { new_key } = await json<{ new_key: string }>(dataDir, ['vault', 'rotate'], old);
    const alone = { ENCRYPTION_KEY: new_key };
    expect(await formstead(dataDir, ['serve'], { ...PORT, ...alone })).toEqual(
      refused(/ENCRYPTION_KEY does not match this database/),
    );
    const both = { ENCRYPTION_KEY: `${new_key},${OLD}` };
    expect(await json<Shown>(dataDir, ['vault', 'rotate'], both)).toMatchObject({ done: true });
    expect(await run(dataDir, ['team', 'list'], alone)).toMatchObject({ code: 0 });
  });
});

describe('vault remove', () => {
  test('refuses the current key, one that is not there, and one that something is sealed under', async () => {
    const dataDir = fresh();
    const { form } = await household(dataDir);
    const server = await spawnServer(dataDir);
    for (const name of ['a', 'b']) expect(await postOnce(server, form, name)).toBe(200);
    await server.end();
    const old = await oldestKey(dataDir);
    const context = await openContext({
      config: loadConfig({ DATA_DIR: dataDir }),
      secrets: loadSecrets({}, () => ''),
      writeLog: () => {},
      prettyLog: false,
    });
    const next = addKeyToFile(keyFileOf(dataDir));
    await adoptKey(context, next);
    await context.close();
    const before = keysIn(dataDir);
    for (const refusal of [
      [['vault', 'remove', old, '--yes'], /2 records are still sealed under the key .*vault rotate/],
      [['vault', 'remove', formatKeyId(next.id), '--yes'], /everything is sealed under the key/],
      [['vault', 'remove', 'ffffffff', '--yes'], /there is no key "ffffffff"/],
    ] as const) {
      await expectRefused(dataDir, [refusal]);
    }
    expect(keysIn(dataDir)).toEqual(before);
    writeFileSync(keyFileOf(dataDir), before[0] ?? '');
    expect(await formstead(dataDir, ['serve'], PORT)).toEqual(refused(/encryption\.key lacks the key/));
  });
});

describe('vault check', () => {
  test('names every record and file that does not open, and a damaged one keeps no key in use', async () => {
    const dataDir = fresh();
    const { form } = await household(dataDir);
    const server = await spawnServer(dataDir);
    for (const name of ['whole', 'damaged']) expect(await postOnce(server, form, name)).toBe(200);
    for (const name of ['lost', 'changed']) expect(await postOnce(server, form, name, name.repeat(1_000))).toBe(200);
    await server.end();
    const db = new Database(join(dataDir, 'formstead.db'));
    const rows = db.query<{ id: string }, []>('SELECT id FROM submissions ORDER BY created_at').all();
    const [, damaged = '', lost = '', changed = ''] = rows.map(({ id }) => id);
    db.run('UPDATE submissions SET payload = substr(payload, 1, 60) WHERE id = ?', [damaged]);
    const blobOf = (id: string) =>
      join(
        dataDir,
        'files',
        db.query<{ blob: string }, [string]>('SELECT blob FROM files WHERE submission_id = ?').get(id)?.blob ?? '',
      );
    rmSync(blobOf(lost));
    const bytes = readFileSync(blobOf(changed));
    bytes[bytes.length - 1] = (bytes[bytes.length - 1] ?? 0) ^ 1;
    writeFileSync(blobOf(changed), bytes);
    db.close();

    const { code, stdout, stderr } = await checked(dataDir);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/5 records and 0 files open, 3 do not.*not everything opens/s),
    ]);
    expect(JSON.parse(stdout)).toEqual([
      { table: 'submissions', row: damaged, what: 'payload', says: 'modified or moved' },
      { table: 'submissions', row: lost, what: expect.stringMatching(/^file_/), says: 'missing' },
      {
        table: 'submissions',
        row: changed,
        what: expect.stringMatching(/^file_/),
        says: expect.stringContaining('modified'),
      },
    ]);
    const rotated = await run(dataDir, ['vault', 'rotate', '--json']);
    expect(rotated.stderr).toContain('1 records do not open and stay as they are');
    expect(JSON.parse(rotated.stdout)).toMatchObject({ done: true, resealed: 5, damaged: 1 });
    expect(await listed(dataDir)).toEqual([
      ['unused', 1],
      ['current', 5],
    ]);
    expect(await run(dataDir, ['vault', 'remove', await oldestKey(dataDir), '--yes'])).toMatchObject({ code: 0 });
    expect(await listed(dataDir)).toEqual([
      ['current', 5],
      ['unknown', 1],
    ]);
  });
});
