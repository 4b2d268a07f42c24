import { join } from 'node:path';
import lock from '../bun.lock' with { type: 'jsonc' };
import formstead from '../package.json';

/**
 * Writes the bill of materials of the binary to `dist/formstead.cdx.json`, as CycloneDX 1.6 (ECMA-424): the bundled
 * packages with the hashes of the lock file, and the runtime. The output depends on these alone, so it is reproducible.
 */

const ROOT = join(import.meta.dir, '..');
/** The folder of a package, which may be nested in the `node_modules` of another. */
const PACKAGE_FOLDER = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/;

type LockEntry = readonly [nameAndVersion: string, registry: string, metadata: object, integrity: string];
type Manifest = Readonly<{ name: string; version: string; license?: string }>;

const build = await Bun.build({
  // The binary contains the script as text.
  entrypoints: ['src/main.ts', 'src/dashboard/users/passkeys/script.js'].map((path) => join(ROOT, path)),
  root: ROOT,
  target: 'bun',
  splitting: true,
  metafile: true,
});
const inputs = Object.keys(build.metafile?.inputs ?? {}).map((path) => PACKAGE_FOLDER.exec(path)?.[0]);
const folders = [...new Set(inputs.filter((folder) => folder !== undefined))].sort();
const components = await Promise.all(folders.map(componentOf));
const sbom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': 'formstead',
      name: 'formstead',
      version: formstead.version,
      licenses: [{ license: { id: formstead.license } }],
    },
  },
  components: [runtimeComponent(), ...components],
};
await Bun.write(join(ROOT, 'dist/formstead.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);

/** Returns the component for Bun, which is under the MIT license and contains JavaScriptCore. */
function runtimeComponent() {
  const licenses = [{ expression: 'MIT AND LGPL-2.0-or-later' }];
  return { type: 'platform', name: 'bun', version: Bun.version, purl: `pkg:npm/bun@${Bun.version}`, licenses };
}

async function componentOf(folder: string) {
  const { name, version, license }: Manifest = await Bun.file(join(ROOT, folder, 'package.json')).json();
  const key = folder.replace(/\/?node_modules\//g, '/').slice(1);
  const [lockedVersion, , , integrity] = (lock.packages as unknown as Record<string, LockEntry>)[key] ?? [];
  if (lockedVersion !== `${name}@${version}` || !integrity)
    throw new Error(`${folder} does not match bun.lock. Run bun install.`);
  if (!license) throw new Error(`${folder} declares no license.`);
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  };
}
