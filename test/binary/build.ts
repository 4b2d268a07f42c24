import { join } from 'node:path';

/** Builds the binary into a folder, as `bun run build` does, and returns its path. */
export async function buildBinary(folder: string, target?: string): Promise<string> {
  const path = join(folder, 'formstead');
  const options = [`--outfile=${path}`, ...(target ? [`--target=${target}`] : [])];
  const build = Bun.spawn(['bun', 'run', 'build', ...options], {
    cwd: join(import.meta.dir, '../..'),
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const said = await build.stderr.text();
  if ((await build.exited) !== 0) throw new Error(`the build failed: ${said}`);
  return path;
}
