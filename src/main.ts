#!/usr/bin/env bun
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import type { RunningDemo } from './cli/command.ts';
import { loadServerSettings } from './config/config.ts';
import { type Host, openInstance, readText, runProgram } from './run-program.ts';
import { currentRelease } from './version.ts';

/** Maximum delay of the exit by a stalled reader of stdout or stderr. */
const FLUSH_MS = 2_000;
/** Time for clients to receive pending responses after a disk failure. */
const FAILED_STOP_MS = 1_000;

/** This process as commands see it. */
const HOST: Host = {
  stdout,
  stderr: (text) => process.stderr.write(text),
  stdin: () => Bun.stdin.stream(),
  isStderrTty: isatty(2),
  program: Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, Bun.main],
  serve: serveUntilSignal,
  runDemo: demoUntilSignal,
  prompt: isatty(0) && isatty(2) ? prompt : null,
  env: process.env,
  writeLog: (line) => process.stdout.write(line),
  prettyLog: isatty(1),
};

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

/** Highlights the lines that are only a link, on a terminal that shows colors. */
function highlightLinks(text: string): string {
  return text.replace(/^ {2}https?:\S+$/m, (line) => styleText(['bold', 'cyan'], line, { stream: process.stderr }));
}

/** Resolves at the first signal to stop. Ignores repeated ones, as from a terminal and a parent process: stopping has a deadline. */
function stopSignal(): Promise<void> {
  return new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve());
    // Stop with the `formstead` command of the npm package, also if it is killed.
    process.on('disconnect', () => resolve());
  });
}

async function demoUntilSignal(isPublic: boolean, print: (demo: RunningDemo) => void): Promise<void> {
  const signal = stopSignal();
  const { startDemo } = await import('./demo/demo.ts');
  const demo = await startDemo({ env: process.env, isPublic, writeLog: HOST.stderr });
  try {
    print(demo);
    await signal;
  } finally {
    await demo.stop();
  }
}

async function serveUntilSignal(): Promise<void> {
  const signal = stopSignal();
  // Runs Git when started from source; loading the modules meanwhile takes longer.
  const release = currentRelease();
  const loaded = loadServerSettings(process.env, readText);
  const [{ serve }, { nearMisses }] = await Promise.all([import('./serve.ts'), import('./config/near-misses.ts')]);
  const context = await openInstance({ ...loaded, serving: true, release: await release }, HOST);
  try {
    for (const hint of nearMisses(process.env)) context.log.warn('unknown setting', { hint });
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
let code = await runProgram(process.argv.slice(2), HOST);
await flush(process.stdout);
if (outputError && code === 0) {
  process.stderr.write(`formstead: Could not write the output (${outputError.message}).\n`);
  code = 1;
}
await flush(process.stderr);
process.exit(code);

/** Ends a stream and waits until it is flushed: neither `process.exit` nor the callback of `write` waits for a pipe. */
function flush(stream: NodeJS.WriteStream): Promise<void> {
  return Promise.race([new Promise<void>((done) => stream.end(done)), Bun.sleep(FLUSH_MS)]);
}
