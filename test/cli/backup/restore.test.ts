import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formstead, fromBinary, spawnServer } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { createTeamWithForm, dataDirs, instances, json, refused, run } from '../command-line.ts';
import {
  type BackupResult,
  type BackupServer,
  backUp,
  numbersIn,
  postNumber,
  startBackupServer,
} from './backup-server.ts';

const fresh = dataDirs();
const instance = instances();
const KEY = 'ab'.repeat(32);

/** A backup with key and files, made once and copied by each test. */
let origin: Omit<BackupServer, 'server' | 'remove'>;
let whole = '';
beforeAll(async () => {
  const server = await startBackupServer();
  for (let n = 0; n < 5; n++) await postNumber(server.server.url, server.form, n, 100_000);
  const { path } = await backUp(server, '--with-key');
  whole = fresh();
  cpSync(path, whole, { recursive: true });
  origin = server;
  await server.remove();
});

function copyOf(path: string): string {
  const copy = fresh();
  cpSync(path, copy, { recursive: true });
  return copy;
}

/** Expects that `restore` and `restore --verify` refuse the backup and write nothing. */
async function expectBothRefused(backup: string, says: RegExp, env: Record<string, string> = {}): Promise<void> {
  const dataDir = fresh();
  expect(await run(dataDir, ['restore', '--verify', backup], env)).toEqual(refused(says));
  expect(existsSync(dataDir)).toBe(false);
  expect(await run(join(dataDir, 'deep/down'), ['restore', backup], env)).toEqual(refused(says));
  expect(existsSync(dataDir)).toBe(false);
  mkdirSync(dataDir);
  expect(await run(dataDir, ['restore', backup], env)).toEqual(refused(says));
  expect(readdirSync(dataDir)).toEqual([]);
}

describe('a modified backup is refused:', () => {
  const firstFile = (backup: string) => join(backup, 'files', readdirSync(join(backup, 'files'))[0] ?? '');

  test.each<[string, RegExp, (backup: string) => void]>([
    [
      'a changed byte in a file',
      /files\/\w{32} was changed/,
      (backup) => {
        const bytes = readFileSync(firstFile(backup));
        bytes[500] = (bytes[500] ?? 0) ^ 1;
        writeFileSync(firstFile(backup), bytes);
      },
    ],
    ['a file cut short', /files\/\w{32} was changed/, (backup) => truncateSync(firstFile(backup), 99_999)],
    ['a missing file', /files\/\w{32} is missing/, (backup) => rmSync(firstFile(backup))],
    [
      'an additional file',
      /files\/a{32} is not in the manifest/,
      (backup) => writeFileSync(join(backup, 'files', 'a'.repeat(32)), ''),
    ],
    ['a changed key', /encryption\.key was changed/, (backup) => writeFileSync(join(backup, 'encryption.key'), KEY)],
    ['no database', /formstead\.db is missing/, (backup) => rmSync(join(backup, 'formstead.db'))],
    [
      'a changed database',
      /formstead\.db was changed/,
      (backup) => {
        const db = new Database(join(backup, 'formstead.db'));
        db.run("UPDATE teams SET name = 'Mine'");
        db.close();
      },
    ],
    ['no manifest', /manifest\.json is missing/, (backup) => rmSync(join(backup, 'manifest.json'))],
    ['a damaged manifest', /manifest\.json is damaged/, (backup) => truncateSync(join(backup, 'manifest.json'), 300)],
  ])('%s', async (_, says, damage) => {
    const backup = copyOf(whole);
    damage(backup);
    await expectBothRefused(backup, says);
  });

  test('a truncated archive, and a file that is no archive', async () => {
    const archive = join(copyOf(whole), 'a.tar');
    Bun.spawnSync(['tar', 'cf', archive, '-C', whole, '.']);
    expect(await run(fresh(), ['restore', '--verify', archive])).toMatchObject({ code: 0 });
    truncateSync(archive, 300_000);
    await expectBothRefused(archive, /truncated|is missing|was changed/);
    writeFileSync(archive, 'x'.repeat(10_000));
    await expectBothRefused(archive, /cannot be read as a tar archive/);
  });

  test.each(['formstead.db', 'encryption.key', 'manifest.json'])('an archive with %s twice', async (name) => {
    const archive = join(copyOf(whole), 'a.tar');
    Bun.spawnSync(['tar', 'cf', archive, '-C', whole, '.']);
    Bun.spawnSync(['tar', 'rf', archive, '-C', whole, `./${name}`]);
    await expectBothRefused(archive, new RegExp(`contains ${name.replace('.', '[.]')} twice`));
  });

  test('a manifest edited to hide a missing file', async () => {
    const backup = copyOf(whole);
    const path = join(backup, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: Array<{ name: string }> };
    const last = manifest.files.pop();
    rmSync(join(backup, last?.name ?? ''));
    writeFileSync(path, JSON.stringify(manifest));
    await expectBothRefused(backup, /files\/\w{32} of sub_\w+ is missing/);
  });
});

test('a path without a backup is refused, and no data directory is created', async () => {
  const dataDir = fresh();
  expect(await run(dataDir, ['restore', join(dataDir, 'none')])).toEqual(refused(/There is no backup/));
  expect(existsSync(dataDir)).toBe(false);
});

