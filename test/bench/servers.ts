import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';

/** `cpuSeconds` is what all its threads have used so far. */
export type BenchServer = Readonly<{
  url: string;
  residentMiB: () => number;
  cpuSeconds: () => number;
  stop: () => Promise<void>;
}>;

type Options = Readonly<{ env?: Readonly<Record<string, string>>; runtime?: string }>;

/** Clock ticks a second, in which the system counts the time of processes. */
const TICKS = 100;

/** Those that nobody stopped end with this process, whatever ended it. */
const running = new Set<Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** Rates are off: all load comes from one address and one key, which they are there to slow down. */
const RATES_OFF = { POSTS_PER_MINUTE: '0', READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' };

/** The product, for `startServer`. */
export const PRODUCT = '../../src/main.ts';

/** Starts a script of this folder, or the product itself, and waits for the address it prints. */
export async function startServer(
  script: string,
  dataDir: string,
  { env = {}, runtime = 'bun' }: Options = {},
): Promise<BenchServer> {
  const child = Bun.spawn([runtime, join(import.meta.dir, script)], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0', ...RATES_OFF, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  running.add(child);
  let output = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout.values({ preventCancel: true })) {
    output += decoder.decode(chunk);
    // The product prints its first form before it says that it listens.
    if (output.includes('"listening"') || (!output.startsWith('{') && /^http.*\n/m.test(output))) break;
  }
  const url =
    /"endpoint":"([^"]+)"/.exec(output)?.[1] ??
    /"url":"([^"]+)"/.exec(output)?.[1] ??
    /^http\S+/m.exec(output)?.[0] ??
    '';
  if (!url) throw new Error(`${script} ended before it had an address`);
  return {
    url,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuSeconds: () => {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13);
      return (Number(user) + Number(system)) / TICKS;
    },
    stop: async () => {
      running.delete(child);
      child.kill();
      await child.exited;
    },
  };
}
