import { showSpread, spreadOf } from './report.ts';
import type { Load } from './wrk.ts';

export const ROUNDS = Number(Bun.env.BENCH_ROUNDS ?? 5);
export const SECONDS = Number(Bun.env.BENCH_SECONDS ?? 3);

/** Runs all contenders one after the other in each round. The first round is a warm-up that does not count. */
export async function runRounds<Name extends string, Result>(
  title: string,
  contenders: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of names) {
      process.stderr.write(`\r${title}, round ${round} of ${ROUNDS}: ${name.padEnd(40)}`);
      const result = await contenders[name]();
      if (round > 0) results[name].push(result);
    }
  }
  process.stderr.write(`\r${' '.repeat(80)}\r`);
  return results;
}

/** Formats one figure of all rounds as `47,012 (45,100 to 48,033)`. */
export function show<Result>(results: readonly Result[], of: (result: Result) => number, digits = 0): string {
  return showSpread(spreadOf(results.map(of)), digits);
}

export const LOAD_HEAD = ['a second', 'p50 ms', 'p99 ms', 'p99.9 ms'] as const;

/** Returns the cells under `LOAD_HEAD`. */
export function loadCells(loads: readonly Load[]): string[] {
  return [
    show(loads, ({ perSecond }) => perSecond),
    show(loads, ({ p50 }) => p50, 2),
    show(loads, ({ p99 }) => p99, 2),
    show(loads, ({ p999 }) => p999, 2),
  ];
}

/** Returns the ratio of the throughputs over all rounds. */
export function timesAsFast(loads: readonly Load[], others: readonly Load[]) {
  return spreadOf(loads.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)));
}

/** Formats a goal, the measured figures and `met` or `not met`. */
export function goal(aim: string, measured: ReturnType<typeof spreadOf>, isMet: (median: number) => boolean): string {
  return `Goal: ${aim}. ${showSpread(measured, 2)}: ${isMet(measured.median) ? 'met' : 'not met'}.`;
}
