import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROUNDS, runRounds, SECONDS, show } from './rounds.ts';
import type { Bench } from './run.ts';
import { type BenchServer, PRODUCT, startServer } from './servers.ts';
import { runWrk } from './wrk.ts';

const CONNECTIONS = 64;

/** Kinds of posts that `post.lua` sends, with their titles. */
const KINDS = { urlencoded: 'urlencoded, 170 bytes', file: 'multipart with a file of 100 KiB' } as const;

/** Measures the processor time, disk space and memory of a submission. */
export async function cost(bench: Bench): Promise<void> {
  for (const kind of Object.keys(KINDS) as Array<keyof typeof KINDS>) await costOf(kind, bench);
}

async function costOf(kind: keyof typeof KINDS, { report, fresh }: Bench): Promise<void> {
  const dataDir = fresh();
  const bare = await startServer('bare.ts', '');
  const ours = await startServer(PRODUCT, dataDir);
  const before = bytesIn(dataDir);
  const idle = ours.residentMiB();
  let accepted = 0;
  const micros = async (server: BenchServer) => {
    const began = server.cpuSeconds();
    const options = { connections: CONNECTIONS, seconds: SECONDS, script: 'post.lua', args: [kind] };
    const load = await runWrk(server.url, options);
    if (server === ours) accepted += load.requests;
    return ((server.cpuSeconds() - began) * 1e6) / load.requests;
  };
  const { bareMicros, ourMicros } = await runRounds(`cost, ${kind}`, {
    bareMicros: () => micros(bare),
    ourMicros: () => micros(ours),
  });
  const loaded = ours.residentMiB();
  await Promise.all([bare.stop(), ours.stop()]);
  report.section(
    `Cost of an accepted submission: ${KINDS[kind]}, ${CONNECTIONS} connections`,
    [
      ['resource', 'amount'],
      ['processor, all threads, µs', show(ourMicros, (x) => x, 1)],
      ['the same for a bare Bun.serve, µs', show(bareMicros, (x) => x, 1)],
      ['disk, bytes', ((bytesIn(dataDir) - before) / accepted).toFixed(0)],
      ['memory when idle, MiB', idle.toFixed(0)],
      [`memory after ${accepted.toLocaleString('en')} posts, MiB`, loaded.toFixed(0)],
    ],
    [
      `Processor time is from /proc/<pid>/stat over runs of ${SECONDS} s, ${ROUNDS} rounds.`,
      'Disk is the growth of the whole data directory, measured after a stop.',
    ],
  );
}

function bytesIn(dir: string): number {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
