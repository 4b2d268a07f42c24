import { afterAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, namedBlock } from '../../support/documents.ts';
import { stablePort } from '../../support/free-port.ts';
import { nextVersion, SECOND } from '../../support/next-version.ts';
import { formstead, spawnServer } from '../../support/process.ts';
import { numbersIn, postNumber, startBackupServer } from './backup-server.ts';

const origin = await startBackupServer();
const binary = await commandFolder(origin.dir);
afterAll(() => rmSync(origin.dir, { recursive: true }));

/** Runs commands of the manual with `formstead` from the folder `programs`. Returns their output. */
async function follow(commands: string, folder: string, programs = binary): Promise<string> {
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    env: { PATH: `${programs}:${Bun.env.PATH}`, DATA_DIR: 'data' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  if (code !== 0) throw new Error(`${commands} ended with ${code}: ${stderr}`);
  return stdout;
}

test('the commands of the manual restore everything on another machine from the copies it tells to keep', async () => {
  for (let n = 0; n < 10; n++) {
    expect(await postNumber(origin.server.url, origin.form, n, n % 2 === 0 ? 20_000 : null)).toBe(200);
  }
  await follow(namedBlock('keep'), origin.dir);
  await origin.server.end('SIGKILL');

  const elsewhere = join(origin.dir, 'elsewhere');
  mkdirSync(elsewhere);
  for (const name of ['backups', 'kept.key']) renameSync(join(origin.dir, name), join(elsewhere, name));
  rmSync(origin.dataDir, { recursive: true });
  cpSync(elsewhere, join(origin.dir, 'rehearsal'), { recursive: true });
  const said = await follow(namedBlock('drill'), elsewhere);
  expect(said).toMatch(/^database +ok +Intact; schema /m);
  expect(said).toContain('frm_');
  const env = { ENCRYPTION_KEY_FILE: join(elsewhere, 'kept.key') };
  const restored = join(elsewhere, 'drill');
  expect([...(await numbersIn(restored, origin, env))].sort()).toEqual([...'0123456789']);

  // Check the restored key in its place too.
  renameSync(join(elsewhere, 'kept.key'), join(restored, 'encryption.key'));
  expect(await formstead(restored, ['doctor'])).toMatchObject({ code: 0 });
  const again = await spawnServer(restored);
  expect(await postNumber(again.url, origin.form, 10, null)).toBe(200);
  expect(await again.end()).toBe(0);
});

test('an upgrade is rehearsed by the drill with a backup of an earlier version, whose migration a start of the server does', async () => {
  const next = join(origin.dir, 'next');
  mkdirSync(next);
  const command = nextVersion().command.map((word) => `'${word}'`);
  writeFileSync(join(next, 'formstead'), `#!/bin/sh\nexec ${command.join(' ')} "$@"\n`);
  chmodSync(join(next, 'formstead'), 0o755);
  const folder = join(origin.dir, 'rehearsal');
  const [before, after] = namedBlock('drill').split(/(?<=\n)(?=formstead doctor\n)/);
  const rehearse = namedBlock('rehearse').replaceAll('3001', String(stablePort()));
  const said = await follow(`${before}${rehearse}${after}`, folder, next);
  expect(said).toMatch(new RegExp(`^database +ok +Intact; schema ${SECOND}`, 'm'));
  expect(said).toContain('frm_');
});
