import { join } from 'node:path';

/** Replaced by `bun run build` with the script, since a binary has no source files. */
declare const FORMSTEAD_SCRIPT: string | undefined;

/** Returns the drop-in script, minified: of a binary as built, of source bundled now. */
export async function dropInScript(): Promise<string> {
  return typeof FORMSTEAD_SCRIPT === 'string' ? FORMSTEAD_SCRIPT : bundleDropIn();
}

/** Bundles the drop-in script as a classic script. Throws if the source does not compile. */
export async function bundleDropIn(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, '../client/script.ts')],
    target: 'browser',
    format: 'iife',
    minify: true,
  });
  const [script] = outputs;
  if (!script) throw new Error('Could not bundle src/client/script.ts: no output.');
  return (await script.text()).trim();
}
