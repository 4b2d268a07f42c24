import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import lock from '../../bun.lock' with { type: 'jsonc' };
import formstead from '../../package.json';
import { binaryOfSource, TEST_COMMIT } from '../support/binary.ts';
import { documentText } from '../support/documents.ts';

const ROOT = join(import.meta.dir, '../..');
const LICENSES = ['MIT', 'MIT-0', 'ISC', '0BSD', 'BSD-3-Clause', 'Apache-2.0'];
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall'];
const SOURCE = ['src', 'drizzle', '.ci', 'package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json'];

type Component = Readonly<{
  type: string;
  name: string;
  version: string;
  purl: string;
  licenses: ReadonlyArray<Readonly<{ license?: Readonly<{ id: string }>; expression?: string }>>;
  hashes?: ReadonlyArray<Readonly<{ alg: string; content: string }>>;
}>;

/** The folder of a second build of the same source. */
const folder = mkdtempSync(join(tmpdir(), 'formstead-supply-'));
afterAll(() => rmSync(folder, { recursive: true }));
async function run(...words: string[]): Promise<void> {
  const env = { ...Bun.env, FORMSTEAD_COMMIT: TEST_COMMIT };
  const child = Bun.spawn(['bun', ...words], { cwd: folder, env, stdout: 'ignore', stderr: 'pipe' });
  const said = await child.stderr.text();
  if ((await child.exited) !== 0) throw new Error(said);
}

let components: readonly Component[] = [];
let libraries: readonly Component[] = [];

beforeAll(async () => {
  for (const name of SOURCE) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  await run('install', '--production', '--omit=peer', '--frozen-lockfile');
  await run('run', 'build');
  const sbom = JSON.parse(readFileSync(join(folder, 'dist/formstead.cdx.json'), 'utf8'));
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    metadata: { component: { name: 'formstead', version: formstead.version } },
  });
  components = sbom.components;
  libraries = components.filter(({ type }) => type === 'library');
});

test('two builds in different folders are identical byte for byte', async () => {
  const hash = async (path: string) =>
    new Bun.CryptoHasher('sha256').update(await Bun.file(path).bytes()).digest('hex');
  expect(await hash(join(folder, 'dist/formstead'))).toBe(await hash(await binaryOfSource()));
});

test('the bill of materials lists the runtime and each package once, with the hash of the lock file', () => {
  expect(components.filter(({ type }) => type === 'platform')).toMatchObject([{ name: 'bun', version: Bun.version }]);
  const locked = Object.values(lock.packages as unknown as Record<string, readonly string[]>).map((entry) => [
    entry[0],
    Buffer.from((entry[3] ?? '').replace('sha512-', ''), 'base64').toString('hex'),
  ]);
  for (const { name, version, hashes } of libraries) {
    expect(locked).toContainEqual([`${name}@${version}`, hashes?.[0]?.content]);
  }
  expect(new Set(components.map(({ purl }) => purl)).size).toBe(components.length);
});

test('it contains every dependency, and the manual has their reasons, number and licenses', () => {
  const names = Object.keys(formstead.dependencies);
  expect(libraries.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  const [, table = ''] = /\n## Packages\n([\s\S]*?)(?:\n## |$)/.exec(documentText('src/manual/design.md')) ?? [];
  for (const name of [...names, ...Object.keys(formstead.devDependencies)]) {
    // Type packages need no reason of their own.
    if (!name.startsWith('@types/')) expect(table).toContain(`\`${name}\``);
  }
  expect(table).toContain(`${names.length} packages, which bring ${libraries.length - names.length} more`);
  for (const license of new Set(libraries.map(({ licenses }) => licenses[0]?.license?.id ?? 'none'))) {
    expect(LICENSES).toContain(license);
    expect(table).toContain(license);
  }
});

test('no dependency has an install script, and each version is exact', async () => {
  expect(formstead).not.toHaveProperty('trustedDependencies');
  for (const { name } of libraries) {
    const at = join(ROOT, 'node_modules', name, 'package.json');
    const { scripts = {} } = JSON.parse(readFileSync(at, 'utf8'));
    expect([name, Object.keys(scripts).filter((script) => INSTALL_SCRIPTS.includes(script))]).toEqual([name, []]);
  }
  for (const version of Object.values({ ...formstead.dependencies, ...formstead.devDependencies })) {
    expect(version).toMatch(/^(npm:[\w-]+@)?\d+\.\d+\.\d+$/);
  }
});
