import { join } from 'node:path';
import { Report } from '../bench/report.ts';
import { clockJumps } from './clock-jumps.ts';
import { failedSync } from './failed-sync.ts';
import { fullDisk } from './full-disk.ts';
import { kills } from './kills.ts';
import { mixedLoad } from './mixed-load.ts';
import { powerCuts } from './power-cuts.ts';

const PIECES = {
  'full-disk': fullDisk,
  'failed-sync': failedSync,
  kills,
  'power-cuts': powerCuts,
  'clock-jumps': clockJumps,
  'mixed-load': mixedLoad,
};

const names = Bun.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(PIECES, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no ${unknown}; usage: bun run torture [${Object.keys(PIECES).join('] [')}]\n`);
  process.exit(2);
}

const progress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}\r`);
};
const report = new Report('bun run torture', [
  'Servers in processes of their own, on disks that run full and on disks whose syncs fail, while visitors post texts and',
  'files and keep a ledger of what was answered with yes. Each piece also runs alone: `bun run torture failed-sync`.',
]);
let isWell = true;
for (const [name, piece] of Object.entries(PIECES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  if ((await piece(report, progress)) === false) isWell = false;
}
// Some of the pieces are not the whole.
if (names.length === 0) await report.write(join(import.meta.dir, 'RESULTS.md'));
process.exit(isWell ? 0 : 1);
