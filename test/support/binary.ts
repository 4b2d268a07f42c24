import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');
/** Inputs of a build. */
const SOURCE = ['src/**', '.ci/build.ts', 'drizzle/*.sql', 'package.json', 'bun.lock', 'tsconfig.json'];

/** Fixed commit in test binaries, so that a new commit alone requires no new build. */
export const TEST_COMMIT = 'c0ffee000000';

/** Builds the binary into a folder, as `bun run build` does, and returns its path. */
export async function buildBinary(folder: string, target?: string): Promise<string> {
  const path = join(folder, 'formstead');
  const options = [`--outfile=${path}`, ...(target ? [`--target=${target}`] : [])];
  const build = Bun.spawn(['bun', 'run', 'build', ...options], {
    cwd: ROOT,
    env: { ...Bun.env, FORMSTEAD_COMMIT: TEST_COMMIT },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await build.stderr.text();
  if ((await build.exited) !== 0) throw new Error(`The build failed: ${stderr}`);
  return path;
}

let found: Promise<string> | undefined;

/** Returns the path of a binary of this source, built if needed and cached until an input changes. */
export function binaryOfSource(): Promise<string> {
  found ??= findOrBuild();
  return found;
}

async function findOrBuild(): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256').update(Bun.revision);
  const names = SOURCE.flatMap((pattern) => Array.from(new Bun.Glob(pattern).scanSync(ROOT)));
  for (const name of names.sort()) {
    hash.update(`\0${name}\0`).update(await Bun.file(join(ROOT, name)).bytes());
  }
  const folder = join(ROOT, 'dist/tests');
  const name = hash.digest('hex').slice(0, 16);
  const path = join(folder, name);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  for (const other of readdirSync(folder))
    if (!other.startsWith(name)) rmSync(join(folder, other), { recursive: true });
  // Several workers may build at once; the rename is atomic.
  const draft = `${path}-${crypto.randomUUID()}`;
  renameSync(await buildBinary(draft), path);
  rmSync(draft, { recursive: true });
  return path;
}

if (import.meta.main) await binaryOfSource();
