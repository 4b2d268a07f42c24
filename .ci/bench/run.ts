import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { compare } from './compare.ts';
import { cost } from './cost.ts';
import { growth } from './growth.ts';
import { postgres } from './postgres.ts';
import { posts } from './posts.ts';
import { profile } from './profile.ts';
import { reads } from './reads.ts';
import { Report } from './report.ts';
import { scoring } from './scoring.ts';
import { stalls } from './stalls.ts';

/** The report for the tables of a part, and a function that creates an empty folder. */
export type Bench = Readonly<{ report: Report; fresh: () => string }>;

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  posts,
  profile,
  compare,
  reads,
  growth,
  postgres,
  cost,
  scoring,
  stalls,
  budgets: async ({ report }) => budgets(report),
};
/** The parts that load no server. */
const WITHOUT_WRK = ['scoring', 'budgets'];
const names = Object.keys(PARTS);
const selected = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = selected.filter((name) => !names.includes(name));
if (unknown.length > 0)
  fail(`unknown part ${unknown.join(', ')}; choose from ${names.join(', ')}, or pass none to run all`);
if (selected.some((name) => !WITHOUT_WRK.includes(name)) && !Bun.which('wrk'))
  fail('wrk is not installed; on Debian: apt-get install wrk');

const wrk = Bun.which('wrk') ? `, ${Bun.spawnSync(['wrk', '-v']).stdout.toString().split(' [')[0]}` : '';
const scratch = mkdtempSync(join(tmpdir(), 'formstead-bench-'));
const fresh = () => mkdtempSync(join(scratch, 'data-'));
// Remove gigabytes of data also after Ctrl+C.
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

for (const name of selected) {
  // The load of other processes; the benchmark itself adds two.
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const report = new Report(
    'bun run bench',
    [
      'Every figure is the median of the rounds, followed by the lowest and the highest. The contenders alternate in each round,',
      'after a warm-up round, so that other load on the machine affects all of them alike. Compare figures within one table only.',
      'Each part can be run alone; the other parts of this page stay as they are.',
    ],
    `${wrk}; load ${load} before`,
  );
  await PARTS[name]?.({ report, fresh });
  await report.writePart(join(import.meta.dir, 'RESULTS.md'), name, names);
}

function fail(message: string): never {
  process.stderr.write(`bench: ${message}\n`);
  process.exit(1);
}
