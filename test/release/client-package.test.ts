import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildClient } from '../../.ci/build-client.ts';
import formstead from '../../package.json';
import { blocksOf, documentText, namedBlock } from '../support/documents.ts';
import { type Instance, startInstance, temporaryDir } from '../support/instance.ts';

const ROOT = join(import.meta.dir, '../..');
const README = 'src/client/README.md';
const CHECKS = join(ROOT, 'test/packages');
const FRAMEWORKS = ['react', 'svelte', 'vue'];
/** Packages of this repository that the entries and examples need. */
const LINKED = [...FRAMEWORKS, '@types/react'];

type Manifest = Readonly<{
  name: string;
  version: string;
  dependencies?: object;
  peerDependencies?: Record<string, string>;
  exports: Record<string, Readonly<{ types: string; default: string }> | string>;
}>;

const folder = temporaryDir();
const built = join(folder, 'built');
/** A project that has the packed package installed. */
const project = join(folder, 'project');
const installed = join(project, 'node_modules/@formstead/client');
let tarball = '';
let manifest: Manifest;
let entries: string[] = [];
let instance: Instance;

async function run(cwd: string, ...command: string[]): Promise<string> {
  const env = { ...Bun.env, NO_COLOR: '1', URL_OF_INSTANCE: instance.url, KEY: instance.owner.writeKey };
  const child = Bun.spawn(command, { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
  return stdout;
}

beforeAll(async () => {
  instance = await startInstance();
  await buildClient(built);
  await run(built, 'bun', 'pm', 'pack', '--quiet', '--destination', folder);
  tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
  mkdirSync(installed, { recursive: true });
  await run(folder, 'tar', '-xzf', tarball, '-C', installed, '--strip-components=1');
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  mkdirSync(join(project, 'node_modules/@types'));
  for (const name of LINKED.filter((name) => existsSync(join(ROOT, 'node_modules', name)))) {
    symlinkSync(join(ROOT, 'node_modules', name), join(project, 'node_modules', name));
  }
  manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  entries = Object.keys(manifest.exports).filter((path) => path !== './package.json');
  await run(CHECKS, 'bun', 'install', '--frozen-lockfile', '--silent');
});
afterAll(async () => {
  await instance.stop();
  rmSync(folder, { recursive: true });
});

/** Returns the name that an entry is imported by. */
function nameOf(path: string): string {
  return `@formstead/client${path.slice(1)}`;
}

/** Returns the content of all files of a folder by their paths. */
function filesOf(at: string): Record<string, string> {
  const paths = readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.sort().map((path) => [path.slice(at.length + 1), readFileSync(path, 'utf8')]));
}

test('two builds are identical byte for byte', async () => {
  const again = join(folder, 'again');
  await buildClient(again);
  expect(filesOf(again)).toEqual(filesOf(built));
});

test('the package has modules with their types, a manifest, a README and the license, and no dependencies', () => {
  const files = Object.keys(filesOf(installed));
  const modules = files.filter((file) => file.endsWith('.js'));
  const types = modules.map((file) => file.replace(/\.js$/, '.d.ts'));
  expect(files).toEqual(['LICENSE', 'README.md', 'package.json', ...modules, ...types].sort());
  for (const path of entries) {
    const name = path === '.' ? 'index' : path.slice(2);
    expect(manifest.exports[path]).toEqual({ types: `./${name}.d.ts`, default: `./${name}.js` });
    expect(modules).toContain(`${name}.js`);
  }
  expect(manifest).toMatchObject({ name: '@formstead/client', version: formstead.version, sideEffects: false });
  expect(manifest).not.toHaveProperty('dependencies');
  expect(Object.keys(manifest.peerDependencies ?? {}).every((name) => FRAMEWORKS.includes(name))).toBe(true);
});

test('publint finds nothing', async () => {
  expect(await run(CHECKS, 'bun', '--bun', 'publint', 'run', tarball, '--strict')).toContain('All good!');
});

test('are-the-types-wrong finds nothing', async () => {
  const output = await run(CHECKS, 'bun', '--bun', 'attw', tarball, '--profile', 'esm-only', '--no-emoji');
  expect(output).toContain('OK (ESM)');
});

test.each(['node', 'bun'])('each entry can be imported in %s', async (runtime) => {
  const names = entries.map(nameOf);
  const code = names.map((name) => `console.log(Object.keys(await import('${name}')).length > 0)`).join('\n');
  writeFileSync(join(project, 'import.mjs'), code);
  expect(await run(project, runtime, 'import.mjs')).toBe('true\n'.repeat(names.length));
});

test.each(['node', 'bun'])('the management API can be called from %s', async (runtime) => {
  await instance.post(instance.owner.form.id, { note: 'hello' });
  writeFileSync(
    join(project, 'call.mjs'),
    `import { ApiError, createClient } from '@formstead/client/api';
const client = createClient({ url: process.env.URL_OF_INSTANCE, key: process.env.KEY });
for await (const { data } of client.iterate('/v1/submissions', { query: { limit: 1 } })) console.log(data.note);
const error = await client.get('/v1/forms/{formId}', { path: { formId: 'unknown' } }).catch((reason) => reason);
console.log(error instanceof ApiError, error.status);`,
  );
  expect((await run(project, runtime, 'call.mjs')).split('\n').slice(-3)).toEqual(['hello', 'true 404', '']);
});

test('the example of the manual works in Node', async () => {
  const { owner } = instance;
  await instance.post(owner.form.id, { note: 'hello from a visitor' });
  writeFileSync(join(project, 'example.mjs'), namedBlock('client').replaceAll('http://127.0.0.1:3000', instance.url));
  expect(await run(project, 'node', 'example.mjs')).toContain("{ note: 'hello from a visitor' }");
  const forms = (await (await instance.api('GET', '/v1/forms', { key: owner.readKey })).json()) as { data: unknown[] };
  expect(forms.data).toContainEqual(expect.objectContaining({ name: 'Orders' }));
});

test.each(['nodenext', 'bundler'])(
  'types of each entry and the examples of the README compile with moduleResolution %s',
  async (moduleResolution) => {
    const module = moduleResolution === 'nodenext' ? 'nodenext' : 'esnext';
    const named = entries.map((path, index) => `export * as entry${index} from '${nameOf(path)}';`);
    const call = `import { createClient } from '@formstead/client/api';
export const shortId: Promise<string> = createClient({ url: '', key: '' }).get('/v1/forms').then(([form]) => form!.short_id);
// @ts-expect-error: a wrong path.
export const wrong = createClient({ url: '', key: '' }).get('/v1/form');`;
    const examples = blocksOf(README).filter(({ text }) =>
      entries.some((path) => text.includes(`from '${nameOf(path)}'`)),
    );
    expect(examples.length).toBeGreaterThan(0);
    const files = {
      'types.mts': `${named.join('\n')}\n${call}\n`,
      ...Object.fromEntries(examples.map(({ name, language, text }) => [`${name}.${language}`, text])),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(project, name), text);
    const compilerOptions = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      module,
      moduleResolution,
      jsx: 'react-jsx',
      types: ['bun-types'],
      typeRoots: [join(ROOT, 'node_modules')],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
    await run(project, 'bun', '--bun', join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', project);
  },
);

test('each entry is in the README, with its largest size', async () => {
  const rows = documentText(README).matchAll(/^\| `(\S+)` \| .* \| (\d) KB \|$/gm);
  const limits = new Map(Array.from(rows, ([, name = '', kilobytes]) => [name, Number(kilobytes) * 1024]));
  for (const path of entries) {
    const entrypoints = [join(installed, `${path === '.' ? 'index' : path.slice(2)}.js`)];
    const bundle = await Bun.build({ entrypoints, minify: true, external: FRAMEWORKS, target: 'browser' });
    const bytes = Bun.gzipSync((await bundle.outputs[0]?.text()) ?? '', { level: 9 }).length;
    expect([path, bytes, bytes <= (limits.get(nameOf(path)) ?? 0)]).toEqual([path, bytes, true]);
  }
});
