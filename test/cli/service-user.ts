import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fromBinary, type Program, type ServerProcess, spawnServer } from '../support/process.ts';

export const { uid } = userInfo();

/** The user of the service: another one than root, which only root can simulate, and this user otherwise. */
export const SERVICE = uid === 0 ? 65_532 : uid;

/** Starts a server as the user of the service. */
export async function serveAsService(dataDir: string): Promise<ServerProcess> {
  const { command } = await fromBinary();
  const asService = uid === 0 ? ['setpriv', `--reuid=${SERVICE}`, `--regid=${SERVICE}`, '--clear-groups'] : [];
  const program: Program = { command: [...asService, ...command], cwd: dataDir };
  return spawnServer(dataDir, {}, program);
}

/** Makes a data directory that of the service. */
export function giveToService(folder: string): void {
  // The service must reach the folder through its parent.
  chmodSync(dirname(folder), 0o755);
  for (const path of [folder, ...pathsIn(folder)]) {
    chownSync(path, SERVICE, SERVICE);
    // Commands of this process do not set the umask of the program.
    chmodSync(path, lstatSync(path).mode & 0o700);
  }
}

/** Returns all files and folders in a folder. */
export const pathsIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
