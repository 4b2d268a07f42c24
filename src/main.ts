#!/usr/bin/env bun
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import type { CliIO } from './cli/command.ts';
import { type LoadedEnvironment, loadEnvironment } from './config/environment.ts';
import { loadConfig, loadServerSettings, loadSettings, secretTexts } from './config.ts';
import { AppError, SettingsError, SetupError } from './domain/errors.ts';
import { currentRelease, type Release } from './version.ts';

/** Maximum delay of the exit by a stalled reader of stdout or stderr. */
const FLUSH_MS = 2_000;
/** Command line prefix that runs this program. */
const PROGRAM = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];
/** Time for clients to receive pending responses after a disk failure. */
const FAILED_STOP_MS = 1_000;
/** Exit code for bad settings, EX_CONFIG of sysexits.h. The systemd unit does not restart after it. */
const BAD_SETTINGS_CODE = 78;
/** Variables of the process and the settings file. */
let environment: LoadedEnvironment = { env: process.env, file: null, sources: {} };

/** Runs the command in argv and returns its exit code. Modules are imported only by the command that needs them. */
async function main(): Promise<number> {
  const args = process.argv.slice(2);
  try {
    // Skip the command-line parser for a plain `serve`: loading it takes a tenth of the time to the first post.
    if (args.length === 1 && args[0] === 'serve') {
      readEnvironment(null);
      await serveUntilSignal();
      return 0;
    }
    const { runCommand } = await import('./cli/program.ts');
    return await runCommand(args, commandIO());
  } catch (error) {
    const isForOperator = error instanceof AppError || error instanceof SetupError || isSystemError(error);
    if (!isForOperator) throw error;
    const { errorText } = await import('./cli/error-text.ts');
    process.stderr.write(errorText(error, args.includes('--json')));
    return error instanceof SettingsError ? BAD_SETTINGS_CODE : 1;
  }
}

/** Returns the input, output and entry points of this process for commands. */
function commandIO(): CliIO {
  return {
    stdout,
    stderr: (text) => process.stderr.write(text),
    readEnvironment,
    settings,
    variable: (name) => process.env[name],
    secretSettings: () => secretTexts(process.env, readText),
    open: (isNew) => openContext({ ...loadSettings(process.env, readText), serving: false, isNew, release: null }),
    listenAddress: () => loadConfig(process.env),
    backupConfig: async () => {
      const { openBucket, storageAtRest } = await import('./context.ts');
      const { config, secrets } = loadSettings(process.env, readText);
      if (secrets.databaseUrl) throw new SetupError(NO_DATA_DIR);
      const { dataDir, minFreeBytes } = config;
      const bucket = await openBucket(config, secrets);
      return { dataDir, minFreeBytes, configuredKeys: secrets.encryptionKeys, storage: storageAtRest, bucket };
    },
    openMove: async (to, files) => (await import('./open-move.ts')).openMove(process.env, readText, to, files),
    openMoveSource: async () => (await import('./open-move.ts')).openMoveSource(process.env, readText),
    stdin: () => Bun.stdin.stream(),
    isStderrTty: process.stderr.isTTY === true,
    program: PROGRAM,
    serve: serveUntilSignal,
    prompt: process.stdin.isTTY && process.stderr.isTTY ? prompt : null,
  };
}

const NO_DATA_DIR =
  'backup and restore are for a data directory, but the rows are in the database of DATABASE_URL. Use pg_dump or continuous archiving for them, and versions of the bucket for files. "formstead restore --verify" without a backup then checks both.';

/**
 * Reads the settings file into the environment of this process, so that backups in a child process have the same
 * settings. Throws `SetupError`.
 */
function readEnvironment(envFile: string | null): void {
  environment = loadEnvironment({ ...process.env }, { envFile, program: PROGRAM });
  Object.assign(process.env, environment.env);
}

