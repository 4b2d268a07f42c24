import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, loadSecrets } from '../../src/config/config.ts';
import { openContext } from '../../src/context/context.ts';
import { adoptKey } from '../../src/services/instance/rotation.ts';
import { formatKeyId } from '../../src/vault/key-ring.ts';
import { addKeyToFile } from '../../src/vault/master-key-file.ts';
import { formData } from '../fast/visitor/files.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { formstead, type ServerProcess, spawnServer } from '../support/process.ts';
import { until } from '../support/until.ts';
import {
  createTeamWithForm,
  dataDirs,
  expectRefused,
  instances,
  json,
  type Resource,
  refused,
  run,
  storedNames,
} from './command-line.ts';

const fresh = instances();
const newDir = dataDirs();
const PORT = { PORT: '0' };

type Key = Readonly<{ id: string; state: string; records: number }>;

const keyFileOf = (dataDir: string) => join(dataDir, 'encryption.key');
const keysIn = (dataDir: string) => readFileSync(keyFileOf(dataDir), 'utf8').trim().split('\n');

async function listKeys(dataDir: string, env: Record<string, string> = {}): Promise<Array<[string, number]>> {
  const keys = await json<Key[]>(dataDir, ['vault', 'list'], env);
  return keys.map(({ state, records }) => [state, records]);
}

async function oldestKey(dataDir: string, env: Record<string, string> = {}): Promise<string> {
  const [key] = await json<Key[]>(dataDir, ['vault', 'list'], env);
  return key?.id ?? '';
}

/** Waits until a server has resealed all records under a second key. */
async function resealed(dataDir: string, env: Record<string, string> = {}): Promise<void> {
  await until(async () => {
    const keys = await listKeys(dataDir, env);
    return keys.length > 1 && keys.every(([state]) => state !== 'retiring');
  }, 'the server to reseal all records under the new key');
}

/** Posts a name with an idempotency key that is derived from it. */
async function postOnce({ url }: ServerProcess, form: Resource, name: string, file?: string): Promise<number> {
  const entries: Array<[string, string | File]> = [['name', name]];
  if (file) entries.push(['cv', new File([file], 'cv.txt')]);
  const headers = { 'Idempotency-Key': `once ${name}` };
  const body = formData(entries);
  return (await fetch(`${url}/v1/forms/${form.id}/submissions`, { method: 'POST', headers, body })).status;
}

const check = (dataDir: string, env: Record<string, string> = {}) => run(dataDir, ['vault', 'check', '--json'], env);

