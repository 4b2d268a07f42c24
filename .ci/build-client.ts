import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import formstead from '../package.json' with { type: 'json' };
import { writeApiTypes } from './api-types.ts';

/**
 * Builds the package `@formstead/client` in `dist/npm/client`: one ES module with its types for each module of
 * `src/client`. Builds of the same source are identical byte for byte.
 */

const ROOT = join(import.meta.dir, '..');
const SOURCE = join(ROOT, 'src/client');
export const CLIENT_PACKAGE = join(ROOT, 'dist/npm/client');

const ENTRIES = ['index', 'api', 'forward', 'react', 'svelte', 'vue'];
/** The frameworks' oldest supported versions. */
const PEERS = { react: '>=18', svelte: '>=4', vue: '>=3.3' };

const COMPILER_OPTIONS = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM', 'DOM.Iterable'],
  module: 'ESNext',
  moduleResolution: 'bundler',
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  skipLibCheck: true,
  declaration: true,
  rootDir: SOURCE,
};

/** Builds the package into a folder, which is emptied first. Throws if the source does not compile. */
export async function buildClient(folder = CLIENT_PACKAGE): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  await compile(
    ENTRIES.map((name) => join(SOURCE, `${name}.ts`)),
    folder,
  );
  await rewriteTypeImports(folder);
  cpSync(join(SOURCE, 'README.md'), join(folder, 'README.md'));
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);
}

/** Compiles files and the modules they import. */
async function compile(files: readonly string[], outDir: string): Promise<void> {
  await writeApiTypes();
  const scratch = mkdtempSync(join(tmpdir(), 'formstead-client-'));
  try {
    const config = join(scratch, 'tsconfig.json');
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, outDir }, files }));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const child = Bun.spawn([process.execPath, '--bun', tsc, '--project', config], { stdout: 'pipe', stderr: 'pipe' });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`Could not compile src/client:\n${stdout}${stderr}`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** Names `.js` files in imports of declarations, where the compiler keeps `.ts`. */
async function rewriteTypeImports(folder: string): Promise<void> {
  for (const name of new Bun.Glob('**/*.d.ts').scanSync(folder)) {
    const file = Bun.file(join(folder, name));
    await file.write((await file.text()).replace(/(["'])(\.[^"'\n]*)\.ts\1/g, '$1$2.js$1'));
  }
}

function manifest() {
  return {
    name: '@formstead/client',
    version: formstead.version,
    description: 'Client for Formstead, a self-hosted form backend: forms, hooks for frameworks, management API',
    keywords: ['formstead', 'form', 'forms', 'form-backend'],
    license: formstead.license,
    type: 'module',
    sideEffects: false,
    publishConfig: { access: 'public' },
    engines: { node: '>=20' },
    exports: {
      ...Object.fromEntries(
        ENTRIES.map((name) => [
          name === 'index' ? '.' : `./${name}`,
          { types: `./${name}.d.ts`, default: `./${name}.js` },
        ]),
      ),
      './package.json': './package.json',
    },
    peerDependencies: PEERS,
    peerDependenciesMeta: Object.fromEntries(Object.keys(PEERS).map((peer) => [peer, { optional: true }])),
  };
}

if (import.meta.main) await buildClient();
