#!/usr/bin/env bun
import { readFileSync } from 'node:fs';
import { loadConfig, loadSecrets } from './config.ts';
import { AppError, SetupError } from './domain/errors.ts';
import { printable } from './lib/table.ts';
import { currentRelease, type Release } from './version.ts';

/** How long a reader that has stalled may keep the process from ending. */
const FLUSH_MS = 2_000;
/** What a command line begins with to run this program. */
const PROGRAM = Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main];
/** How long those who ask have to take their answers once the disk has failed. */
const FAILED_STOP_MS = 1_000;

/** argv to one command, signals, exit code. What a command needs is loaded only when it runs. */
async function main(): Promise<number> {
  const args = process.argv.slice(2);
  try {
    // The usual start needs nothing of what reads a command line: that takes a tenth of the time to the first post.
    if (args.length === 1 && args[0] === 'serve') {
      await serveUntilSignal();
      return 0;
    }
    const { runCommand } = await import('./cli/program.ts');
    return await runCommand(args, {
      stdout,
      stderr: (text) => process.stderr.write(text),
      open: () => openContext(null),
      address: () => loadConfig(process.env),
      atRest: async () => {
        const { storageAtRest } = await import('./context.ts');
        const { dataDir, minFreeBytes } = loadConfig(process.env);
        return { dataDir, minFreeBytes, configuredKeys: secrets().encryptionKeys, storage: storageAtRest };
      },
      input: () => Bun.stdin.stream(),
      isWatched: process.stderr.isTTY === true,
      program: PROGRAM,
      serve: serveUntilSignal,
      ask: process.stdin.isTTY && process.stderr.isTTY ? prompt : null,
    });
  } catch (error) {
    const isForOperator = error instanceof AppError || error instanceof SetupError || isSystemError(error);
    if (!isForOperator) throw error;
    process.stderr.write(`formstead: ${printable(error.message)}\n`);
    return 1;
  }
}

/** A file that cannot be read, a disk that is full: its message names the path and is one line. */
function isSystemError(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/** Writes to stdout; a promise, while its reader is slower than we are. */
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

/** On stderr, since stdout is for what a command prints. */
async function prompt(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** Opens the context of a command, or of a server if the release to log is given. */
async function openContext(release: Release | null) {
  const { openContext } = await import('./context.ts');
  return openContext({
    config: loadConfig(process.env),
    secrets: secrets(),
    writeLog: (line) => process.stdout.write(line),
    prettyLog: process.stdout.isTTY === true,
    serving: release !== null,
    release,
    program: PROGRAM,
  });
}

function secrets() {
  return loadSecrets(process.env, (path) => readFileSync(path, 'utf8'));
}

async function serveUntilSignal(): Promise<void> {
  // Asked twice, as by a terminal and by a parent, it still finishes what is under way: that has a deadline.
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve());
  });
  // From source this runs Git, which needs no more time than the modules do.
  const release = currentRelease();
  const { serve } = await import('./serve.ts');
  const context = await openContext(await release);
  try {
    const server = await serve(context, (text) => process.stderr.write(text));
    await Promise.race([signal, context.disk.failure]);
    await server.stop(context.disk.hasFailed ? FAILED_STOP_MS : undefined);
  } finally {
    await context.close();
  }
  if (context.disk.hasFailed) await abort();
  context.log.info('stopped');
}

/** An orderly exit would let SQLite write its log into the database, after a sync of it may have failed. */
async function abort(): Promise<void> {
  process.stderr.write(
    'formstead: a sync of the disk failed. Look at the disk, then start again: what was answered with yes is kept.\n',
  );
  await flush(process.stdout);
  await flush(process.stderr);
  process.kill(process.pid, 'SIGKILL');
}

// What is made in the data directory is for the owner's eyes alone.
process.umask(0o077);
// A server goes on when its log cannot be written; a command must not claim that it printed what it did not.
let outputError: Error | undefined;
process.stdout.on('error', (error) => {
  outputError ??= error;
});
let code = await main();
await flush(process.stdout);
if (outputError && code === 0) {
  process.stderr.write(`formstead: the output could not be written (${outputError.message}).\n`);
  code = 1;
}
await flush(process.stderr);
process.exit(code);

/** A pipe takes 64 KiB at a time; exit does not wait for the rest, and neither does the callback of `write`. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return Promise.race([new Promise<void>((done) => stream.end(done)), Bun.sleep(FLUSH_MS)]);
}
