import { HOUR } from '../../lib/clock.ts';
import { isInside } from '../../lib/is-inside.ts';
import { newestBackup } from '../../services/backups.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

/** Maximum age of the newest backup, as a multiple of BACKUP_HOURS. */
const MAX_INTERVALS = 2;

/** Checks that scheduled backups are on and that the newest is recent. */
export async function backups({ config, clock, isServerRunning }: CommandContext): Promise<Finding> {
  const check = 'backups';
  const { backupDir: folder, backupHours: hours } = config;
  if (folder === null) {
    return { check, state: 'off', says: 'no scheduled backups; set BACKUP_DIR, or run "formstead backup" from cron' };
  }
  if (isInside(config.dataDir, folder)) {
    return { check, state: 'broken', says: `${folder} is inside DATA_DIR; set BACKUP_DIR to a folder outside of it` };
  }
  const newest = await newestBackup(folder);
  if (!newest) {
    if (!isServerRunning())
      return { check, state: 'unknown', says: `no backup in ${folder} yet; a running server makes the first one` };
    return { check, state: 'broken', says: `no backup in ${folder}; see the log of the server for the reason` };
  }
  const age = Math.floor((clock() - newest.at * 1_000) / HOUR);
  if (age < MAX_INTERVALS * hours) return { check, state: 'ok', says: `the newest is ${age} h old: ${newest.path}` };
  const says = `the newest, ${newest.path}, is ${age} h old, but one is due every ${hours} h; see the log of the server`;
  return { check, state: 'broken', says };
}
