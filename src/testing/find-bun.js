import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isRecentBun, MINIMUM_BUN } from '../bun-version.js';

let found;

/**
 * Returns the path of Bun: the running one, the `bun` package of the project, or one in PATH. Throws if there is none that is
 * recent enough.
 */
export function findBun() {
  if (isRecentBun(process.versions.bun)) return process.execPath;
  found ??= [installedBun(), 'bun'].find(isRecent);
  if (found) return found;
  throw new Error(
    `Formstead needs Bun ${MINIMUM_BUN} or later to run its server. Add it with "npm install --save-dev bun".`,
  );
}

/** Returns the path of Bun in the `bun` package; null without the package. */
function installedBun() {
  try {
    const manifest = createRequire(join(process.cwd(), 'package.json')).resolve('bun/package.json');
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin.bun);
  } catch {
    return null;
  }
}

function isRecent(path) {
  if (path === null) return false;
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return isRecentBun(/^\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0]);
}
