import type { Config } from '../config/config.ts';
import { NoInstanceError } from '../domain/errors.ts';
import { databaseTls } from '../domain/instance/database-url.ts';
import { databaseName } from '../domain/instance/move.ts';
import { alreadyThere, requireNoRemains } from '../storage/data-dir.ts';
import { takeDatabaseLock } from '../storage/postgres/locks.ts';
import { readMarkAt } from '../storage/postgres/move-mark.ts';
import { hasPostgresInstance, openPostgresStore } from '../storage/postgres/open.ts';
import { getLimits, type InstanceDatabase } from './database.ts';

/** Returns the PostgreSQL database at `url`. Import this file only if there is one: it loads the driver. */
export function postgresDatabase(url: string, config: Config): InstanceDatabase {
  return {
    isShared: true,
    tls: databaseTls(url),
    requireInstance: async (mayCreate, isNew) => {
      const isFound = await hasPostgresInstance(url);
      if (isFound && isNew) throw alreadyThere(databaseName(url), 'DATABASE_URL');
      if (isFound) return;
      if (!mayCreate) throw new NoInstanceError(databaseName(url));
      requireNoRemains(config.dataDir, 'the database in DATABASE_URL is empty', isNew);
    },
    lockForServing: () => null,
    takeLock: (name) => takeDatabaseLock(url, name),
    readMoveMark: () => readMarkAt(url),
    openStore: ({ clock, mailDomain, onCommit, log }, mayCreate) => {
      const [limitOf, storageLimitOf] = getLimits(config);
      return openPostgresStore(url, { log, mayCreate }, clock, limitOf, mailDomain, onCommit, storageLimitOf);
    },
    isServed: async (store) => (await store.instances.list()).length > 0,
  };
}
