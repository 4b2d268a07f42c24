import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { commandFolder, namedBlock } from '../../support/documents.ts';
import { formstead, spawnServer } from '../../support/process.ts';
import { keep, numbersIn, postNumber } from './keeping.ts';

const kept = await keep();
afterAll(() => rmSync(kept.dir, { recursive: true }));

/** Runs the block of the manual with this name, with `formstead` on the path. Returns its output. */
async function follow(name: string, folder: string): Promise<string> {
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', namedBlock(name)], {
    cwd: folder,
    env: { PATH: `${await commandFolder(kept.dir)}:${Bun.env.PATH}`, DATA_DIR: 'data' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${stderr}`);
  return stdout;
}

test('with the copies that the manual says to keep, and its commands, everything is back on another machine', async () => {
  for (let n = 0; n < 10; n++) {
    expect(await postNumber(kept.server.url, kept.form, n, n % 2 === 0 ? 20_000 : null)).toBe(200);
  }
  await follow('keep', kept.dir);
  await kept.server.end('SIGKILL');

  const elsewhere = join(kept.dir, 'elsewhere');
  mkdirSync(elsewhere);
  for (const name of ['backups', 'kept.key']) renameSync(join(kept.dir, name), join(elsewhere, name));
  rmSync(kept.dataDir, { recursive: true });
  const said = await follow('drill', elsewhere);
  expect(said).toMatch(/^database +ok +intact; schema /m);
  expect(said).toContain('frm_');
  const env = { ENCRYPTION_KEY_FILE: join(elsewhere, 'kept.key') };
  const restored = join(elsewhere, 'drill');
  expect([...(await numbersIn(restored, kept, env))].sort()).toEqual([...'0123456789']);

  // And with the key put back to its place.
  renameSync(join(elsewhere, 'kept.key'), join(restored, 'encryption.key'));
  expect(await formstead(restored, ['doctor'])).toMatchObject({ code: 0 });
  const again = await spawnServer(restored);
  expect(await postNumber(again.url, kept.form, 10, null)).toBe(200);
  expect(await again.end()).toBe(0);
});
