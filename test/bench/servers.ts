import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type BenchServer = Readonly<{ url: string; residentMiB: () => number; stop: () => Promise<void> }>;

/** Rates are off: all load comes from one address and one key, which they are there to slow down. */
const RATES_OFF = { POSTS_PER_MINUTE: '0', READS_PER_MINUTE: '0', WRITES_PER_MINUTE: '0' };

/** Starts a script of this folder, or the product itself, and waits for the address it prints. */
export async function startServer(script: string, dataDir: string): Promise<BenchServer> {
  const child = Bun.spawn(['bun', join(import.meta.dir, script)], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0', ...RATES_OFF },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  let output = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout.values({ preventCancel: true })) {
    output += decoder.decode(chunk);
    // The product prints its first form before it says that it listens.
    if (output.includes('"listening"') || (!output.startsWith('{') && output.endsWith('\n'))) break;
  }
  const url = /"endpoint":"([^"]+)"/.exec(output)?.[1] ?? /"url":"([^"]+)"/.exec(output)?.[1] ?? output.trim();
  return {
    url,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    stop: async () => {
      child.kill();
      await child.exited;
    },
  };
}
