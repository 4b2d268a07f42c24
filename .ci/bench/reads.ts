import { type Grown, grow, type Read } from './grown.ts';
import { LOAD_HEAD, loadCells, ROUNDS, runRounds, SECONDS } from './rounds.ts';
import type { Bench } from './run.ts';
import { PRODUCT, startServer } from './servers.ts';
import { type Load, runWrk } from './wrk.ts';

export const READ_CONNECTIONS = 16;

export const READS: Readonly<Record<Read, string>> = {
  page: 'page of 50',
  single: 'single submission',
  usage: 'usage',
  list: 'list of the dashboard',
};

/** Runs wrk once with one kind of read. */
export function read(url: string, grown: Grown, kind: Read): Promise<Load> {
  const args = grown.reads[kind];
  return runWrk(url, { connections: READ_CONNECTIONS, seconds: SECONDS, script: 'get.lua', args });
}

/** Measures the most frequent reads of the management API and the dashboard. */
export async function reads({ report, fresh }: Bench): Promise<void> {
  const grown = await grow(fresh(), 1_000);
  const server = await startServer(PRODUCT, grown.dataDir);
  const kinds = Object.keys(READS) as Read[];
  const contenders = kinds.map((kind) => [kind, () => read(server.url, grown, kind)] as const);
  const loads = await runRounds('reads', Object.fromEntries(contenders));
  await server.stop();
  report.section(
    `Reads of 1,000 submissions, ${READ_CONNECTIONS} connections`,
    [['read', ...LOAD_HEAD], ...kinds.map((kind) => [READS[kind], ...loadCells(loads[kind] ?? [])])],
    [
      `Command: wrk -t1 -c${READ_CONNECTIONS} -d${SECONDS}s -s .ci/bench/get.lua; ${ROUNDS} rounds, with a key or a session, spread over the whole table.`,
    ],
  );
}
