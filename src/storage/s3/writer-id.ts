import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITER_ID } from '../../domain/backup.ts';
import { SetupError } from '../../domain/errors.ts';
import { inheritOwner, syncFolder } from '../../lib/file-system.ts';

/**
 * Returns the id of this data directory in names of objects, and creates it at the first call. Backups leave it out:
 * two directories that use one bucket, such as an instance and its restored copy, never sweep each other's files. `origin`
 * identifies the database that refers to them. Throws `SetupError` if the directory belongs to another one.
 */
export function getWriterId(dataDir: string, origin: string): string {
  const path = join(dataDir, WRITER_ID);
  const [id = '', owner] = (readId(path) ?? createId(dataDir, path, origin)).split('\n');
  if (owner !== undefined && owner !== origin) {
    throw new SetupError(
      `${path} names the files of another database. Set DATABASE_URL to that database, or DATA_DIR to a directory of its own for this one.`,
    );
  }
  if (/^[0-9a-f]{8}$/.test(id)) return id;
  throw new SetupError(`${path} is damaged. Delete it; the next start creates a new one.`);
}

function readId(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Links a complete file into place, because another process may do the same. */
function createId(dataDir: string, path: string, origin: string): string {
  const temporary = join(dataDir, `${WRITER_ID}-${randomUUID()}`);
  try {
    writeFileSync(temporary, `${randomBytes(4).toString('hex')}\n${origin}\n`, { mode: 0o600, flush: true });
    inheritOwner(temporary);
    linkSync(temporary, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncFolder(dataDir);
  return readId(path) ?? '';
}
