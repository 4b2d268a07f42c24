import { HOUR } from '../../lib/clock.ts';
import { newestBackup } from '../../services/backups.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

/** How many times later than it should be the next one may be. */
const MOST_INTERVALS = 2;

/** Whether backups are made, and how old the newest is. */
export async function backups({ config, clock, isServed }: CommandContext): Promise<Finding> {
  const check = 'backups';
  const { backupDir: folder, backupHours: hours } = config;
  if (folder === null) {
    return { check, state: 'off', says: 'none are made by themselves: set BACKUP_DIR, or run backup by cron' };
  }
  const newest = await newestBackup(folder);
  if (!newest) {
    if (!isServed()) return { check, state: 'unknown', says: `none in ${folder} yet; a server makes the first` };
    return { check, state: 'broken', says: `none in ${folder}; the log says why ("backup failed")` };
  }
  const age = Math.floor((clock() - newest.at * 1_000) / HOUR);
  if (age < MOST_INTERVALS * hours) return { check, state: 'ok', says: `the newest is ${age} h old: ${newest.path}` };
  const says = `the newest, ${newest.path}, is ${age} h old, and one is due every ${hours} h; look into the server's log`;
  return { check, state: 'broken', says };
}
