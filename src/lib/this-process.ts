import { hostname } from 'node:os';
import { pid } from 'node:process';

/** Returns the host name and the process id. */
export function thisProcess(): Readonly<{ host: string; pid: number }> {
  return { host: hostname(), pid };
}
