import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { backupJob } from '../../../src/jobs/backups.ts';
import { HOUR, systemClock } from '../../../src/lib/clock.ts';
import { createLogger } from '../../../src/lib/log.ts';
import { newestBackup } from '../../../src/services/backups/backups.ts';
import { startInstance, temporaryDir } from '../../support/instance.ts';
import { FROM_SOURCE, formstead, spawnServer } from '../../support/process.ts';
import { until } from '../../support/until.ts';
import { createTeamWithForm, dataDirs, instances, post, refused, run } from '../command-line.ts';

const fresh = dataDirs();
const instance = instances();
const places: string[] = [];
afterAll(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

function newFolder(): string {
  const place = temporaryDir();
  places.push(place);
  return join(place, 'backups');
}

/** Creates the backup job for a data directory, with a clock that can be moved. */
async function jobOn(dataDir: string, folder: string) {
  await createTeamWithForm(dataDir);
  const logs: string[] = [];
  let ahead = 0;
  const job = backupJob({
    clock: () => systemClock() + ahead,
    log: createLogger({ level: 'info', isPretty: false, write: (line) => logs.push(line) }),
    program: FROM_SOURCE.command,
    env: { ...Bun.env, DATA_DIR: dataDir },
    folder,
    hours: 2,
    keep: 2,
    withKey: true,
  });
  const step = () => job.step(new AbortController().signal);
  const move = (by: number) => {
    ahead += by;
  };
  return { step, move, logs, backups: () => readdirSync(folder) };
}

describe('the backup job', () => {
  test('makes a backup when the newest is old enough, and keeps the configured number', async () => {
    const { step, move, logs, backups } = await jobOn(instance(), newFolder());
    await step();
    await step();
    expect(backups()).toHaveLength(1);
    move(HOUR);
    await step();
    expect(backups()).toHaveLength(1);
    for (let n = 0; n < 3; n++) {
      move(2 * HOUR);
      await step();
    }
    expect(backups()).toHaveLength(2);
    expect(logs.map((line) => JSON.parse(line).message)).toEqual(Array(4).fill('backup made'));
    expect(logs[0]).toMatch(/"path":".*","files":2,"bytes":\d+,"seconds":/);
  });

  test('finds the newest backup in the folder after a restart, and ignores one dated in the future', async () => {
    const dataDir = instance();
    const folder = newFolder();
    const before = await jobOn(dataDir, folder);
    await before.step();
    const { step, move, backups } = await jobOn(dataDir, folder);
    await step();
    expect(backups()).toHaveLength(1);
    move(-3 * HOUR);
    await step();
    await step();
    expect(backups()).toHaveLength(2);
  });

  test('logs the reason of a failure and tries again', async () => {
    const dataDir = instance();
    const folder = newFolder();
    const { step, logs, backups } = await jobOn(dataDir, folder);
    writeFileSync(folder, 'in the way');
    await expect(step()).rejects.toThrow('ENOTDIR');
    rmSync(folder);
    const key = join(dataDir, 'encryption.key');
    const text = await Bun.file(key).text();
    rmSync(key);
    await step();
    expect(JSON.parse(logs[0] ?? '')).toMatchObject({
      level: 'error',
      message: 'backup failed, will retry',
      reason: expect.stringMatching(/^There is no .*encryption\.key to back up/),
    });
    expect(backups()).toEqual([]);
    writeFileSync(key, text);
    await step();
    expect(backups()).toHaveLength(1);
  });
});

test('a server with BACKUP_DIR makes a restorable backup at its start', async () => {
  const folder = newFolder();
  const dataDir = fresh();
  const server = await spawnServer(dataDir, { BACKUP_DIR: folder, BACKUP_WITH_KEY: 'yes' });
  const endpoint = /"endpoint":"([^"]+)"/.exec(server.stdout())?.[1] ?? '';
  await until(async () => {
    expect((await fetch(endpoint, { method: 'POST', body: new URLSearchParams({ a: '1' }) })).status).toBe(200);
    return server.stdout().includes('"backup made"');
  }, 'the backup');
  expect(await server.end()).toBe(0);
  const newest = await newestBackup(folder);
  expect(await run(fresh(), ['restore', newest?.path ?? ''])).toMatchObject({ code: 0 });
});

test('a server keeps serving if backups fail, and logs it', async () => {
  const server = await startInstance({ env: { BACKUP_DIR: '/dev/null/backups', BACKUP_WITH_KEY: 'yes' } });
  await until(() => server.logs.some((line) => /"backup failed"/.test(line)), 'the backup to fail');
  expect((await post(server.url, server.owner.form.id)).status).toBe(200);
  await server.stop();
});

test.each<[Record<string, string>, RegExp]>([
  [{}, /BACKUP_DIR is set and the key is in the data directory\. Set BACKUP_WITH_KEY to yes.*or to no/],
  [{ BACKUP_WITH_KEY: 'yes', ENCRYPTION_KEY: 'ab'.repeat(32) }, /Remove BACKUP_WITH_KEY/],
])('a server with BACKUP_DIR and %j is refused', async (env, says) => {
  const outcome = await formstead(fresh(), ['serve'], { PORT: '0', BACKUP_DIR: newFolder(), ...env });
  expect(outcome).toEqual(refused(says, 78));
});

test.each(['', 'backups', 'files'])(
  'a server with BACKUP_DIR=DATA_DIR/%s is refused and creates nothing',
  async (name) => {
    const dataDir = fresh();
    const env = { PORT: '0', BACKUP_DIR: join(dataDir, name), BACKUP_WITH_KEY: 'no' };
    expect(await formstead(dataDir, ['serve'], env)).toEqual(refused(/is inside DATA_DIR .*Set BACKUP_DIR to/, 78));
    expect(existsSync(dataDir)).toBe(false);
  },
);

test('a server with BACKUP_DIR below a link to DATA_DIR is refused', async () => {
  const dataDir = instance();
  symlinkSync(dataDir, join(dataDir, '../link'));
  const env = { PORT: '0', BACKUP_DIR: join(dataDir, '../link/new/backups'), BACKUP_WITH_KEY: 'no' };
  expect(await formstead(dataDir, ['serve'], env)).toEqual(refused(/is inside DATA_DIR/, 78));
});

test('a server that stops during a backup does not wait for it', async () => {
  const folder = newFolder();
  const server = await spawnServer(fresh(), { BACKUP_DIR: folder, BACKUP_WITH_KEY: 'no' });
  expect(await server.end()).toBe(0);
  expect(server.stdout()).not.toContain('"level":"error"');
});