describe('vault rotate', () => {
  test('reseals all records itself if no server runs, and the old key can then be removed', async () => {
    const dataDir = fresh();
    const { form, key } = await createTeamWithForm(dataDir);
    let server = await spawnServer(dataDir);
    expect(await postOnce(server, form, 'before', 'with a file')).toBe(200);
    expect(await server.end()).toBe(0);
    const [first = ''] = keysIn(dataDir);
    const rotated = await formstead(dataDir, ['vault', 'rotate', '--json']);
    expect(rotated).toMatchObject({ code: 0, stderr: expect.stringMatching(/Added a new key to .*Keep a new copy/) });
    expect(JSON.parse(rotated.stdout)).toMatchObject({ done: true, resealed: 2, damaged: 0 });
    expect(keysIn(dataDir)).toEqual([expect.any(String), first]);
    expect(statSync(keyFileOf(dataDir)).mode & 0o777).toBe(0o600);
    expect(await listKeys(dataDir)).toEqual([
      ['unused', 0],
      ['current', 2],
    ]);

    // A draft left by a crash is removed, a copy made by the operator is not.
    const draft = `${keyFileOf(dataDir)}.${crypto.randomUUID()}`;
    writeFileSync(draft, `${first}\n`);
    writeFileSync(`${keyFileOf(dataDir)}.old`, `${first}\n`);
    const old = await oldestKey(dataDir);
    const removed = await run(dataDir, ['vault', 'remove', old, '--yes', '--json']);
    expect(removed).toMatchObject({ code: 0, stderr: expect.stringMatching(/Backups.*Keep a copy/) });
    expect(keysIn(dataDir)).not.toContain(first);
    const beside = readdirSync(dataDir).filter((name) => name.startsWith('encryption.key'));
    expect(beside.sort()).toEqual(['encryption.key', 'encryption.key.old']);
    expect(keysIn(dataDir)).toHaveLength(1);
    expect(await check(dataDir)).toMatchObject({ code: 0, stdout: '[]\n' });

    server = await spawnServer(dataDir);
    expect(await postOnce(server, form, 'before', 'with a file')).toBe(200);
    expect(await postOnce(server, form, 'after')).toBe(200);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['after', 'before']);
    expect(await server.end()).toBe(0);
    writeFileSync(keyFileOf(dataDir), first);
    const start = await formstead(dataDir, ['serve'], PORT);
    expect(start).toEqual(refused(/encryption\.key does not match this database/));
  });

  test('lets a running server reseal, which keeps accepting posts', async () => {
    const dataDir = fresh();
    const { form, key } = await createTeamWithForm(dataDir);
    let server = await spawnServer(dataDir);
    const names = Array.from({ length: 30 }, (_, n) => `${n}`);
    const statuses = new Set<number>();
    for (const name of names.slice(0, 10)) statuses.add(await postOnce(server, form, name));
    const rotated = await json<Resource>(dataDir, ['vault', 'rotate']);
    expect(rotated).toMatchObject({ done: false });
    for (const name of names.slice(10, 20)) statuses.add(await postOnce(server, form, name));
    await resealed(dataDir);
    await json(dataDir, ['vault', 'remove', await oldestKey(dataDir), '--yes']);
    for (const name of names) statuses.add(await postOnce(server, form, name));
    expect([...statuses]).toEqual([200]);
    expect(await listKeys(dataDir)).toEqual([['current', 30]]);
    expect((await storedNames(server.url, form, key.secret)).toSorted()).toEqual(names.toSorted());
    expect(server.stdout()).not.toContain('"level":"error"');
    expect(await server.end()).toBe(0);

    server = await spawnServer(dataDir);
    expect(await storedNames(server.url, form, key.secret)).toHaveLength(30);
    expect(await server.end()).toBe(0);
    expect(await check(dataDir)).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('resumes an interrupted rotation, as does the next start, and creates no further key', async () => {
    for (const finish of ['command', 'start']) {
      const dataDir = fresh();
      const { form } = await createTeamWithForm(dataDir);
      const server = await spawnServer(dataDir);
      expect(await postOnce(server, form, 'kept')).toBe(200);
      await server.end();
      // Simulates an interruption right after the key file was written.
      addKeyToFile(keyFileOf(dataDir));
      expect(await listKeys(dataDir)).toEqual([['current', 1]]);
      if (finish === 'command') {
        expect(await json<Resource>(dataDir, ['vault', 'rotate'])).toMatchObject({ done: true, resealed: 1 });
      } else {
        const next = await spawnServer(dataDir);
        await resealed(dataDir);
        await next.end();
      }
      expect(keysIn(dataDir)).toHaveLength(2);
      expect(await listKeys(dataDir)).toEqual([
        ['unused', 0],
        ['current', 1],
      ]);
    }
  });

  test('never loses a key if several commands run at once', async () => {
    const dataDir = fresh();
    await createTeamWithForm(dataDir);
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => formstead(dataDir, ['vault', 'rotate'])));
    const done = outcomes.filter(({ code }) => code === 0);
    const others = outcomes.filter(({ code }) => code !== 0);
    expect(done.length).toBeGreaterThan(0);
    expect(others).toEqual(others.map(() => refused(/another command is changing the keys/)));
    // A command that began before another ended uses the new key and creates none of its own.
    const keys = keysIn(dataDir).length;
    expect(keys).toBeGreaterThan(1);
    expect(keys).toBeLessThanOrEqual(done.length + 1);
    expect(await listKeys(dataDir)).toHaveLength(keys);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('encryption.key'))).toEqual(['encryption.key']);
  });
});

describe('with ENCRYPTION_KEY', () => {
  const OLD = Buffer.from(Array.from({ length: 32 }, (_, index) => index * 5)).toString('hex');
  const old = { ENCRYPTION_KEY: OLD };

  test('rotate prints a new key and the next steps; the next start reseals all records under it', async () => {
    const dataDir = newDir();
    await json(dataDir, ['init'], old);
    const { form, key } = await createTeamWithForm(dataDir, old);
    let server = await spawnServer(dataDir, old);
    expect(await postOnce(server, form, 'before')).toBe(200);
    const rotation = await json<{ new_key: string; next: string[] }>(dataDir, ['vault', 'rotate'], old);
    expect(rotation.next.join(' ')).toMatch(/ENCRYPTION_KEY=NEW,OLD.*Restart.*vault remove/);
    expect(await listKeys(dataDir, old)).toEqual([['current', 1]]);
    const both = { ENCRYPTION_KEY: `${rotation.new_key},${OLD}` };
    const refusal = await run(dataDir, ['vault', 'rotate'], both);
    expect(refusal).toEqual(refused(/running server does not use the key .*Restart it/));
    await server.end();

    server = await spawnServer(dataDir, both);
    await resealed(dataDir, both);
    expect(await postOnce(server, form, 'before')).toBe(200);
    expect(await postOnce(server, form, 'after')).toBe(200);
    expect(await listKeys(dataDir, both)).toEqual([
      ['unused', 0],
      ['current', 2],
    ]);
    await server.end();
    const audit = await run(dataDir, ['audit', 'export'], both);
    expect(audit.stdout).toContain('"action":"vault.rotated"');

    expect(await formstead(dataDir, ['serve'], { ...PORT, ...old })).toEqual(refused(/lacks the key [0-9a-f]{8}/));
    const alone = { ENCRYPTION_KEY: rotation.new_key };
    await json(dataDir, ['vault', 'remove', await oldestKey(dataDir, alone), '--yes'], alone);
    server = await spawnServer(dataDir, alone);
    expect(await storedNames(server.url, form, key.secret)).toEqual(['after', 'before']);
    await server.end();
    expect(await check(dataDir, alone)).toMatchObject({ code: 0, stdout: '[]\n' });
  });

  test('rotate with PostgreSQL, which several processes may serve, asks for two restarts', async () => {
    const env = { ...old, DATABASE_URL: await emptyDatabase() };
    const dataDir = newDir();
    await json(dataDir, ['init'], env);
    const { next } = await json<{ next: string[] }>(dataDir, ['vault', 'rotate'], env);
    expect(next.join(' ')).toMatch(/several processes.*ENCRYPTION_KEY=OLD,NEW.*ENCRYPTION_KEY=NEW,OLD.*Restart/);
  });

  test('rotate reseals all records itself if no server runs, and a start without the old key is refused before that', async () => {
    const dataDir = newDir();
    await json(dataDir, ['init'], old);
    await createTeamWithForm(dataDir, old);
    const { new_key } = await json<{ new_key: string }>(dataDir, ['vault', 'rotate'], old);
    const alone = { ENCRYPTION_KEY: new_key };
    expect(await formstead(dataDir, ['serve'], { ...PORT, ...alone })).toEqual(
      refused(/ENCRYPTION_KEY does not match this database/),
    );
    const both = { ENCRYPTION_KEY: `${new_key},${OLD}` };
    expect(await json<Resource>(dataDir, ['vault', 'rotate'], both)).toMatchObject({ done: true });
    expect(await run(dataDir, ['team', 'list'], alone)).toMatchObject({ code: 0 });
  });
});

