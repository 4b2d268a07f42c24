import { lchownSync, lstatSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { geteuid } from 'node:process';

/**
 * Gives a new file or folder the owner of the folder that contains it, if this process is root: a server of another
 * user could not open it otherwise. Never follows a link at `path`.
 */
export function inheritOwner(path: string): void {
  if (geteuid?.() !== 0) return;
  const { uid, gid } = statSync(dirname(path));
  if (lstatSync(path).uid !== uid) lchownSync(path, uid, gid);
}
