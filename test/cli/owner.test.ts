import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { nextVersion } from '../support/next-version.ts';
import { formstead, spawnServer } from '../support/process.ts';
import { createTeamWithForm, dataDirs, instances, json, post } from './command-line.ts';
import { asService, giveToService, pathsIn, SERVICE, serveAsService } from './service-user.ts';

const fresh = dataDirs();
const newInstance = instances();

/** Returns a data directory of the service with one submission that has a file. */
async function dataDirOfService(): Promise<{ dataDir: string; formId: string }> {
  const dataDir = newInstance();
  const { form } = await createTeamWithForm(dataDir);
  giveToService(dataDir);
  const server = await serveAsService(dataDir);
  expect((await post(server.url, form.id, 'one')).status).toBe(200);
  expect(await server.end()).toBe(0);
  return { dataDir, formId: form.id };
}

/** Returns the files and folders that do not belong to the service. */
const strayIn = (folder: string) => pathsIn(folder).filter((path) => lstatSync(path).uid !== SERVICE);

describe('files made by a command of another user belong to the owner of their folder', () => {
  test('after vault rotate, and the server of that owner still starts', async () => {
    const { dataDir, formId } = await dataDirOfService();
    for (const command of ['vault rotate', 'vault list', 'team list', 'vault check'])
      expect([command, (await formstead(dataDir, [...command.split(' '), '--json'])).code]).toEqual([command, 0]);
    expect(strayIn(dataDir)).toEqual([]);
    expect(readdirSync(dataDir)).toContain('keys.lock');
    const findings = await json<Array<{ check: string; state: string }>>(dataDir, ['doctor'], {}, formstead);
    expect(findings.find(({ check }) => check === 'permissions')?.state).toBe('ok');
    const server = await serveAsService(dataDir);
    expect((await post(server.url, formId, 'two')).status).toBe(200);
    expect(await server.end()).toBe(0);
  });

  test('after backup into a folder of that owner, and after restore of it into another', async () => {
    const { dataDir, formId } = await dataDirOfService();
    const [backups, restored] = [fresh(), fresh()];
    for (const folder of [backups, restored]) {
      mkdirSync(folder, { mode: 0o700 });
      giveToService(folder);
    }
    expect((await formstead(dataDir, ['backup', backups, '--with-key'])).code).toBe(0);
    expect(strayIn(backups)).toEqual([]);
    expect(strayIn(dataDir)).toEqual([]);
    const [backup = ''] = readdirSync(backups);
    expect((await formstead(restored, ['restore', join(backups, backup)])).stderr).not.toContain('formstead:');
    expect(strayIn(restored)).toEqual([]);
    const server = await serveAsService(restored);
    expect((await post(server.url, formId, 'two')).status).toBe(200);
    expect(await server.end()).toBe(0);
  });

  test('and a server that may not use one of them says so', async () => {
    const { dataDir } = await dataDirOfService();
    const start = () => serveAsService(dataDir).then(String, String);
    chmodSync(join(dataDir, 'files'), 0o000);
    expect(await start()).toMatch(/cannot use the folder .*files \(EACCES\)\. Make it and its files readable/);
    const { stdout } = await formstead(dataDir, ['doctor'], {}, await asService(dataDir));
    expect(stdout).toMatch(/start +broken +cannot use the folder/);
    chmodSync(join(dataDir, 'files'), 0o700);
    chmodSync(join(dataDir, 'formstead.db'), 0o400);
    const says = /cannot use .*formstead\.db: it is read-only\. Make DATA_DIR and its files writable/;
    expect(await start()).toMatch(says);
  });

  test('and a server says so where SQLite may not write its log', async () => {
    const { dataDir, formId } = await dataDirOfService();
    const server = await serveAsService(dataDir);
    expect((await post(server.url, formId, 'two')).status).toBe(200);
    await server.end('SIGKILL');
    // Without another connection, SQLite deletes a log that was checkpointed.
    using other = new Database(join(dataDir, 'formstead.db'));
    other.query('SELECT id FROM forms').all();
    for (const name of ['formstead.db-wal', 'formstead.db-shm']) chmodSync(join(dataDir, name), 0o400);
    const says = await serveAsService(dataDir).then(String, String);
    expect(says).toMatch(/cannot use .*\. Make DATA_DIR and its files writable for the user that runs Formstead/);
  });

  test('after an upgrade of the database, which copies it first', async () => {
    const { dataDir } = await dataDirOfService();
    expect(await (await spawnServer(dataDir, {}, nextVersion())).end()).toBe(0);
    expect(readdirSync(dataDir).some((name) => name.includes('.before-'))).toBe(true);
    expect(strayIn(dataDir)).toEqual([]);
  });
});
