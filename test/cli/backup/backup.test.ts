import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from '../../../src/domain/backup.ts';
import { newestBackup } from '../../../src/services/backups.ts';
import { blobNames } from '../../fast/submit/files.ts';
import { formstead } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { dataDirs, household, json, refused, run, type Shown } from '../command-line.ts';
import { backUp, type Kept, keep, type Made, numbersIn, postNumber } from './keeping.ts';

const fresh = dataDirs();
const KEY = 'ab'.repeat(32);

const manifestOf = ({ path }: Made): Manifest => JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8'));

describe('beside a server that takes posts', () => {
  let kept: Kept;
  beforeAll(async () => {
    kept = await keep();
  });
  afterAll(() => kept.remove());

  test('a backup has every post that was acknowledged before it began, and all files can be read', async () => {
    const acknowledged = new Set<number>();
    let sent = 0;
    let isOver = false;
    const client = async () => {
      while (!isOver) {
        const n = sent++;
        const size = n % 3 === 0 ? 40_000 : null;
        if ((await postNumber(kept.server.url, kept.form, n, size)) === 200) acknowledged.add(n);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await until(() => acknowledged.size >= 200, '200 acknowledged posts');
    const before = [...acknowledged];
    const made = await backUp(kept, '--with-key');
    isOver = true;
    await Promise.all(clients);
    expect(acknowledged.size).toBeGreaterThan(before.length);

    const restored = join(kept.dir, 'restored');
    expect(await formstead(restored, ['restore', made.path])).toMatchObject({ code: 0, stderr: '' });
    const numbers = await numbersIn(restored, kept);
    expect(before.filter((n) => !numbers.has(String(n)))).toEqual([]);
    expect(readdirSync(kept.folder)).toEqual([made.path.split('/').at(-1) ?? '']);
    expect(await newestBackup(kept.folder)).toMatchObject({ path: made.path });
  });

  test('a backup is whole while all it is made of is deleted', async () => {
    const { form, key } = await household(kept.dataDir);
    for (let n = 0; n < 60; n++) await postNumber(kept.server.url, form, n, 1_000);
    const headers = { Authorization: `Bearer ${key.secret}` };
    const list = await fetch(`${kept.server.url}/v1/forms/${form.id}/submissions?limit=100`, { headers });
    const { data } = (await list.json()) as { data: { items: Shown[] } };
    const backups = backUp(kept, '--with-key');
    for (const { id } of data.items) {
      await fetch(`${kept.server.url}/v1/submissions/${id}`, { method: 'DELETE', headers });
      // Spread the deletions over the backup; no assertion depends on how far.
      await Bun.sleep(5);
    }
    const made = await backups;
    expect(await run(kept.dataDir, ['restore', '--verify', made.path])).toMatchObject({ code: 0, stderr: '' });
    expect(made.missing).toBe(0);
  });

  test('another one is refused while one is under way', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, () => formstead(kept.dataDir, ['backup', kept.folder, '--with-key'])),
    );
    const codes = new Set(outcomes.map(({ code }) => code));
    expect(codes.has(0)).toBe(true);
    for (const outcome of outcomes.filter(({ code }) => code !== 0)) {
      expect(outcome).toEqual(refused(/Another backup .* is running/));
    }
  });

  test('a tar archive on stdout has the same, for tar and for restore', async () => {
    const archive = join(kept.dir, 'a.tar');
    const command = `bun src/main.ts backup --with-key - > ${archive} && tar tf ${archive}`;
    const env = { PATH: Bun.env.PATH ?? '', DATA_DIR: kept.dataDir };
    const cwd = join(import.meta.dir, '../../..');
    const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', command], { env, cwd, stdout: 'pipe' });
    const names = (await shell.stdout.text()).trim().split('\n');
    expect(await shell.exited).toBe(0);
    expect(names.map((name) => name.replace(/^formstead-[^/]+\//, '')).slice(0, 3)).toEqual([
      'manifest.json',
      'encryption.key',
      'formstead.db',
    ]);
    expect(names).toHaveLength(3 + blobNames(kept).length);
    const restored = join(kept.dir, 'from-archive');
    const restoring = Bun.spawn(['bash', '-ec', `cat ${archive} | bun src/main.ts restore -`], {
      env: { ...env, DATA_DIR: restored },
      cwd,
      stdout: 'ignore',
    });
    expect(await restoring.exited).toBe(0);
    expect((await numbersIn(restored, kept)).size).toBeGreaterThan(199);
    expect(readdirSync(kept.dataDir).filter((name) => name.startsWith('.'))).toEqual([]);
  });
});

