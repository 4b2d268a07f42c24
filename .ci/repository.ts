import { join } from 'node:path';
import formstead from '../package.json';

/**
 * Writes the repository's name into every file that has it: `bun run generate repository OWNER/NAME`. `repository` in
 * package.json is its one source; the others are documents that people copy commands from.
 */

/** Files that name the repository, from the root of the checkout. */
export const NAMING_FILES = [
  'package.json',
  'README.md',
  '.github/ISSUE_TEMPLATE/config.yml',
  'src/manual/deployment.md',
  'src/manual/platforms.md',
] as const;

/** The name of the repository on GitHub, such as `OWNER/NAME`. */
export const REPOSITORY = /github\.com\/(.+?)\.git$/.exec(formstead.repository.url)?.[1] ?? '';

/** Replaces the repository's name in a text; names of images are in lower case. */
export function rename(text: string, from: string, to: string): string {
  return text
    .replaceAll(`ghcr.io/${from}:`, `ghcr.io/${to.toLowerCase()}:`)
    .replaceAll(`ghcr.io/${from.toLowerCase()}:`, `ghcr.io/${to.toLowerCase()}:`)
    .replaceAll(from, to);
}

if (import.meta.main) {
  const [name = ''] = Bun.argv.slice(2);
  if (!/^[\w.-]+\/[\w.-]+$/.test(name)) {
    process.stderr.write('usage: bun run generate repository OWNER/NAME\n');
    process.exit(2);
  }
  for (const path of NAMING_FILES) {
    const file = Bun.file(join(import.meta.dir, '..', path));
    await Bun.write(file, rename(await file.text(), REPOSITORY, name));
  }
}
