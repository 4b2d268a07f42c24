import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { budgets } from './budgets.ts';
import { cost } from './cost.ts';
import { growth } from './growth.ts';
import { peers } from './peers.ts';
import { posts } from './posts.ts';
import { profile } from './profile.ts';
import { reads } from './reads.ts';
import { Report } from './report.ts';

/** What a part needs: where its tables go, and an empty folder for each who asks. */
export type Bench = Readonly<{ report: Report; fresh: () => string }>;

const PARTS: Readonly<Record<string, (bench: Bench) => Promise<void>>> = {
  posts,
  profile,
  peers,
  reads,
  growth,
  cost,
  budgets: async ({ report }) => budgets(report),
};
const names = Object.keys(PARTS);
const wanted = process.argv.length > 2 ? process.argv.slice(2) : names;
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0)
  fail(`there is no part ${unknown.join(', ')}; name some of ${names.join(', ')}, or none for all`);
if (wanted.some((name) => name !== 'budgets') && !Bun.which('wrk'))
  fail('wrk is not installed; on Debian: apt-get install wrk');

const wrk = Bun.which('wrk') ? `, ${Bun.spawnSync(['wrk', '-v']).stdout.toString().split(' [')[0]}` : '';
const scratch = mkdtempSync(join(tmpdir(), 'formstead-bench-'));
const fresh = () => mkdtempSync(join(scratch, 'data-'));
// Gigabytes, which an end by hand must not leave behind.
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

for (const name of wanted) {
  // How many processes wanted a core before it began; those of the benchmark want two.
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const report = new Report(
    'bun run bench',
    [
      'Every figure is the median of the rounds, with the lowest and highest behind it. The contenders take turns in each round,',
      'after one that does not count, so that what else the machine does falls on all of them. Compare figures of one table only.',
      'Each part can be made by itself, which rewrites it and leaves the others.',
    ],
    `${wrk}; load ${load} before`,
  );
  await PARTS[name]?.({ report, fresh });
  await report.writePart(join(import.meta.dir, 'RESULTS.md'), name, names);
}

function fail(says: string): never {
  process.stderr.write(`bench: ${says}\n`);
  process.exit(1);
}
