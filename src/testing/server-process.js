import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecentBun, MINIMUM_BUN } from '../bun-version.js';

/** Time for the server to exit before it is killed. */
const EXIT_MS = 5_000;
/** Length of the end of the log that an error shows. */
const LOG_LENGTH = 4_000;

/** The server: the bundle of an installed package, which starts faster, or the source in a checkout. */
const SERVER = ['../../dist/testing/server.js', './server.ts']
  .map((path) => fileURLToPath(new URL(path, import.meta.url)))
  .find((path) => path.endsWith('.ts') || (path.includes('node_modules') && existsSync(path)));

/** A Formstead server in a child process. It doesn't keep this process alive while no call is pending. */
export class ServerProcess {
  #scratchDir = join(tmpdir(), `formstead-testing-${randomUUID()}`);
  #pending = new Map();
  #calls = 0;
  #log = '';
  #isStopping = false;
  /** The reason for which calls fail; null while the server runs. */
  #failure = null;

  constructor() {
    // The folder of the server has no .env and no bunfig.toml that Bun would load.
    this.child = spawn(findBun(), [SERVER, this.#scratchDir], { cwd: dirname(SERVER), stdio: 'pipe' });
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => resolve(this.#end(`Could not run Bun: ${error.message}. Install Bun.`)));
      this.child.once('close', (code, signal) => resolve(this.#end(this.#describeEnd(code, signal))));
    });
    const { stdin, stdout, stderr } = this.child;
    // Writing to a server that has just ended fails; "close" reports it.
    stdin.on('error', () => {});
    readLines(stdout, (line) => this.#settle(JSON.parse(line)));
    stderr.setEncoding('utf8').on('data', (text) => {
      this.#log = (this.#log + text).slice(-LOG_LENGTH);
    });
    this.#keepAlive(false);
  }

  /** Calls a method of the server. Throws the server's message, or the end of its log if it has ended. */
  async call(method, ...args) {
    const id = ++this.#calls;
    const response = new Promise((resolve) => this.#pending.set(id, resolve));
    if (this.#failure === null) {
      this.#keepAlive(true);
      this.child.stdin.write(`${JSON.stringify({ id, method, args })}\n`);
    } else this.#settle({ id, error: this.#failure });
    const { result, error } = await response;
    // Created here, the error has the caller in its stack.
    if (error !== undefined) throw new Error(error);
    return result;
  }

  /** Stops the server and removes its files. Idempotent. */
  async stop() {
    this.#isStopping = true;
    this.#keepAlive(true);
    this.child.stdin.end();
    const timer = setTimeout(() => this.child.kill('SIGKILL'), EXIT_MS);
    await this.ended;
    clearTimeout(timer);
  }

  #settle({ id, ...response }) {
    const resolve = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0 && !this.#isStopping) this.#keepAlive(false);
    resolve?.(response);
  }

  #describeEnd(code, signal) {
    if (this.#isStopping) return 'The server is stopped. Start another one with startFormstead().';
    return `The Formstead server ended unexpectedly (${signal ?? `exit code ${code}`}). Its log ends with:\n${this.#log}`;
  }

  #end(failure) {
    this.#failure ??= failure;
    // A killed server leaves its files.
    rmSync(this.#scratchDir, { recursive: true, force: true });
    for (const id of this.#pending.keys()) this.#settle({ id, error: this.#failure });
  }

  /** Makes this process wait for the server, or lets it exit while the server runs. */
  #keepAlive(isNeeded) {
    const { child } = this;
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      if (isNeeded) handle.ref?.();
      else handle.unref?.();
    }
  }
}

/** Calls `onLine` with each line of a stream. */
function readLines(stream, onLine) {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    lines.forEach(onLine);
  });
}

let found;

/**
 * Returns the path of Bun: the running one, the `bun` package of the project, or one in PATH. Throws if there is none that is
 * recent enough.
 */
function findBun() {
  if (isRecentBun(process.versions.bun)) return process.execPath;
  found ??= [installedBun(), 'bun'].find(isRecent);
  if (found) return found;
  throw new Error(
    `Formstead needs Bun ${MINIMUM_BUN} or later to run its server. Add it with "npm install --save-dev bun".`,
  );
}

/** Returns the path of Bun in the `bun` package; null without the package. */
function installedBun() {
  try {
    const manifest = createRequire(join(process.cwd(), 'package.json')).resolve('bun/package.json');
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.bun);
  } catch {
    return null;
  }
}

function isRecent(path) {
  if (path === null) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return isRecentBun(/^\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0]);
}
