import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Downloads Debian packages and their dependencies that this machine lacks, and unpacks them in `folder` without
 * installing them. Returns the folder of their libraries, for LD_LIBRARY_PATH.
 */
export async function unpackDebian(folder: string, packages: readonly string[]): Promise<string> {
  if (!Bun.which('apt-get')) throw new Error(`This test downloads ${packages.join(', ')} and needs Debian or Ubuntu.`);
  mkdirSync(folder, { recursive: true });
  const options = ['Debug::NoLocking=1', `Dir::Cache::archives=${folder}`].flatMap((option) => ['-o', option]);
  const flags = ['-qy', '--download-only', '--reinstall', '--no-install-recommends', ...options];
  const download = () => run(['apt-get', 'install', ...flags, ...packages], folder);
  // Without package lists the first download fails.
  if (await download()) {
    await run(['apt-get', '-q', 'update'], folder);
    const failure = await download();
    if (failure) throw new Error(`Could not download ${packages.join(', ')}: ${failure}`);
  }
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.deb'))) {
    const failure = await run(['dpkg-deb', '-x', join(folder, name), folder], folder);
    if (failure) throw new Error(`Could not unpack ${name}: ${failure}`);
  }
  const [libraries = ''] = new Bun.Glob('usr/lib/*-linux-*/').scanSync({ cwd: folder, onlyFiles: false });
  return join(folder, libraries);
}

/** Runs a program and returns its error output; null for success. */
async function run(command: string[], cwd: string): Promise<string | null> {
  const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' });
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  return code === 0 ? null : stderr.trim();
}
