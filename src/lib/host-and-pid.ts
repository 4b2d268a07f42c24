import { hostname } from 'node:os';
import { pid } from 'node:process';

/** Returns the host name and the process id. */
export function hostAndPid(): Readonly<{ host: string; pid: number }> {
  return { host: hostname(), pid };
}
