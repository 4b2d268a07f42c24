import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SetupError } from '../domain/errors.ts';
import { MOVE_MARK, type MoveMark, parseMoveMark } from '../domain/instance/move.ts';
import { writeSynced } from '../lib/file-io.ts';
import { syncFolder } from '../lib/file-system.ts';

/** Reads the mark of a data directory; null without one. Throws `SetupError` if it is damaged. */
export function readMarkFile(dataDir: string): MoveMark | null {
  const path = join(dataDir, MOVE_MARK);
  if (!existsSync(path)) return null;
  const mark = parseMoveMark(readFileSync(path, 'utf8'));
  if (mark) return mark;
  throw new SetupError(
    `${path} is damaged. It marks a data directory that was moved: see the manual before removing it.`,
  );
}

/** Writes or removes the mark of a data directory, and syncs it to disk. */
export async function writeMarkFile(dataDir: string, mark: MoveMark | null): Promise<void> {
  const path = join(dataDir, MOVE_MARK);
  if (mark === null) {
    rmSync(path, { force: true });
  } else {
    rmSync(`${path}.new`, { force: true });
    await writeSynced(`${JSON.stringify(mark)}\n`, `${path}.new`);
    renameSync(`${path}.new`, path);
  }
  syncFolder(dataDir);
}
