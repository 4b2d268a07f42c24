import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

/** Returns true if `path` is `folder` or below it, after symbolic links. Neither must exist. */
export function isInside(folder: string, path: string): boolean {
  const outer = realPath(resolve(folder));
  const inner = realPath(resolve(path));
  return inner === outer || inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
}

/** Resolves the symbolic links in the existing part of a path. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
