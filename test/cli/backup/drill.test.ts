import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, namedBlock } from '../../support/documents.ts';
import { formstead, spawnServer } from '../../support/process.ts';
import { numbersIn, postNumber, startBackupServer } from './backup-server.ts';

const origin = await startBackupServer();
afterAll(() => rmSync(origin.dir, { recursive: true }));

/** Runs the named block of the manual with `formstead` on the PATH. Returns its output. */
async function follow(name: string, folder: string): Promise<string> {
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', namedBlock(name)], {
    cwd: folder,
    env: { PATH: `${await commandFolder(origin.dir)}:${Bun.env.PATH}`, DATA_DIR: 'data' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
  return stdout;
}

test('the commands of the manual restore everything on another machine from the copies it tells to keep', async () => {
  for (let n = 0; n < 10; n++) {
    expect(await postNumber(origin.server.url, origin.form, n, n % 2 === 0 ? 20_000 : null)).toBe(200);
  }
  await follow('keep', origin.dir);
  await origin.server.end('SIGKILL');

  const elsewhere = join(origin.dir, 'elsewhere');
  mkdirSync(elsewhere);
  for (const name of ['backups', 'kept.key']) renameSync(join(origin.dir, name), join(elsewhere, name));
  rmSync(origin.dataDir, { recursive: true });
  const said = await follow('drill', elsewhere);
  expect(said).toMatch(/^database +ok +intact; schema /m);
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
