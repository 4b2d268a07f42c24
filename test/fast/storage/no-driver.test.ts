import { expect, test } from 'bun:test';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from '../../support/instance.ts';

const CONTEXT = join(import.meta.dir, '../../../src/context/context.ts');
const CONFIG = join(import.meta.dir, '../../../src/config/config.ts');

/** Opens a context as a server does and prints which modules of PostgreSQL the process has loaded. */
const PRINT_LOADED = `
  const { openContext } = await import(${JSON.stringify(CONTEXT)});
  const { loadSettings } = await import(${JSON.stringify(CONFIG)});
  const options = { ...loadSettings(process.env, () => ''), writeLog() {}, prettyLog: false, serving: true };
  const failure = await openContext(options).then((context) => context.close(), String);
  const isDriver = (path) => /node_modules\\/pg[-\\/]|node-postgres|storage\\/postgres/.test(path);
  const loaded = Object.keys(require.cache).filter(isDriver);
  console.log(JSON.stringify({ loaded: loaded.length, failure: failure ?? null }));
  process.exit();`;

async function loadedWith(env: Record<string, string>): Promise<Readonly<{ loaded: number; failure: string | null }>> {
  const dataDir = temporaryDir();
  const child = Bun.spawn([process.execPath, '-e', PRINT_LOADED], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, ...env },
    stdout: 'pipe',
    stderr: 'inherit',
  });
  const output = await child.stdout.text();
  rmSync(dataDir, { recursive: true });
  return JSON.parse(output);
}

test('a server without DATABASE_URL loads nothing of PostgreSQL, and one with it does', async () => {
  expect(await loadedWith({})).toEqual({ loaded: 0, failure: null });
  const url = 'postgres://127.0.0.1:1/none';
  const connecting = await loadedWith({ DATABASE_URL: url, ENCRYPTION_KEY: 'ab'.repeat(32) });
  expect(connecting.failure).toContain('cannot connect to the database');
  expect(connecting.loaded).toBeGreaterThan(10);
});
