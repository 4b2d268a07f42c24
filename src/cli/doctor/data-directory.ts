import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '../../lib/ids.ts';
import { syncFile } from '../../lib/sync-folder.ts';
import { diskFault } from '../../services/readiness.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

const MiB = 1024 * 1024;

/** Whether something can be written there. */
export function directory({ config: { dataDir } }: CommandContext): Finding {
  const probe = join(dataDir, newId('probe'));
  try {
    writeFileSync(probe, 'x', { mode: 0o600 });
    syncFile(probe);
    return { check: 'data directory', state: 'ok', says: dataDir };
  } catch (error) {
    const says = `${dataDir} cannot be written (${error}); give it to the user that Formstead runs as, and make room on its disk.`;
    return { check: 'data directory', state: 'broken', says };
  } finally {
    rmSync(probe, { force: true });
  }
}

/** Whether others may read or change what lies there, and whether all of it belongs to one user. */
export function permissions({ config: { dataDir } }: CommandContext): Finding {
  const check = 'permissions';
  const { mode, uid } = statSync(dataDir);
  const entries = readdirSync(dataDir).flatMap((name) => {
    const facts = statSync(join(dataDir, name), { throwIfNoEntry: false });
    return facts ? [{ name, mode: facts.mode, uid: facts.uid }] : [];
  });
  const open = entries.filter((entry) => (entry.mode & 0o077) !== 0).map(({ name }) => name);
  const strange = entries.filter((entry) => entry.uid !== uid).map(({ name }) => name);
  const faults = [
    (mode & 0o022) !== 0 && `others may write into it: run chmod go-w ${dataDir}`,
    open.length > 0 && `others may open ${open.join(', ')}: run chmod -R go= ${dataDir}`,
    strange.length > 0 &&
      `${strange.join(', ')} belong to another user than the folder, and the server may not open them: run chown -R ${uid} ${dataDir}`,
  ].filter((fault) => fault !== false);
  if (faults.length > 0) return { check, state: 'broken', says: faults.join('; ') };
  return { check, state: 'ok', says: 'nobody else may open what lies there' };
}

/** Whether there is room. */
export function disk({ config: { minFreeBytes }, freeBytes }: CommandContext): Finding {
  const check = 'disk';
  const free = freeBytes();
  const fault = diskFault(free, minFreeBytes);
  if (fault !== null) return { check, state: 'broken', says: `${fault}; make room on the disk of the data directory` };
  const room = `${Math.floor(free / MiB)} MiB are free`;
  if (minFreeBytes === 0) return { check, state: 'off', says: `${room}; there is no floor: MIN_FREE_BYTES is 0` };
  return { check, state: 'ok', says: `${room}; the floor is ${Math.ceil(minFreeBytes / MiB)} MiB` };
}