describe('vault remove', () => {
  test('refuses the active key, an unknown key and a key that records are sealed under', async () => {
    const dataDir = fresh();
    const { form } = await createTeamWithForm(dataDir);
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
      [['vault', 'remove', formatKeyId(next.id), '--yes'], /the key \w+ is the active one/],
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
  test('compares files with the SHA-256 in their record, also as restore --verify', async () => {
    const dataDir = fresh();
    const { form } = await createTeamWithForm(dataDir);
    const server = await spawnServer(dataDir);
    expect(await postOnce(server, form, 'ada', 'with a file')).toBe(200);
    await server.end();
    const intact = await run(dataDir, ['restore', '--verify']);
    expect(intact).toEqual({ code: 0, stdout: '', stderr: '2 records and 1 files opened, 0 failed.\n' });

    const settings = { config: loadConfig({ DATA_DIR: dataDir }), secrets: loadSecrets({}, () => '') };
    const context = await openContext({ ...settings, writeLog: () => {}, prettyLog: false });
    const { records } = await context.store.sealedRecords.list(null, null);
    const changes = records
      .filter(({ aad }) => aad.column === 'files')
      .map((one) => {
        const [file] = JSON.parse(context.vault.open(one.record, one.aad).toString());
        const text = JSON.stringify([{ ...file, sha256: '0'.repeat(64) }]);
        return { ...one, resealed: context.vault.seal(Buffer.from(text), one.aad) };
      });
    expect(await context.store.sealedRecords.replace(changes)).toBe(1);
    await context.close();
    const fault = { table: 'submissions', what: expect.stringMatching(/^file_/), message: 'wrong SHA-256' };
    for (const command of [
      ['vault', 'check'],
      ['restore', '--verify'],
    ]) {
      const { code, stdout } = await run(dataDir, [...command, '--json']);
      expect([code, JSON.parse(stdout)]).toEqual([1, [{ ...fault, row: expect.stringMatching(/^sub_/) }]]);
    }
    expect(await run(dataDir, ['restore'])).toMatchObject({ code: 2, stderr: expect.stringContaining("'backup'") });
  });

  test('lists every unreadable record and file, and a damaged record keeps no key in use', async () => {
    const dataDir = fresh();
    const { form } = await createTeamWithForm(dataDir);
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

    const { code, stdout, stderr } = await check(dataDir);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/5 records and 0 files opened, 3 failed.*cannot be opened/s),
    ]);
    expect(JSON.parse(stdout)).toEqual([
      { table: 'submissions', row: damaged, what: 'payload', message: 'modified or moved' },
      { table: 'submissions', row: lost, what: expect.stringMatching(/^file_/), message: 'missing' },
      {
        table: 'submissions',
        row: changed,
        what: expect.stringMatching(/^file_/),
        message: expect.stringContaining('modified'),
      },
    ]);
    const rotated = await run(dataDir, ['vault', 'rotate', '--json']);
    expect(rotated.stderr).toContain('1 records cannot be opened and were left unchanged');
    const line = rotated.stderr.split('\n').find((one) => one.startsWith('{')) ?? '';
    expect(JSON.parse(line)).toMatchObject({ level: 'error', message: 'could not open sealed records', records: 1 });
    expect(JSON.parse(rotated.stdout)).toMatchObject({ done: true, resealed: 5, damaged: 1 });
    expect(await listKeys(dataDir)).toEqual([
      ['unused', 1],
      ['current', 5],
    ]);
    expect(await run(dataDir, ['vault', 'remove', await oldestKey(dataDir), '--yes'])).toMatchObject({ code: 0 });
    expect(await listKeys(dataDir)).toEqual([
      ['current', 5],
      ['unknown', 1],
    ]);
  });
});
