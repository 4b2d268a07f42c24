import { loadavg } from 'node:os';
import { join } from 'node:path';
import { Report } from '../bench/report.ts';
import { clockJumps } from './clock-jumps.ts';
import { failedSync } from './failed-sync.ts';
import { fullDisk } from './full-disk.ts';
import { kills } from './kills.ts';
import { mixedLoad } from './mixed-load.ts';
import { powerCuts } from './power-cuts.ts';

const PIECES = {
  kills,
  'power-cuts': powerCuts,
  'full-disk': fullDisk,
  'failed-sync': failedSync,
  'clock-jumps': clockJumps,
  'mixed-load': mixedLoad,
};
const RESULTS = join(import.meta.dir, 'RESULTS.md');

const names = Bun.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(PIECES, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no ${unknown}; usage: bun run torture [${Object.keys(PIECES).join('] [')}]\n`);
  process.exit(2);
}

const progress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}\r`);
};
const fresh = new Map<string, string>();
let isWell = true;
for (const [name, piece] of Object.entries(PIECES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const own = new Report('', []);
  const began = performance.now();
  if ((await piece(own, progress)) === false) isWell = false;
  const minutes = Math.ceil((performance.now() - began) / 60_000);
  const load = (loadavg()[0] ?? 0).toFixed(1);
  const day = new Date().toISOString().slice(0, 10);
  fresh.set(
    name,
    `${markOf(name)}\n\n${own.text}\n- ${day}, ${minutes} min; the load average of the machine was ${load} at the end.`,
  );
}

// What was not run anew stays as it is.
const report = new Report('bun run torture', [
  'Servers in processes of their own that are killed, whose power is cut, on disks that run full and on disks whose syncs',
  'fail, with clocks that jump and under everything at once, while visitors post texts and files and keep a ledger of what',
  'was answered with yes. Each piece also runs alone, as with `bun run torture kills`, and its part here is replaced.',
]);
const parts = (await Bun.file(RESULTS).text()).trimEnd().split(/\n\n(?=<!-- )/);
for (const name of Object.keys(PIECES)) {
  report.add(fresh.get(name) ?? parts.find((part) => part.startsWith(markOf(name))) ?? '');
}
await report.write(RESULTS);
process.exit(isWell ? 0 : 1);

function markOf(name: string): string {
  return `<!-- ${name} -->`;
}
