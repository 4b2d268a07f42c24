import { join } from 'node:path';
import lock from '../bun.lock' with { type: 'jsonc' };
import formstead from '../package.json';

/**
 * Writes `dist/formstead.cdx.json`, what the binary is made of, as CycloneDX 1.6 (ECMA-424) has it: the packages whose files
 * the bundler takes, with the hashes of the lock file, and the runtime. Nothing in it changes while those do not.
 */

const ROOT = join(import.meta.dir, '..');
/** The folder of a package, which may lie in that of another; wherever `node_modules` itself lies. */
const PACKAGE = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/;

type Locked = readonly [nameAndVersion: string, registry: string, facts: object, integrity: string];
type Manifest = Readonly<{ name: string; version: string; license?: string }>;

const build = await Bun.build({
  entrypoints: [join(ROOT, 'src/main.ts')],
  root: ROOT,
  target: 'bun',
  splitting: true,
  metafile: true,
});
const inputs = Object.keys(build.metafile?.inputs ?? {}).map((path) => PACKAGE.exec(path)?.[0]);
const folders = [...new Set(inputs.filter((folder) => folder !== undefined))].sort();
const components = await Promise.all(folders.map(component));
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
  components: [runtime(), ...components],
};
await Bun.write(join(ROOT, 'dist/formstead.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);

/** Bun is under the MIT licence, and has JavaScriptCore in it. */
function runtime() {
  const licenses = [{ expression: 'MIT AND LGPL-2.0-or-later' }];
  return { type: 'platform', name: 'bun', version: Bun.version, purl: `pkg:npm/bun@${Bun.version}`, licenses };
}

async function component(folder: string) {
  const { name, version, license }: Manifest = await Bun.file(join(ROOT, folder, 'package.json')).json();
  const key = folder.replace(/\/?node_modules\//g, '/').slice(1);
  const [locked, , , integrity] = (lock.packages as unknown as Record<string, Locked>)[key] ?? [];
  if (locked !== `${name}@${version}` || !integrity)
    throw new Error(`${folder} is not what bun.lock says: install anew.`);
  if (!license) throw new Error(`${folder} names no licence.`);
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
  };
}
