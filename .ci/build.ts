import { join } from 'node:path';
import { bundlePasskeyScript } from '../src/dashboard/users/passkeys/assets.ts';
import { checkedOutCommit } from '../src/version.ts';
import { bundleDropIn } from '../src/visitor/bundle-drop-in.ts';

/**
 * Builds the binary: `bun run build [--target=…] [--outfile=…]`. It embeds FORMSTEAD_COMMIT, or else the commit of the
 * checkout. Builds of the same source and commit are identical byte for byte.
 */

const ROOT = join(import.meta.dir, '..');
const FLAGS = [
  '--bytecode',
  '--format=esm',
  '--splitting',
  '--minify-whitespace',
  '--minify-syntax',
  '--no-compile-autoload-dotenv',
  '--no-compile-autoload-bunfig',
];

const commit = Bun.env.FORMSTEAD_COMMIT ?? (await checkedOutCommit(ROOT)) ?? '';
if (!/^([0-9a-f]{7,64})?$/.test(commit)) {
  throw new Error(`FORMSTEAD_COMMIT must be a commit hash of 7 to 64 hex digits (got ${JSON.stringify(commit)}).`);
}
const defined = {
  FORMSTEAD_COMMIT: commit.slice(0, 12),
  FORMSTEAD_SCRIPT: await bundleDropIn(),
  FORMSTEAD_PASSKEYS: await bundlePasskeyScript(),
};
const build = Bun.spawn(
  [
    process.execPath,
    'build',
    '--compile',
    ...FLAGS,
    ...Object.entries(defined).map(([name, value]) => `--define=${name}=${JSON.stringify(value)}`),
    'src/main.ts',
    '--outfile=dist/formstead',
    ...process.argv.slice(2),
  ],
  { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] },
);
process.exitCode = await build.exited;
