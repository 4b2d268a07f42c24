import { Database, SQLiteError } from 'bun:sqlite';
import { platform } from 'node:os';
import { SetupError } from '../../domain/errors.ts';
import { inheritOwner } from '../../lib/file-system.ts';
import { getTime } from '../../lib/ids.ts';
import type { DatabaseFile, FileRow, StorageAtRest } from '../at-rest.ts';
import type { VaultKey } from '../records.ts';
import backgroundSync from './background-sync.js' with { type: 'text' };
import { requireFreeSpace } from './copy-database.ts';
import { unusable } from './database.ts';
import { takeLock } from './lock.ts';
import { lastMigration } from './migrations.ts';

export const storageAtRest: StorageAtRest = { openDatabase: openDatabaseFile, lock: takeLock };

function openDatabaseFile(path: string): DatabaseFile {
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw error instanceof SQLiteError ? unusable(`the database ${path}`, error) : error;
    }
  };
  const client = attempt(() => new Database(path, { readwrite: true, create: false, strict: true }));
  const all = <Row>(sql: string) => attempt(() => client.query<Row, []>(sql).all());
  attempt(() => {
    client.run('PRAGMA busy_timeout = 5000');
    client.run('PRAGMA synchronous = FULL');
    if (platform() === 'darwin') client.run('PRAGMA fullfsync = ON');
    // Overwrite data deleted from a copy.
    client.run('PRAGMA secure_delete = ON');
    client.run('PRAGMA foreign_keys = ON');
  });
  return {
    copyTo: async (copy, minFreeBytes) => {
      attempt(() => requireFreeSpace(client, copy, minFreeBytes));
      await withBackgroundSync(copy, () => {
        // Only for the copy, which a worker syncs. The database itself must always be written with FULL.
        client.run('PRAGMA synchronous = OFF');
        try {
          attempt(() => client.run('VACUUM INTO ?', [copy]));
        } finally {
          client.run('PRAGMA synchronous = FULL');
        }
        inheritOwner(copy);
        // The write-ahead log could not be reset during the copy. Checkpoint it here to keep that work out of the
        // server's next commit.
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
        const remove = client.query('DELETE FROM submissions WHERE created_at = ? AND id = ?');
        client.transaction(() => {
          for (const id of ids) remove.run(getTime(id), id);
        })();
      }),
    checkIntegrity: () =>
      attempt(() => {
        const rows = client.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all();
        const orphans = client.query('PRAGMA foreign_key_check').all().length;
        const faults = rows.map(({ integrity_check }) => integrity_check).filter((text) => text !== 'ok');
        return orphans > 0 ? [...faults, `${orphans} rows with missing references`] : faults;
      }),
    [Symbol.dispose]: () => client.close(),
  };
}

/** Runs `write` while a worker syncs the file; resolves when all is on disk. Throws `SetupError` if a sync fails. */
async function withBackgroundSync(path: string, write: () => void): Promise<void> {
  // Imported as text, so that the compiled binary contains it.
  const code = URL.createObjectURL(new Blob([backgroundSync], { type: 'text/javascript' }));
  const worker = new Worker(code);
  const request = (message: string | null) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (reason: string) => reject(new SetupError(`cannot write ${path}: ${reason}.`));
    worker.onmessage = ({ data: error }) => (error === null ? resolve() : fail(error));
    worker.onerror = ({ message: error }) => fail(error);
    worker.postMessage(message);
    return promise;
  };
  try {
    await request(path);
    write();
    await request(null);
  } finally {
    worker.terminate();
    URL.revokeObjectURL(code);
  }
}
