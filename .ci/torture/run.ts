import { join } from 'node:path';
import { Report } from '../bench/report.ts';
import { clockJumps } from './clock-jumps.ts';
import { failedSync } from './failed-sync.ts';
import { floods } from './floods.ts';
import { fullDisk } from './full-disk.ts';
import { kills } from './kills.ts';
import { mixedLoad } from './mixed-load.ts';
import { postgresFailover } from './postgres-failover.ts';
import { postgresKills } from './postgres-kills.ts';
import { postgresServers } from './postgres-servers.ts';
import { powerCuts } from './power-cuts.ts';
import { purges } from './purges.ts';
import { rollingDeploys } from './rolling-deploys.ts';

const PIECES = {
  kills,
  'power-cuts': powerCuts,
  purges,
  'full-disk': fullDisk,
  'failed-sync': failedSync,
  'clock-jumps': clockJumps,
  'mixed-load': mixedLoad,
  floods,
  'postgres-kills': postgresKills,
  'postgres-servers': postgresServers,
  'postgres-failover': postgresFailover,
  'rolling-deploys': rollingDeploys,
};
const RESULTS = join(import.meta.dir, 'RESULTS.md');

const names = Bun.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(PIECES, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no ${unknown}; usage: bun run bench torture [${Object.keys(PIECES).join('] [')}]\n`);
  process.exit(2);
}

const progress = (text: string) => {
  if (process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(78)}\r`);
};
let isWell = true;
for (const [name, piece] of Object.entries(PIECES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const report = new Report('bun run bench torture', [
    'Server processes that are killed or lose power, on disks that fill up or whose syncs fail, with clock jumps and',
    'under mixed load, while clients post texts and files and record every acknowledgment; and servers flooded with posts.',
    'A part that is run alone replaces its section here.',
  ]);
  if ((await piece(report, progress)) === false) isWell = false;
  await report.writePart(RESULTS, name, Object.keys(PIECES));
}
process.exit(isWell ? 0 : 1);
