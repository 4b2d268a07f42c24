import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from '../../context/context.ts';
import { syncFile } from '../../lib/file-system.ts';
import { newId } from '../../lib/ids.ts';
import { broken, ok, type Verdict } from './finding.ts';

/** Checks that the data directory is writable, by a file that it writes, syncs and removes. */
export function directory({ config: { dataDir } }: Context): Verdict {
  const probe = join(dataDir, newId('probe'));
  try {
    writeFileSync(probe, 'x', { mode: 0o600 });
    syncFile(probe);
    return ok(`${dataDir} is writable.`);
  } catch (error) {
    return broken(
      `Could not write to ${dataDir} (${error}). Make the user that Formstead runs as its owner, and free some space on its disk.`,
    );
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Checks that other users have no access to the files of the data directory, and that all have one owner. */
export function permissions({ config: { dataDir } }: Context): Verdict {
  const { mode, uid } = statSync(dataDir);
  const entries = readdirSync(dataDir).flatMap((name) => {
    const stats = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return stats ? [{ name, mode: stats.mode, uid: stats.uid }] : [];
  });
  const accessible = entries.filter((entry) => (entry.mode & 0o077) !== 0).map(({ name }) => name);
  const foreign = entries.filter((entry) => entry.uid !== uid).map(({ name }) => name);
  const faults = [
    (mode & 0o022) !== 0 && `Other users can write to it. Run "chmod go-w ${dataDir}".`,
    accessible.length > 0 && `Other users can open ${accessible.join(', ')}. Run "chmod -R go= ${dataDir}".`,
    foreign.length > 0 &&
      `${foreign.join(', ')} belong to another user than the directory, so the server may be unable to open them. Run "chown -R ${uid} ${dataDir}".`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) return broken(faults.join(' '));
  return ok('Only the owner can open its files.');
}
