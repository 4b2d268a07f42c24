import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { formstead, spawnServer } from '../../support/process.ts';
import { keep, numbersIn, postNumber } from './keeping.ts';

const ROOT = join(import.meta.dir, '../../..');
const readme = await Bun.file(join(ROOT, 'README.md')).text();
const kept = await keep();
afterAll(() => rmSync(kept.dir, { recursive: true }));

/** Runs the commands that the README has under this word. */
async function follow(word: string, folder: string): Promise<string> {
  const commands = new RegExp(`\`\`\`sh ${word}\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (!commands) throw new Error(`the README has no ${word}`);
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands], {
    cwd: folder,
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: 'data' },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  if (code !== 0) throw new Error(`${word} ended with ${code}: ${stderr}`);
  return stdout;
}

test('with what the README says to keep, and its commands, everything is back on another machine', async () => {
  for (let n = 0; n < 10; n++) {
    expect(await postNumber(kept.server.url, kept.form, n, n % 2 === 0 ? 20_000 : null)).toBe(200);
  }
  symlinkSync(join(ROOT, 'src'), join(kept.dir, 'src'));
  await follow('keep', kept.dir);
  await kept.server.end('SIGKILL');

  const elsewhere = join(kept.dir, 'elsewhere');
  mkdirSync(elsewhere);
  for (const name of ['backups', 'kept.key']) renameSync(join(kept.dir, name), join(elsewhere, name));
  rmSync(kept.dataDir, { recursive: true });
  symlinkSync(join(ROOT, 'src'), join(elsewhere, 'src'));
  const said = await follow('drill', elsewhere);
  expect(said).toMatch(/^database +ok +whole; schema /m);
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
