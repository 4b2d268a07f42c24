import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Subprocess } from 'bun';

/** A server in a process of its own. `cpuSeconds` returns the processor time of all its threads and children. */
export type BenchServer = Readonly<{
  url: string;
  residentMiB: () => number;
  cpuSeconds: () => number;
  stop: () => Promise<void>;
}>;

type Options = Readonly<{ env?: Readonly<Record<string, string>>; runtime?: string }>;

/** Clock ticks per second, the unit of processor time in /proc. */
const TICKS_PER_SECOND = 100;

/** Running servers, which are killed when this process exits. */
const running = new Set<Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill();
});

/** Settings that turn limits of a client off, since all load comes from one address and one key. */
const NO_CLIENT_LIMITS = {
  BODY_MEMORY_BYTES: String(1024 ** 3),
  POSTS_PER_MINUTE: '0',
  UPLOAD_BYTES_PER_MINUTE: '0',
  UPLOAD_BYTES_PER_HOUR: '0',
  READS_PER_MINUTE: '0',
  PAGES_PER_MINUTE: '0',
  WRITES_PER_MINUTE: '0',
};

/** Path of Formstead, for `startServer`. */
export const PRODUCT = '../../src/main.ts';

/** Starts a script of this folder or Formstead, and waits until it prints its address. */
export async function startServer(
  script: string,
  dataDir: string,
  { env = {}, runtime = 'bun' }: Options = {},
): Promise<BenchServer> {
  const child = Bun.spawn([runtime, join(import.meta.dir, script)], {
    env: { PATH: Bun.env.PATH ?? '', DATA_DIR: dataDir, PORT: '0', ...NO_CLIENT_LIMITS, ...env },
    stdout: 'pipe',
    stderr: 'ignore',
  });
  running.add(child);
  let output = '';
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout.values({ preventCancel: true })) {
    output += decoder.decode(chunk);
    // Formstead prints its first form before the line "listening".
    if (output.includes('"listening"') || (!output.startsWith('{') && /^http.*\n/m.test(output))) break;
  }
  const url =
    /"endpoint":"([^"]+)"/.exec(output)?.[1] ??
    /"url":"([^"]+)"/.exec(output)?.[1] ??
    /^http\S+/m.exec(output)?.[0] ??
    '';
  if (!url) throw new Error(`${script} exited without printing an address`);
  return {
    url,
    residentMiB: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    cpuSeconds: () => cpuSeconds(child.pid),
    stop: async () => {
      running.delete(child);
      child.kill();
      await child.exited;
    },
  };
}

function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, id) => sum + cpuSeconds(Number(id)), (Number(user) + Number(system)) / TICKS_PER_SECOND);
}
