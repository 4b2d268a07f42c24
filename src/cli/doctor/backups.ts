import type { Context } from '../../context.ts';
import { backupState } from '../../services/backup-state.ts';

import type { Finding } from './finding.ts';

/** Checks that scheduled backups are on and that the newest is recent. Backups of PostgreSQL cannot be checked. */
export async function backups(context: Context): Promise<Finding> {
  const check = 'backups';
  const { backupHours: hours } = context.config;
  const found = await backupState(context);
  switch (found.state) {
    case 'elsewhere':
      return {
        check,
        state: 'off',
        says: 'not made by Formstead, since the rows are in PostgreSQL; use pg_dump or continuous archiving',
      };
    case 'off':
      return { check, state: 'off', says: 'no scheduled backups; set BACKUP_DIR, or run "formstead backup" from cron' };
    case 'inside':
      return {
        check,
        state: 'broken',
        says: `${found.folder} is inside DATA_DIR; set BACKUP_DIR to a folder outside of it`,
      };
    case 'none':
      if (!(await context.isServerRunning()))
        return {
          check,
          state: 'unknown',
          says: `no backup in ${found.folder} yet; a running server makes the first one`,
        };
      return { check, state: 'broken', says: `no backup in ${found.folder}; see the log of the server for the reason` };
    case 'recent':
      return { check, state: 'ok', says: `the newest is ${found.ageHours} h old: ${found.path}` };
    case 'late': {
      const says = `the newest, ${found.path}, is ${found.ageHours} h old, but one is due every ${hours} h; see the log of the server`;
      return { check, state: 'broken', says };
    }
  }
}
