import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Config } from '../config/config.ts';
import { DATABASE, UNFINISHED_RESTORE } from '../domain/backup.ts';
import { SetupError } from '../domain/errors.ts';
import { alreadyThere, hasInstance, requireInstance, requireNoRemains } from '../storage/data-dir.ts';
import { readMarkFile } from '../storage/move-mark.ts';
import { checkpointAtStart, openDatabase } from '../storage/sqlite/database.ts';
import { isLocked, takeLock } from '../storage/sqlite/lock.ts';
import { sqliteStore } from '../storage/sqlite/sqlite-store.ts';
import { getLimits, type InstanceDatabase } from './database.ts';

const OTHER_SERVER = 'Another server uses this data directory. Stop it, or set DATA_DIR to another directory.';

/** Returns the SQLite database in the data directory. */
export function sqliteDatabase(config: Config): InstanceDatabase {
  const { dataDir } = config;
  const lockPath = (name: string) => join(dataDir, `${name}.lock`);
  return {
    isShared: false,
    tls: null,
    requireInstance: async (mayCreate, isNew) => {
      const isPresent = hasInstance(dataDir);
      if (!isPresent && !existsSync(join(dataDir, UNFINISHED_RESTORE))) {
        const database = existsSync(join(dataDir, DATABASE)) ? 'an empty formstead.db' : 'no database';
        requireNoRemains(dataDir, database, isNew || !mayCreate);
      }
      if (!mayCreate) return requireInstance(dataDir);
      if (isPresent && isNew) throw alreadyThere(resolve(dataDir), 'DATA_DIR');
    },
    lockForServing: () => {
      const lock = takeLock(lockPath('server'));
      if (!lock) throw new SetupError(OTHER_SERVER);
      return lock;
    },
    takeLock: async (name) => takeLock(lockPath(name)),
    readMoveMark: async () => readMarkFile(dataDir),
    openStore: async ({ clock, mailDomain, onCommit, log }) => {
      const [limitOf, storageLimitOf] = getLimits(config);
      const database = openDatabase(join(dataDir, 'formstead.db'), log);
      if (log) checkpointAtStart(database);
      return sqliteStore(database, clock, limitOf, mailDomain, onCommit, storageLimitOf);
    },
    isServed: async () => isLocked(lockPath('server')),
  };
}
