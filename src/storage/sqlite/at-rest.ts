import { Database, SQLiteError } from 'bun:sqlite';
import { platform } from 'node:os';
import { SetupError } from '../../domain/errors.ts';
import type { DatabaseFile, FileRow, StorageAtRest } from '../at-rest.ts';
import type { VaultKey } from '../store.ts';
import { requireRoom } from './copy-database.ts';
import keepSynced from './keep-synced.js' with { type: 'text' };
import { takeLock } from './lock.ts';
import { lastMigration } from './migrations.ts';

export const storageAtRest: StorageAtRest = { openDatabase: openDatabaseFile, lock: takeLock };

function openDatabaseFile(path: string): DatabaseFile {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof SQLiteError ? new SetupError(`cannot use the database ${path}: ${error.message}.`) : error;
    }
  };
  const client = attempt(() => new Database(path, { readwrite: true, create: false, strict: true }));
  const all = <Row>(sql: string) => attempt(() => client.query<Row, []>(sql).all());
  attempt(() => {
    client.run('PRAGMA busy_timeout = 5000');
    client.run('PRAGMA synchronous = FULL');
    if (platform() === 'darwin') client.run('PRAGMA fullfsync = ON');
    // What is deleted from a copy is overwritten.
    client.run('PRAGMA secure_delete = ON');
    client.run('PRAGMA foreign_keys = ON');
  });
  return {
    copyTo: async (copy, left) => {
      attempt(() => requireRoom(client, copy, left));
      await keptSynced(copy, () => {
        // For the copy alone, which is synced by a worker: the database itself must never be written without.
        client.run('PRAGMA synchronous = OFF');
        try {
          attempt(() => client.run('VACUUM INTO ?', [copy]));
        } finally {
          client.run('PRAGMA synchronous = FULL');
        }
        // The log could not begin anew meanwhile. What has gathered is written down here, lest the server's next commit does it.
        attempt(() => client.query('PRAGMA wal_checkpoint(PASSIVE)').get());
      });
    },
    schema: () => attempt(() => lastMigration(client)),
    vaultKeys: () => {
      const isOlder = all("SELECT 1 FROM pragma_table_info('vault_keys') WHERE name = 'state'").length === 0;
      const inUse = isOlder ? '' : "WHERE state <> 'unused'";
      return all<VaultKey>(`SELECT id, check_value AS "check" FROM vault_keys ${inUse}`);
    },
    fileRows: () => all<FileRow>('SELECT blob, submission_id AS submissionId FROM files'),
    hasBlob: (blob) => attempt(() => client.query('SELECT 1 FROM files WHERE blob = ?').get(blob) !== null),
    deleteSubmissions: (ids) =>
      attempt(() => {
        const remove = client.query('DELETE FROM submissions WHERE id = ?');
        client.transaction(() => {
          for (const id of ids) remove.run(id);
        })();
      }),
    findDamage: () =>
      attempt(() => {
        const found = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all();
        const orphans = client.query('PRAGMA foreign_key_check').all().length;
        const says = found.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok');
        return orphans > 0 ? [...says, `${orphans} rows refer to others that are not there`] : says;
      }),
    close: () => client.close(),
  };
}

/** Runs work that writes a file, which is on the disk when this returns. Throws `SetupError` if any sync of it failed. */
async function keptSynced(path: string, write: () => void): Promise<void> {
  // As a text it is inside the binary too.
  const code = URL.createObjectURL(new Blob([keepSynced], { type: 'text/javascript' }));
  const worker = new Worker(code);
  const ask = (message: string | null) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (says: string) => reject(new SetupError(`cannot write ${path}: ${says}.`));
    worker.onmessage = ({ data: fault }) => (fault === null ? resolve() : fail(fault));
    worker.onerror = ({ message: says }) => fail(says);
    worker.postMessage(message);
    return promise;
  };
  try {
    await ask(path);
    write();
    await ask(null);
  } finally {
    worker.terminate();
    URL.revokeObjectURL(code);
  }
}
