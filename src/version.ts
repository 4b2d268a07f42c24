import { dirname } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };

/** Replaced by `bun run build` with the commit, or with an empty text outside a checkout. */
declare const FORMSTEAD_COMMIT: string | undefined;

const SHOWN_DIGITS = 12;

export const VERSION = packageJson.version;

/** The version of the program and the first digits of its commit, null if that is unknown. */
export type Release = Readonly<{ version: string; commit: string | null }>;

/** Returns the release that runs: of a binary as built, of source in a checkout as Git reports it. */
export async function currentRelease(): Promise<Release> {
  const commit = typeof FORMSTEAD_COMMIT === 'string' ? FORMSTEAD_COMMIT : await checkedOutCommit();
  return { version: VERSION, commit: commit || null };
}

/** Formats a release as `1.0.0 (0a1b2c3d4e5f)`. */
export const releaseText = ({ version, commit }: Release): string => `${version}${commit ? ` (${commit})` : ''}`;

/** Returns the commit of the checkout that this file is part of; null without Git or outside a checkout. */
export async function checkedOutCommit(root = dirname(import.meta.dir)): Promise<string | null> {
  try {
    // Without the option, Git would also find a repository that merely contains this folder.
    const git = Bun.spawn(['git', `--git-dir=${root}/.git`, 'rev-parse', '--verify', 'HEAD'], {
      stdin: 'ignore',
      stderr: 'ignore',
    });
    const hash = (await git.stdout.text()).trim();
    return (await git.exited) === 0 && /^[0-9a-f]{40,64}$/.test(hash) ? hash.slice(0, SHOWN_DIGITS) : null;
  } catch {
    return null;
  }
}