describe('the key', () => {
  test('in the data directory has to be decided on, and nothing is made before', async () => {
    const dataDir = fresh();
    await household(dataDir);
    const folder = join(dataDir, '../backups');
    expect(await run(dataDir, ['backup', folder])).toEqual(refused(/--with-key takes it along.*--without-key leaves/));
    expect(await newestBackup(folder)).toBeNull();
    const withKey = await json<Made>(dataDir, ['backup', folder, '--with-key']);
    const without = await json<Made>(dataDir, ['backup', folder, '--without-key']);
    const has = ({ path }: Made) => readdirSync(path).sort();
    expect(has(withKey)).toEqual(['encryption.key', 'files', 'formstead.db', 'manifest.json']);
    expect(has(without)).toEqual(['files', 'formstead.db', 'manifest.json']);
    expect(manifestOf(without).keys.map(({ id }) => id.toString(16).padStart(8, '0'))).toEqual([without.needs_key]);
  });

  test('that is kept elsewhere is not asked for, and named', async () => {
    const dataDir = fresh();
    const env = { ENCRYPTION_KEY: KEY };
    await json(dataDir, ['team', 'list'], env);
    const folder = join(dataDir, '../backups');
    const { code, stderr } = await run(dataDir, ['backup', folder], env);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/key [0-9a-f]{8} alone, which is not in it/)]);
    expect(await run(dataDir, ['backup', folder, '--with-key'], env)).toEqual(refused(/without --with-key/));
  });
});

test('where there is nothing to back up, nothing is made', async () => {
  const dataDir = fresh();
  const folder = join(dataDir, '../backups');
  expect(await run(dataDir, ['backup', folder, '--with-key'])).toEqual(refused(/nothing to back up: DATA_DIR \(/));
  expect(readdirSync(join(dataDir, '..'))).toEqual([]);
});

test('what has to stay free for posts is not taken by a backup', async () => {
  const dataDir = fresh();
  await household(dataDir);
  const folder = join(dataDir, '../backups');
  const env = { MIN_FREE_BYTES: String(2 ** 50) };
  expect(await run(dataDir, ['backup', folder, '--with-key'], env)).toEqual(
    refused(/no room for \S+: it takes 1 MB, and 0 MB are free above MIN_FREE_BYTES; make room first/),
  );
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  [['backup'], "missing required argument 'folder'"],
  [['backup', 'x', '--with-key', '--without-key'], 'name one of'],
  [['backup', 'x', '--keep', '0'], 'It takes a whole number'],
  [['backup', '-', '--keep', '1'], '--keep and --json are for a folder'],
])('%j is wrong usage', async (args, says) => {
  expect(await run(fresh(), args)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
});

test('--keep removes older backups and nothing else; what was broken off goes too', async () => {
  const dataDir = fresh();
  await household(dataDir);
  const folder = join(dataDir, '../backups');
  const make = () => json<Made & { removed: number }>(dataDir, ['backup', folder, '--with-key', '--keep', '2']);
  mkdirSync(join(folder, '.partial-formstead-2026-01-01T00-00-00-000000Z', 'files'), { recursive: true });
  mkdirSync(join(folder, 'formstead-2026-01-01T00-00-00-000000Z'));
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const made = [await make(), await make(), await make()];
  expect(made.map(({ removed }) => removed)).toEqual([0, 0, 1]);
  const last = made.slice(1).map(({ path }) => path.split('/').at(-1) ?? '');
  expect(readdirSync(folder).sort()).toEqual(['formstead-2026-01-01T00-00-00-000000Z', ...last, 'notes.txt'].sort());
  expect((await newestBackup(folder))?.path).toBe(made[2]?.path);
});

test('--keep keeps the backup that was just made, also where others are of a clock that was ahead', async () => {
  const dataDir = fresh();
  await household(dataDir);
  const folder = join(dataDir, '../backups');
  const make = () => json<Made>(dataDir, ['backup', folder, '--with-key', '--keep', '1']);
  const before = await make();
  renameSync(before.path, join(folder, 'formstead-2999-01-01T00-00-00-000000Z'));
  const made = await make();
  expect(readdirSync(folder)).toEqual([made.path.split('/').at(-1) ?? '']);
});

test('a file that the data directory has lost is told, and does not keep the rest from being restored', async () => {
  const kept = await keep();
  for (let n = 0; n < 3; n++) await postNumber(kept.server.url, kept.form, n, 100);
  const [lost = ''] = blobNames(kept);
  rmSync(join(kept.dataDir, 'files', lost));
  const outcome = await run(kept.dataDir, ['backup', kept.folder, '--with-key', '--json']);
  expect(outcome).toMatchObject({ code: 0, stderr: expect.stringContaining('1 files of submissions are missing') });
  const made = JSON.parse(outcome.stdout) as Made;
  expect(manifestOf(made)).toMatchObject({ missing: [lost], deleted_meanwhile: [] });
  expect(await run(join(kept.dir, 'restored'), ['restore', made.path])).toMatchObject({ code: 0 });
  await kept.remove();
});
