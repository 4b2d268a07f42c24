import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import { blocksOf, documentText } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { formstead, type Outcome, type ServerProcess, spawnServer } from '../support/process.ts';
import { type Registry, startRegistry } from '../support/registry.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dir, '../..');
/** Maximum size of the unpacked files that serving needs. */
const MAX_BYTES = 4_500_000;
/** Folders of `formstead/testing`. */
const TESTING = /^(?:src|dist)\/testing\//;
/** Modules that serving loads, and the script that it bundles. */
const ENTRIES = ['src/main.ts', 'src/client/drop-in.ts', 'src/dashboard/users/passkeys/script.js'];
/** Files outside of `src` and `drizzle`. */
const TOP_FILES = ['LICENSE', 'README.md', 'package.json'];
/** Programs on machines with Bun or Node. */
const MACHINES = {
  'Bun and Node': ['bun', 'bunx', 'env', 'node', 'npm', 'npx', 'sh'],
  'only Bun': ['bun', 'bunx', 'env', 'sh'],
  'only Node': ['env', 'node', 'npm', 'npx', 'sh'],
};

type Packed = Readonly<{ files: ReadonlyArray<Readonly<{ path: string; size: number }>> }>;

const scratch = temporaryDir();
let registry: Registry;

beforeAll(async () => {
  registry = await startRegistry(scratch, [manifest.name]);
  await registry.publish(ROOT);
}, limit(120));
afterAll(async () => {
  await registry.stop();
  rmSync(scratch, { recursive: true });
});

test('the package contains what serving needs, and nothing else', async () => {
  const pack = Bun.spawn(['npm', 'pack', '--dry-run', '--json'], { cwd: ROOT, stdout: 'pipe', stderr: 'ignore' });
  const [packed] = (await new Response(pack.stdout).json()) as [Packed];
  const files = packed.files.filter(({ path }) => !TESTING.test(path));
  const paths = files.map(({ path }) => path);
  const { metafile } = await Bun.build({
    entrypoints: ENTRIES.map((path) => join(ROOT, path)),
    root: ROOT,
    target: 'bun',
    splitting: true,
    metafile: true,
  });
  const loaded = Object.keys(metafile?.inputs ?? {}).filter((path) => !path.startsWith('node_modules/'));
  expect(loaded.length).toBeGreaterThan(500);
  expect(loaded.filter((path) => !paths.includes(path))).toEqual([]);
  const expected = [...TOP_FILES, manifest.bin.formstead, 'src/bun-version.js', ...loaded];
  const unused = paths.filter((path) => !expected.includes(path) && !hasOnlyTypes(path));
  expect(unused).toEqual([]);
  expect(files.reduce((total, { size }) => total + size, 0)).toBeLessThan(MAX_BYTES);
});

/** Reports whether nothing is left of a TypeScript file when types are removed. */
function hasOnlyTypes(path: string): boolean {
  if (!path.endsWith('.ts')) return false;
  const code = new Bun.Transpiler({ loader: 'ts' }).transformSync(documentText(path));
  return code.replace(/export \{\s*\};?/, '').trim() === '';
}

/** Returns the command of the block of this name in the README. */
function commandOf(name: string): readonly string[] {
  const text = blocksOf('README.md').find((block) => block.name === name)?.text;
  return text?.trim().split(' ') ?? [];
}

