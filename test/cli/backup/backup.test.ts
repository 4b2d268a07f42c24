import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../src/domain/backup.ts';
import { newestBackup } from '../../../src/services/backups/backups.ts';
import { blobNames } from '../../fast/visitor/files.ts';
import { formstead } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { createTeamWithForm, dataDirs, instances, json, type Resource, refused, run } from '../command-line.ts';
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

const manifestOf = ({ path }: BackupResult): Manifest => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));

describe('while a server accepts posts', () => {
  let origin: BackupServer;
  beforeAll(async () => {
    origin = await startBackupServer();
  });
  afterAll(() => origin.remove());

  test('a backup contains every post acknowledged before it began, with all files', async () => {
    const acknowledged = new Set<number>();
    let sent = 0;
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const n = sent++;
        const size = n % 3 === 0 ? 40_000 : null;
        if ((await postNumber(origin.server.url, origin.form, n, size)) === 200) acknowledged.add(n);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await until(() => acknowledged.size >= 200, '200 acknowledged posts');
    const before = [...acknowledged];
    const result = await backUp(origin, '--with-key');
    isOver = true;
    await Promise.all(clients);
    expect(acknowledged.size).toBeGreaterThan(before.length);

    const restored = join(origin.dir, 'restored');
    expect(await formstead(restored, ['restore', result.path])).toMatchObject({ code: 0, stderr: '' });
    const numbers = await numbersIn(restored, origin);
    expect(before.filter((n) => !numbers.has(String(n)))).toEqual([]);
    expect(readdirSync(origin.folder)).toEqual([result.path.split('/').at(-1) ?? '']);
    expect(await newestBackup(origin.folder)).toMatchObject({ path: result.path });
  });

  test('a backup is complete although everything is being deleted', async () => {
    const { form, key } = await createTeamWithForm(origin.dataDir);
    for (let n = 0; n < 60; n++) await postNumber(origin.server.url, form, n, 1_000);
    const headers = { Authorization: `Bearer ${key.secret}` };
    const list = await fetch(`${origin.server.url}/v1/forms/${form.id}/submissions?limit=100`, { headers });
    const { data } = (await list.json()) as { data: { items: Resource[] } };
    const backups = backUp(origin, '--with-key');
    for (const { id } of data.items) {
      await fetch(`${origin.server.url}/v1/submissions/${id}`, { method: 'DELETE', headers });
      // Spread the deletions over the duration of the backup; no assertion depends on the timing.
      await Bun.sleep(5);
    }
    const result = await backups;
    expect(await run(origin.dataDir, ['restore', '--verify', result.path])).toMatchObject({ code: 0, stderr: '' });
    expect(result.missing).toBe(0);
  });

  test('a second backup is refused while one is running', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => formstead(origin.dataDir, ['backup', origin.folder, '--with-key'])),
    );
    const codes = new Set(outcomes.map(({ code }) => code));
    expect(codes.has(0)).toBe(true);
    for (const outcome of outcomes.filter(({ code }) => code !== 0)) {
      expect(outcome).toEqual(refused(/Another backup .* is running/));
    }
  });

  test('a tar archive on stdout has the same content, for tar and for restore', async () => {
    const archive = join(origin.dir, 'a.tar');
    const command = `bun src/main.ts backup --with-key - > ${archive} && tar tf ${archive}`;
    const env = { PATH: Bun.env.PATH ?? '', DATA_DIR: origin.dataDir };
    const cwd = join(import.meta.dir, '../../..');
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', command], { env, cwd, stdout: 'pipe' });
    const names = (await shell.stdout.text()).trim().split('\n');
    expect(await shell.exited).toBe(0);
    expect(names.map((name) => name.replace(/^formstead-[^/]+\//, '')).slice(0, 3)).toEqual([
      'manifest.json',
      'encryption.key',
      'formstead.db',
    ]);
    expect(names).toHaveLength(3 + blobNames(origin).length);
    const restored = join(origin.dir, 'from-archive');
    const restoring = Bun.spawn(['bash', '-ec', `cat ${archive} | bun src/main.ts restore -`], {
      env: { ...env, DATA_DIR: restored },
      cwd,
      stdout: 'ignore',
    });
    expect(await restoring.exited).toBe(0);
    expect((await numbersIn(restored, origin)).size).toBeGreaterThan(199);
    expect(readdirSync(origin.dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('the key', () => {
  test('in the data directory requires --with-key or --without-key, and nothing is created otherwise', async () => {
    const dataDir = instance();
    await createTeamWithForm(dataDir);
    const folder = join(dataDir, '../backups');
    expect(await run(dataDir, ['backup', folder])).toEqual(
      refused(/Pass --without-key to leave it out.*or --with-key to include it/),
    );
    expect(await newestBackup(folder)).toBeNull();
    const withKey = await json<BackupResult>(dataDir, ['backup', folder, '--with-key']);
    const without = await json<BackupResult>(dataDir, ['backup', folder, '--without-key']);
    const has = ({ path }: BackupResult) => readdirSync(path).sort();
    expect(has(withKey)).toEqual(['encryption.key', 'files', 'formstead.db', 'manifest.json']);
    expect(has(without)).toEqual(['files', 'formstead.db', 'manifest.json']);
    expect(manifestOf(without).keys.map(({ id }) => id.toString(16).padStart(8, '0'))).toEqual([without.needs_key]);
  });

  test('that is stored elsewhere needs no option and is named', async () => {
    const dataDir = fresh();
    const env = { ENCRYPTION_KEY: KEY };
    await json(dataDir, ['init'], env);
    const folder = join(dataDir, '../backups');
    const { code, stderr } = await run(dataDir, ['backup', folder], env);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/does not include the key [0-9a-f]{8}/)]);
    expect(await run(dataDir, ['backup', folder, '--with-key'], env)).toEqual(refused(/without --with-key/));
  });
});

test('a backup of nothing creates nothing', async () => {
  const dataDir = fresh();
  const folder = join(dataDir, '../backups');
  expect(await run(dataDir, ['backup', folder, '--with-key'])).toEqual(refused(/There is no instance in .*data\./));
  expect(readdirSync(join(dataDir, '..'))).toEqual([]);
});

test.each(['', 'backups', 'files'])('a backup into DATA_DIR/%s is refused and changes nothing', async (name) => {
  const dataDir = instance();
  const before = readdirSync(dataDir).sort();
  const outcome = await run(dataDir, ['backup', join(dataDir, name), '--with-key']);
  expect(outcome).toEqual(refused(/is inside DATA_DIR .*Back up to a folder outside of it/));
  expect(readdirSync(dataDir).sort()).toEqual(before);
});

test('a backup leaves MIN_FREE_BYTES free', async () => {
  const dataDir = instance();
  await createTeamWithForm(dataDir);
  const folder = join(dataDir, '../backups');
  const env = { MIN_FREE_BYTES: String(2 ** 50) };
  expect(await run(dataDir, ['backup', folder, '--with-key'], env)).toEqual(
    refused(
      /not enough disk space for \S+: it needs 1 MB, and 0 MB are free above MIN_FREE_BYTES\. Free some space first/,
    ),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [['backup'], "missing required argument 'folder'"],
  [['backup', 'x', '--with-key', '--without-key'], 'pass only one of'],
  [['backup', 'x', '--keep', '0'], 'Expected a whole number'],
  [['backup', '-', '--keep', '1'], '--keep and --json require a folder'],
])('refuses %j as wrong usage', async (args, says) => {
  expect(await run(fresh(), args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
});

test('--keep removes older and partial backups and nothing else', async () => {
  const dataDir = instance();
  await createTeamWithForm(dataDir);
  const folder = join(dataDir, '../backups');
  const make = () => json<BackupResult & { removed: number }>(dataDir, ['backup', folder, '--with-key', '--keep', '2']);
  mkdirSync(join(folder, '.partial-formstead-2026-01-01T00-00-00-000000Z', 'files'), { recursive: true });
  mkdirSync(join(folder, 'formstead-2026-01-01T00-00-00-000000Z'));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const results = [await make(), await make(), await make()];
  expect(results.map(({ removed }) => removed)).toEqual([0, 0, 1]);
  const last = results.slice(1).map(({ path }) => path.split('/').at(-1) ?? '');
  expect(readdirSync(folder).sort()).toEqual(['formstead-2026-01-01T00-00-00-000000Z', ...last, 'notes.txt'].sort());
  expect((await newestBackup(folder))?.path).toBe(results[2]?.path);
});

test('--keep keeps the newly made backup even if others are dated in the future', async () => {
  const dataDir = instance();
  await createTeamWithForm(dataDir);
  const folder = join(dataDir, '../backups');
  const make = () => json<BackupResult>(dataDir, ['backup', folder, '--with-key', '--keep', '1']);
  const before = await make();
  renameSync(before.path, join(folder, 'formstead-2999-01-01T00-00-00-000000Z'));
  const result = await make();
  expect(readdirSync(folder)).toEqual([result.path.split('/').at(-1) ?? '']);
});

test('a missing file is reported and does not prevent the restore of the others', async () => {
  const origin = await startBackupServer();
  for (let n = 0; n < 3; n++) await postNumber(origin.server.url, origin.form, n, 100);
  const [lost = ''] = blobNames(origin);
  rmSync(join(origin.dataDir, 'files', lost));
  const outcome = await run(origin.dataDir, ['backup', origin.folder, '--with-key', '--json']);
  expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('1 files of submissions are missing') });
  const result = JSON.parse(outcome.stdout) as BackupResult;
  expect(manifestOf(result)).toMatchObject({ missing: [lost], deleted_meanwhile: [] });
  expect(await run(join(origin.dir, 'restored'), ['restore', result.path])).toMatchObject({ code: 0 });
  await origin.remove();
});
