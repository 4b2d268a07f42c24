import type { CliIO } from './command.ts';

const INTERVAL_MS = 1_000;

/** Awaits `work` and writes a line with its progress every second, if stderr is a terminal. */
export async function withProgress<T>(cliIO: CliIO, progress: () => string, work: Promise<T>): Promise<T> {
  const { isStderrTty, stderr } = cliIO;
  const timer = setInterval(() => isStderrTty && stderr(`${progress()}\n`), INTERVAL_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
