#!/usr/bin/env bun
import { readFileSync } from 'node:fs';
import { runCommand } from './cli/program.ts';
import { loadConfig, loadSecrets } from './config.ts';
import { AppError, SetupError } from './domain/errors.ts';
import { printable } from './lib/table.ts';

/** argv to one command, signals, exit code. What a command needs is loaded only when it runs. */
async function main(): Promise<number> {
  try {
    return await runCommand(process.argv.slice(2), {
      say: (text) => process.stdout.write(text),
      complain: (text) => process.stderr.write(text),
      open: () => openContext(false),
      serve: serveUntilSignal,
    });
  } catch (error) {
    if (!(error instanceof AppError || error instanceof SetupError)) throw error;
    process.stderr.write(`formstead: ${printable(error.message)}\n`);
    return 1;
  }
}

async function openContext(serving: boolean) {
  const { openContext } = await import('./context.ts');
  return openContext({
    config: loadConfig(process.env),
    secrets: loadSecrets(process.env, (path) => readFileSync(path, 'utf8')),
    writeLog: (line) => process.stdout.write(line),
    logForPerson: process.stdout.isTTY === true,
    serving,
  });
}

async function serveUntilSignal(): Promise<void> {
  const { serve } = await import('./serve.ts');
  const context = await openContext(true);
  // Asked twice, as by a terminal and by a parent, it still finishes what is under way: that has a deadline.
  const signal = new Promise<void>((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => resolve());
  });
  try {
    const server = await serve(context, (text) => process.stderr.write(text));
    await signal;
    await server.stop();
  } finally {
    await context.close();
  }
}

// What is made in the data directory is for the owner's eyes alone.
process.umask(0o077);
const code = await main();
// A pipe takes 64 KiB at a time; exit does not wait for the rest, and neither does the callback of `write`.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise<void>((done) => stream.end(done))));
process.exit(code);
