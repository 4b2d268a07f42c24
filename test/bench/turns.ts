import { showSpread, spreadOf } from './report.ts';
import type { Load } from './wrk.ts';

export const ROUNDS = Number(Bun.env.BENCH_ROUNDS ?? 5);
export const SECONDS = Number(Bun.env.BENCH_SECONDS ?? 3);

/** Takes turns between the contenders for all rounds, after one warm-up that does not count. */
export async function takeTurns<Name extends string, Result>(
  what: string,
  contenders: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(contenders) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Result[]>;
  for (let round = 0; round <= ROUNDS; round++) {
    for (const name of names) {
      process.stderr.write(`\r${what}, round ${round} of ${ROUNDS}: ${name.padEnd(40)}`);
      const result = await contenders[name]();
      if (round > 0) results[name].push(result);
    }
  }
  process.stderr.write(`\r${' '.repeat(80)}\r`);
  return results;
}

/** `47,012 (45,100 to 48,033)` of one figure of all rounds. */
export function show<Result>(results: readonly Result[], of: (result: Result) => number, digits = 0): string {
  return showSpread(spreadOf(results.map(of)), digits);
}

export const LOAD_HEAD = ['a second', 'p50 ms', 'p99 ms', 'p99.9 ms'] as const;

/** The cells of `LOAD_HEAD`. */
export function loadCells(loads: readonly Load[]): string[] {
  return [
    show(loads, ({ perSecond }) => perSecond),
    show(loads, ({ p50 }) => p50, 2),
    show(loads, ({ p99 }) => p99, 2),
    show(loads, ({ p999 }) => p999, 2),
  ];
}

/** How many times as fast as the other, round by round. */
export function timesAsFast(loads: readonly Load[], others: readonly Load[]) {
  return spreadOf(loads.map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? Number.NaN)));
}

/** A goal and what was reached, with the word for it. */
export function goal(aim: string, reached: ReturnType<typeof spreadOf>, isMet: (median: number) => boolean): string {
  return `Goal: ${aim}. ${showSpread(reached, 2)}: ${isMet(reached.median) ? 'met' : 'not met'}.`;
}
