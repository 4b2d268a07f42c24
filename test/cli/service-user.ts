import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fromBinary, type Program, type ServerProcess, spawnServer } from '../support/process.ts';

export const { uid } = userInfo();

/** The user of the service: another one than root, which only root can simulate, and this user otherwise. */
export const SERVICE = uid === 0 ? 65_532 : uid;

/** Returns the program run by the user of the service. */
export async function asService(dataDir: string): Promise<Program> {
  const { command } = await fromBinary();
  const user = uid === 0 ? ['setpriv', `--reuid=${SERVICE}`, `--regid=${SERVICE}`, '--clear-groups'] : [];
  return { command: [...user, ...command], cwd: dataDir };
}

/** Starts a server as the user of the service. */
export const serveAsService = async (dataDir: string): Promise<ServerProcess> =>
  spawnServer(dataDir, {}, await asService(dataDir));

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
