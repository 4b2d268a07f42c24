import { readdirSync, readFileSync } from 'node:fs';
import { cpuUsage } from 'node:process';

/** Reads processor time and open files of this process. Counts of files are null without Linux's /proc. */
export function processStats() {
  const { user, system } = cpuUsage();
  const cpuSeconds = (user + system) / 1_000_000;
  try {
    // Reading the folder opens one more.
    const openFiles = readdirSync('/proc/self/fd').length - 1;
    const [, max] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return { cpuSeconds, openFiles, maxFiles: max === undefined ? null : Number(max) };
  } catch {
    return { cpuSeconds, openFiles: null, maxFiles: null };
  }
}
