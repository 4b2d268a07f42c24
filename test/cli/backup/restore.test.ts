import { Database } from 'bun:sqlite';
import { beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formstead, fromBinary } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { dataDirs, household, json, refused, run } from '../command-line.ts';
import { backUp, type Kept, keep, type Made, numbersIn, postNumber } from './keeping.ts';

const fresh = dataDirs();
const KEY = 'ab'.repeat(32);

/** A backup with its key and files, made once and copied by each test. */
let kept: Omit<Kept, 'server' | 'remove'>;
let whole = '';
beforeAll(async () => {
  const server = await keep();
  for (let n = 0; n < 5; n++) await postNumber(server.server.url, server.form, n, 100_000);
  const { path } = await backUp(server, '--with-key');
  whole = fresh();
  cpSync(path, whole, { recursive: true });
  kept = server;
  await server.remove();
});

function copyOf(path: string): string {
  const copy = fresh();
  cpSync(path, copy, { recursive: true });
  return copy;
}

/** Must be refused by both, and leave the data directory empty. */
async function expectBothRefused(backup: string, says: RegExp, env: Record<string, string> = {}): Promise<void> {
  const dataDir = fresh();
  expect(await run(dataDir, ['restore', '--verify', backup], env)).toEqual(refused(says));
  expect(existsSync(dataDir)).toBe(false);
  expect(await run(dataDir, ['restore', backup], env)).toEqual(refused(says));
  expect(readdirSync(dataDir)).toEqual([]);
}

describe('a backup that is not as it was written is refused', () => {
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
      'a file too many',
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

  test('an archive that ends too early, and what is none', async () => {
    const archive = join(copyOf(whole), 'a.tar');
    Bun.spawnSync(['tar', 'cf', archive, '-C', whole, '.']);
    expect(await run(fresh(), ['restore', '--verify', archive])).toMatchObject({ code: 0 });
    truncateSync(archive, 300_000);
    await expectBothRefused(archive, /truncated|is missing|was changed/);
    writeFileSync(archive, 'x'.repeat(10_000));
    await expectBothRefused(archive, /cannot be read as a tar archive/);
  });

  test.each(['formstead.db', 'encryption.key', 'manifest.json'])('an archive that holds %s twice', async (name) => {
    const archive = join(copyOf(whole), 'a.tar');
    Bun.spawnSync(['tar', 'cf', archive, '-C', whole, '.']);
    Bun.spawnSync(['tar', 'rf', archive, '-C', whole, `./${name}`]);
    await expectBothRefused(archive, new RegExp(`contains ${name.replace('.', '[.]')} twice`));
  });

  test('whose manifest was changed to fit a database that lacks a file', async () => {
    const backup = copyOf(whole);
    const path = join(backup, 'manifest.json');
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as { files: Array<{ name: string }> };
    const last = manifest.files.pop();
    rmSync(join(backup, last?.name ?? ''));
    writeFileSync(path, JSON.stringify(manifest));
    await expectBothRefused(backup, /files\/\w{32} of sub_\w+ is missing/);
  });
});

test('what is not there is said to be missing, and no data directory is made', async () => {
  const dataDir = fresh();
  expect(await run(dataDir, ['restore', join(dataDir, 'none')])).toEqual(refused(/There is no backup/));
  expect(existsSync(dataDir)).toBe(false);
});

test('a data directory that is not empty is left as it is', async () => {
  const dataDir = fresh();
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'mine'), 'x');
  expect(await run(dataDir, ['restore', whole])).toEqual(refused(/not empty\. Restore into a new directory/));
  expect(readdirSync(dataDir)).toEqual(['mine']);
});

describe('a key that is not in the backup', () => {
  let backup = '';
  beforeAll(async () => {
    const dataDir = fresh();
    await household(dataDir);
    const env = { ENCRYPTION_KEY: readFileSync(join(dataDir, 'encryption.key'), 'utf8').trim() };
    ({ path: backup } = await json<Made>(dataDir, ['backup', join(dataDir, '../backups')], env));
    writeFileSync(`${backup}.key`, env.ENCRYPTION_KEY);
  });

  test('is named, and has to be given', async () => {
    const dataDir = fresh();
    const { needs_key: key } = await json<Made>(dataDir, ['restore', '--verify', backup]);
    expect(await run(dataDir, ['restore', backup])).toEqual(
      refused(new RegExp(`does not include its key ${key}\\. Set ENCRYPTION_KEY or ENCRYPTION_KEY_FILE to your copy`)),
    );
    expect(readdirSync(dataDir)).toEqual([]);
    const env = { ENCRYPTION_KEY_FILE: `${backup}.key` };
    expect(await json(dataDir, ['restore', backup], env)).toMatchObject({ needs_key: key, key: 'given' });
    expect(await json(dataDir, ['team', 'list'], env)).toHaveLength(1);
  });

  test('is refused if it is another', () =>
    expectBothRefused(backup, /does not hold the key [0-9a-f]{8}/, { ENCRYPTION_KEY: KEY }));
});

test('killed at any moment, it leaves nothing that starts, or all of it', async () => {
  const seen = new Set<string>();
  const { command } = await fromBinary();
  // On a busy machine the first kill may come after the restore, and the last one has to come late.
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
    // Kill ever later; no assertion depends on the moment.
    await Bun.sleep(ms);
    child.kill('SIGKILL');
    await child.exited;
    if (existsSync(join(dataDir, 'restore-unfinished'))) {
      seen.add('cut off');
      expect(await run(dataDir, ['team', 'list'])).toEqual(refused(/a restore into .* was cut off/));
    } else {
      seen.add('whole');
      expect((await numbersIn(dataDir, kept)).size).toBe(5);
    }
  }
  expect([...seen].sort()).toEqual(['cut off', 'whole']);
});

test('a server does not start where a restore was cut off, and says what to do', async () => {
  const dataDir = fresh();
  mkdirSync(join(dataDir, 'restore-unfinished'), { recursive: true });
  const outcome = await formstead(dataDir, ['serve'], { PORT: '0' });
  expect(outcome).toEqual(refused(/was cut off; remove all that is in there and restore again/));
  expect(readdirSync(dataDir)).toEqual(['restore-unfinished']);
});

test('a backup of a newer program is refused', async () => {
  const dataDir = fresh();
  await household(dataDir);
  const db = new Database(join(dataDir, 'formstead.db'));
  db.run("INSERT INTO migrations VALUES ('9999_later', 'now')");
  db.close();
  expect(await run(dataDir, ['backup', join(dataDir, '../backups'), '--with-key'])).toEqual(
    refused(/made by a newer Formstead/),
  );
});