describe.each([
  ['bunx', 'Bun and Node'],
  ['bunx', 'only Bun'],
  ['npx', 'Bun and Node'],
  ['npx', 'only Node'],
] as const)('%s on a machine with %s', (name, machine) => {
  const folder = join(scratch, `${name} with ${machine}`);
  const withoutDataDir = ['env', '-u', 'DATA_DIR'];
  const launcher = { command: [...withoutDataDir, ...commandOf(name)], cwd: folder };
  let env: Record<string, string>;
  let server: ServerProcess;

  beforeAll(async () => {
    mkdirSync(folder);
    // Belongs to another program.
    writeFileSync(join(folder, '.env'), 'LOG_LEVEL=wrong\n');
    env = { ...registry.env, PATH: pathOf(join(folder, '../bin', name, machine), MACHINES[machine]) };
    server = await spawnServer(
      '',
      { ...env, BACKUP_DIR: join(folder, '../backups', name, machine), BACKUP_WITH_KEY: 'no' },
      launcher,
    );
  }, limit(240));

  const command = (...args: string[]): Promise<Outcome> => formstead('', args, env, launcher);

  test(
    'takes a submission and gives it back, with its data in the working directory',
    async () => {
      const [team] = JSON.parse((await command('team', 'list', '--json')).stdout);
      const [form] = JSON.parse((await command('form', 'list', '--team', team.id, '--json')).stdout);
      const key = JSON.parse((await command('key', 'create', '--team', team.id, '--name', 'test', '--json')).stdout);
      const address = `${server.url}/v1/forms/${form.id}/submissions`;
      const posted = await fetch(address, { method: 'POST', body: new URLSearchParams({ email: 'ada@example.com' }) });
      expect(posted.status).toBe(200);
      const read = await fetch(address, { headers: { Authorization: `Bearer ${key.secret}` } });
      expect(await read.json()).toMatchObject({ data: { items: [{ data: { email: 'ada@example.com' } }] } });
      expect(readdirSync(folder).sort()).toEqual(['.env', 'data']);
    },
    limit(60),
  );

  test('serves pages, the manual and scripts', async () => {
    const get = async (path: string) => {
      const response = await fetch(`${server.url}${path}`);
      return [response.status, (await response.text()).length > 1000];
    };
    for (const path of ['/dashboard/sign-in', '/docs', '/docs/api', '/openapi.json', '/formstead.js', '/altcha.js']) {
      expect([path, ...(await get(path))]).toEqual([path, 200, true]);
    }
  });

  test('makes scheduled backups', async () => {
    await until(() => server.stdout().includes('"message":"backup made"'), 'the backup');
  });

  test('SIGTERM stops the server in order', async () => {
    const code = await server.end('SIGTERM');
    expect(server.stdout()).toContain('"message":"stopped"');
    // npx ends by the signal, like its shell.
    expect(code).toBe(name === 'npx' ? 143 : 0);
  });
});

/** Fills a folder with links to `programs`. Returns it for PATH. */
function pathOf(bin: string, programs: readonly string[]): string {
  mkdirSync(bin, { recursive: true });
  for (const program of programs) symlinkSync(Bun.which(program) ?? '', join(bin, program));
  return bin;
}

describe('the installed command, run by Node', () => {
  const folder = join(scratch, 'installed');
  const bin = join(folder, 'node_modules/.bin/formstead');
  const program = { command: ['node', bin], cwd: folder };
  const dataDir = join(folder, 'data');

  beforeAll(async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{}');
    const child = Bun.spawn(['bun', 'add', 'formstead', '--silent'], { cwd: folder, env: registry.env });
    expect(await child.exited).toBe(0);
  }, limit(120));

  test('prints its version, which has no commit', async () => {
    expect(await formstead(dataDir, ['--version'], {}, program)).toEqual({
      code: 0,
      stdout: `formstead ${manifest.version}\n`,
      stderr: '',
    });
  });

  test('passes on exit codes', async () => {
    expect(await formstead(dataDir, ['--no-such-option'], {}, program)).toMatchObject({ code: 2 });
    expect(await formstead(dataDir, ['team', 'list'], {}, program)).toMatchObject({ code: 1 });
    expect(await formstead(dataDir, ['serve'], { PORT: 'wrong' }, program)).toMatchObject({ code: 78 });
    expect(existsSync(dataDir)).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)('exits with 0 on %s', async (signal) => {
    const server = await spawnServer(dataDir, {}, program);
    expect(await server.end(signal)).toBe(0);
    expect(server.stdout()).toContain('"message":"stopped"');
  });

  test('leaves no server behind when it is killed', async () => {
    const server = await spawnServer(dataDir, {}, program);
    await server.end('SIGKILL');
    await until(() => server.stdout().includes('"message":"stopped"'), 'the server to stop');
    expect(await fetch(`${server.url}/healthz`).catch(() => 'refused')).toBe('refused');
  });

  test('says what to do if there is no Bun and npx fails', async () => {
    const PATH = pathOf(join(scratch, 'bin/node'), ['node']);
    const { code, stderr } = await formstead(dataDir, ['--version'], { PATH }, program);
    expect(code).toBe(1);
    expect(stderr).toContain('Install it from https://bun.sh, then run this again.');
  });
});