test('a compressed archive is refused with its compression', async () => {
  const archive = `${whole}.tar.gz`;
  writeFileSync(archive, Bun.gzipSync(Buffer.alloc(20_480)));
  await expectBothRefused(archive, /it is compressed with gzip; decompress it first/);
});

test('a non-empty data directory is refused and left unchanged', async () => {
  const dataDir = fresh();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'mine'), 'x');
  expect(await run(dataDir, ['restore', whole])).toEqual(refused(/not empty\. Restore into a new directory/));
  expect(readdirSync(dataDir)).toEqual(['mine']);
});

describe('a key that is not in the backup', () => {
  let backup = '';
  beforeAll(async () => {
    const dataDir = instance();
    await createTeamWithForm(dataDir);
    const env = { ENCRYPTION_KEY: readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim() };
    ({ path: backup } = await json<BackupResult>(dataDir, ['backup', join(dataDir, '../backups')], env));
    writeFileSync(`${backup}.key`, env.ENCRYPTION_KEY);
  });

  test('is named and must be supplied', async () => {
    const dataDir = fresh();
    const { needs_key: key } = await json<BackupResult>(dataDir, ['restore', '--verify', backup]);
    expect(await run(dataDir, ['restore', backup])).toEqual(
      refused(new RegExp(`does not include its key ${key}\\. Set ENCRYPTION_KEY or ENCRYPTION_KEY_FILE to your copy`)),
    );
    expect(existsSync(dataDir)).toBe(false);
    const env = { ENCRYPTION_KEY_FILE: `${backup}.key` };
    expect(await json(dataDir, ['restore', backup], env)).toMatchObject({ needs_key: key, key: 'given' });
    expect(await json(dataDir, ['team', 'list'], env)).toHaveLength(1);
  });

  test('is refused if another one is supplied', () =>
    expectBothRefused(backup, /does not hold the key [0-9a-f]{8}/, { ENCRYPTION_KEY: KEY }));
});

test('a restored submission has the consent text that it agreed to, after the text was changed', async () => {
  const dataDir = instance();
  const { form } = await createTeamWithForm(dataDir);
  const fields = JSON.stringify([{ name: 'terms', label: 'Terms', type: 'consent', required: true }]);
  const setText = (text: string) =>
    json(dataDir, ['form', 'update', form.id, '--fields', fields, '--consent-text', text]);
  await setText('The first text');
  const server = await spawnServer(dataDir);
  const answer = await fetch(`${server.url}/v1/forms/${form.id}/submissions`, {
    method: 'POST',
    body: new URLSearchParams({ terms: 'yes' }),
  });
  expect(answer.status).toBe(200);
  expect(await server.end()).toBe(0);
  await setText('A later text');
  const { path } = await json<BackupResult>(dataDir, ['backup', join(dataDir, '../backups'), '--with-key']);
  const restored = fresh();
  await json(restored, ['restore', path]);
  const { stdout } = await run(restored, ['submission', 'export', '--form', form.id, '--format', 'jsonl']);
  expect(JSON.parse(stdout)).toMatchObject({ data: { terms: 'yes' }, consent: { text: 'The first text' } });
});

test('a restore killed at any moment leaves a directory that refuses to start, or a complete one', async () => {
  const seen = new Set<string>();
  const { command } = await fromBinary();
  // On a busy machine the first kill may already be too late, so delays start at 0 and grow.
  for (let ms = 0; seen.size < 2; ms = seen.has('cut off') ? ms + Math.max(15, ms / 10) : 0) {
    const dataDir = fresh();
    const child = Bun.spawn([...command, 'restore', whole], {
      env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir },
      stdout: 'ignore',
      stderr: 'ignore',
    });
    await until(
      () => existsSync(join(dataDir, 'restore-unfinished')) || child.exitCode !== null,
      'the restore to begin',
    );
    // Delay each kill more than the last; no assertion depends on the moment.
    await Bun.sleep(ms);
    child.kill('SIGKILL');
    await child.exited;
    if (existsSync(join(dataDir, 'restore-unfinished'))) {
      seen.add('cut off');
      expect(await run(dataDir, ['team', 'list'])).toEqual(refused(/A restore into .* was interrupted/));
    } else {
      seen.add('whole');
      expect((await numbersIn(dataDir, origin)).size).toBe(5);
    }
  }
  expect([...seen].sort()).toEqual(['cut off', 'whole']);
});

test('a server refuses to start after an interrupted restore, and says what to do', async () => {
  const dataDir = fresh();
  mkdirSync(join(dataDir, 'restore-unfinished'), { recursive: true });
  const outcome = await formstead(dataDir, ['serve'], { PORT: '0' });
  expect(outcome).toEqual(refused(/was interrupted\. Empty that directory and restore again/));
  expect(readdirSync(dataDir)).toEqual(['restore-unfinished']);
});

test('a backup of a database from a newer version is refused', async () => {
  const dataDir = instance();
  await createTeamWithForm(dataDir);
  const db = new Database(join(dataDir, 'formstead.db'));
  db.run("INSERT INTO migrations VALUES ('9999_later', 'now', 'x')");
  db.close();
  expect(await run(dataDir, ['backup', join(dataDir, '../backups'), '--with-key'])).toEqual(
    refused(/from a newer version of Formstead/),
  );
});