/** Returns the settings for `config` and `doctor`. Throws `SettingsError`. */
async function settings() {
  const [{ listSettings }, { nearMisses }] = await Promise.all([
    import('./config/list-settings.ts'),
    import('./config/near-misses.ts'),
  ]);
  const { config } = loadSettings(process.env, readText);
  const { dataDir, baseUrl } = config;
  const rows = listSettings(environment, config);
  return { rows, file: environment.file, dataDir, baseUrl, warnings: nearMisses(process.env) };
}

/** Reports whether this is a system error, such as ENOENT or ENOSPC, whose message is one line and names the path. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Writes to stdout. Returns a promise to wait for if the reader is slow. */
function stdout(output: string | Uint8Array): Promise<void> | undefined {
  if (process.stdout.write(output) || outputError) return undefined;
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = () => {
    process.stdout.off('drain', settle).off('error', settle);
    resolve();
  };
  process.stdout.on('drain', settle).on('error', settle);
  return promise;
}

/** Prompts on stderr, because stdout is for the command's output. */
async function prompt(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

type ContextOptions = ReturnType<typeof loadSettings> &
  Readonly<{ serving: boolean; isNew?: boolean | undefined; release: Release | null }>;

async function openContext(options: ContextOptions) {
  const { openContext } = await import('./context.ts');
  return openContext({
    ...options,
    writeLog: (line) => process.stdout.write(line),
    prettyLog: process.stdout.isTTY === true,
    program: PROGRAM,
    env: process.env,
  });
}

/** Highlights the lines that are only a link, on a terminal that shows colors. */
function highlightLinks(text: string): string {
  return text.replace(/^ {2}https?:\S+$/m, (line) => styleText(['bold', 'cyan'], line, { stream: process.stderr }));
}

function readText(path: string): string {
  return readFileSync(path, 'utf8');
}

async function serveUntilSignal(): Promise<void> {
  // Ignore repeated signals, as from a terminal and a parent process: the graceful shutdown has a deadline.
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve());
    // Stop with the `formstead` command of the npm package, also if it is killed.
    process.on('disconnect', () => resolve());
  });
  // Runs Git when started from source; loading the modules meanwhile takes longer.
  const release = currentRelease();
  const loaded = loadServerSettings(process.env, readText);
  const [{ serve }, { nearMisses }] = await Promise.all([import('./serve.ts'), import('./config/near-misses.ts')]);
  const context = await openContext({ ...loaded, serving: true, release: await release });
  try {
    for (const says of nearMisses(process.env)) context.log.warn('unknown setting', { says });
    const server = await serve(context, (text) => process.stderr.write(highlightLinks(text)));
    await Promise.race([signal.then(server.drain), context.disk.failure]);
    await server.stop(context.disk.hasFailed ? FAILED_STOP_MS : undefined);
  } finally {
    await context.close();
  }
  if (context.disk.hasFailed) await abort();
  context.log.info('stopped');
}

/** Kills the process: on a regular exit SQLite would write its WAL into the database after a possibly failed sync. */
async function abort(): Promise<void> {
  process.stderr.write(
    'formstead: A disk sync failed. Check the disk, then start again. Accepted submissions are safe.\n',
  );
  await flush(process.stdout);
  await flush(process.stderr);
  process.kill(process.pid, 'SIGKILL');
}

// Files in the data directory are readable by their owner only.
process.umask(0o077);
// A server keeps running if its log cannot be written; a command must fail if its output was not printed.
let outputError: Error | undefined;
process.stdout.on('error', (error) => {
  outputError ??= error;
});
let code = await main();
await flush(process.stdout);
if (outputError && code === 0) {
  process.stderr.write(`formstead: Could not write the output (${outputError.message}).\n`);
  code = 1;
}
await flush(process.stderr);
process.exit(code);

/**
 * Ends a stream and waits until it is flushed: neither `process.exit` nor the `write` callback waits for a full pipe.
 */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return Promise.race([new Promise<void>((done) => stream.end(done)), Bun.sleep(FLUSH_MS)]);
}
