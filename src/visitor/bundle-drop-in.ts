import { join } from 'node:path';
import { bundleScript } from '../http/script.ts';

/** Replaced by `bun run build` with the script, since a binary has no source files. */
declare const FORMSTEAD_SCRIPT: string | undefined;

/** Returns the drop-in script, minified: of a binary as built, of source bundled now. */
export async function dropInScript(): Promise<string> {
  return typeof FORMSTEAD_SCRIPT === 'string' ? FORMSTEAD_SCRIPT : bundleDropIn();
}

/** Bundles the drop-in script. */
export const bundleDropIn = (): Promise<string> => bundleScript(join(import.meta.dir, '../client/drop-in.ts'));
