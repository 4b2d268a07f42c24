import { join } from 'node:path';
import { bundlePasskeyScript } from '../src/dashboard/users/passkeys/assets.ts';
import { bundleDropIn } from '../src/visitor/bundle-drop-in.ts';

/**
 * Bundles the server of `formstead/testing` into `dist/testing`, where the package has it: from source it takes three times
 * as long to start. Another version of Bun ignores the bytecode and parses the script.
 */

const ROOT = join(import.meta.dir, '..');

await Bun.build({
  entrypoints: [join(ROOT, 'src/testing/server.ts')],
  outdir: join(ROOT, 'dist/testing'),
  target: 'bun',
  define: {
    FORMSTEAD_SCRIPT: JSON.stringify(await bundleDropIn()),
    FORMSTEAD_PASSKEYS: JSON.stringify(await bundlePasskeyScript()),
  },
  // Loaded from the package's dependencies, if at all.
  external: ['@modelcontextprotocol/server', '@simplewebauthn/server', '@zxcvbn-ts/language-common', 'nodemailer'],
  // Bytecode needs CommonJS outside a binary.
  format: 'cjs',
  bytecode: true,
  minify: { whitespace: true, syntax: true },
});
