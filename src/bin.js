#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isRecentBun, MINIMUM_BUN } from './bun-version.js';

/**
 * The `formstead` command of the npm package, in JavaScript because Node runs no TypeScript in `node_modules`. Bun
 * imports the program; Node starts it with an installed Bun, or with one that npx downloads.
 */

const MAIN = new URL('./main.ts', import.meta.url);
const SIGNALS = ['SIGTERM', 'SIGINT'];
const PARENT_CHECK_MS = 200;
/** Windows finds `npx.cmd` and `bun.cmd` only through its shell. */
const shell = process.platform === 'win32';

// Settings come from the environment, as in the binary. The `.env` of the working directory belongs to another program.
process.env.BUN_OPTIONS = `${process.env.BUN_OPTIONS ?? ''} --no-env-file`.trim();
if (isRecentBun(process.versions.bun)) await import(MAIN.href);
else run(installedBun() ?? downloadedBun());

/**
 * Runs the program with the path of Bun, forwards signals and ends like it. The IPC channel closes if this process is
 * killed, which stops the server.
 */
function run(bun) {
  const args = [fileURLToPath(MAIN), ...process.argv.slice(2)];
  const child = spawn(bun, args, { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  if (process.env.npm_command === 'exec') stopWithParent(child);
  child.on('error', (error) => fail(`Could not run ${bun} (${error.message}). Install Bun again.`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

/** Stops the program if the parent process ends: npx forwards signals to its shell only, which ends without waiting. */
function stopWithParent(child) {
  const parent = process.ppid;
  const watch = () => process.ppid === parent || child.kill('SIGTERM');
  setInterval(watch, PARENT_CHECK_MS).unref();
}

/** Returns the path of the Bun in PATH; null without one, or if it is too old. */
function installedBun() {
  const { stdout } = spawnSync('bun', ['-p', 'process.versions.bun+process.execPath'], { encoding: 'utf8', shell });
  const [, version, path] = /^(\d+\.\d+\.\d+)(.+)/.exec(stdout ?? '') ?? [];
  return isRecentBun(version) ? path : null;
}

/** Returns the path of the Bun that npx downloads once and keeps in its cache. Its progress goes to stderr. */
function downloadedBun() {
  const args = ['--yes', `--package=bun@${MINIMUM_BUN}`, '--', 'bun', '-p', 'process.execPath'];
  // Set if this was run by `npx -c`, which takes no other command.
  const env = { ...process.env, npm_config_call: '' };
  const stdio = ['ignore', 'pipe', 'inherit'];
  const { status, stdout } = spawnSync('npx', args, { encoding: 'utf8', env, shell, stdio });
  if (status === 0) return stdout.trim();
  return fail(
    `Bun ${MINIMUM_BUN} or later is missing, and npx could not download it. Install it from https://bun.sh, then run this again.`,
  );
}

function fail(message) {
  process.stderr.write(`formstead: ${message}\n`);
  process.exit(1);
}
