import { afterAll, describe, expect, test } from 'bun:test';
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json';
import { checkedOutCommit } from '../../src/version.ts';
import { TEST_COMMIT } from '../support/binary.ts';
import { temporaryDir } from '../support/instance.ts';
import { FROM_SOURCE, formstead, type Program, spawnServer } from '../support/process.ts';
import { dataDirs, instances, run } from './command-line.ts';

const ROOT = join(import.meta.dir, '../..');
const VERSION = packageJson.version;

const fresh = dataDirs();
const instance = instances();
const scratch = temporaryDir();
afterAll(() => rmSync(scratch, { recursive: true }));

const printed = async (program?: Program, option = '--version') => {
  const dataDir = fresh();
  const { code, stdout, stderr } = await formstead(dataDir, [option], {}, program);
  expect([code, stderr, await Bun.file(dataDir).exists()]).toEqual([0, '', false]);
  return stdout;
};

async function build(root: string, env: Record<string, string>) {
  const outfile = join(scratch, crypto.randomUUID());
  const child = Bun.spawn(['bun', '.ci/build.ts', `--outfile=${outfile}`], {
    cwd: root,
    env: { PATH: Bun.env.PATH, HOME: Bun.env.HOME, ...env },
    stdout: 'ignore',
    stderr: 'pipe',
  });
  const stderr = await child.stderr.text();
  return { code: await child.exited, stderr, program: { command: [outfile] } };
}

/** Copies the source into a folder and links the installed packages. */
function copyOfSource(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of ['src', 'drizzle', '.ci', 'package.json', 'tsconfig.json']) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

async function git(cwd: string, ...words: string[]): Promise<string> {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const child = Bun.spawn(['git', ...who, ...words], { cwd, stdout: 'pipe', stderr: 'pipe' });
  const output = await child.stdout.text();
  expect([await child.exited, words]).toEqual([0, words]);
  return output.trim();
}

describe('--version', () => {
  test('of a binary has the commit of its build', async () => {
    expect(await printed()).toBe(`formstead ${VERSION} (${TEST_COMMIT})\n`);
    expect(await printed(undefined, '-V')).toBe(`formstead ${VERSION} (${TEST_COMMIT})\n`);
  });

  test('and its commit are named by doctor and by a backup', async () => {
    const dataDir = instance();
    const { stdout } = await formstead(dataDir, ['doctor']);
    expect(stdout).toContain(`Version ${VERSION} (${TEST_COMMIT}) in`);
    const backup = await formstead(dataDir, ['backup', '--with-key', '--json', join(scratch, 'backups')]);
    expect(JSON.parse(backup.stdout)).toMatchObject({ program_version: `${VERSION} (${TEST_COMMIT})` });
  });

  test('outside a checkout has no commit, from source and as a binary', async () => {
    const copy = copyOfSource(join(scratch, 'copy'));
    // The parent folder is a checkout of something else.
    await git(scratch, 'init', '--quiet');
    await git(scratch, 'commit', '--quiet', '--allow-empty', '--message', 'Something else');
    expect(await printed({ command: ['bun', join(copy, 'src/main.ts')] })).toBe(`formstead ${VERSION}\n`);
    const { program } = await build(copy, {});
    expect(await printed(program)).toBe(`formstead ${VERSION}\n`);
  });

  test('in a checkout has its commit, from source and as a binary', async () => {
    const checkout = copyOfSource(join(scratch, 'checkout'));
    await git(checkout, 'init', '--quiet');
    await git(checkout, 'commit', '--quiet', '--allow-empty', '--message', 'First');
    const commit = (await git(checkout, 'rev-parse', 'HEAD')).slice(0, 12);
    const source = { command: ['bun', join(checkout, 'src/main.ts')], cwd: scratch };
    expect(await printed(source)).toBe(`formstead ${VERSION} (${commit})\n`);
    const { program } = await build(checkout, {});
    expect(await printed(program)).toBe(`formstead ${VERSION} (${commit})\n`);
  });

  test('of a build has the commit in FORMSTEAD_COMMIT, which must be valid', async () => {
    const { program } = await build(ROOT, { FORMSTEAD_COMMIT: '0123456789abcdef0123456789abcdef01234567' });
    expect(await printed(program)).toBe(`formstead ${VERSION} (0123456789ab)\n`);
    const { code, stderr } = await build(ROOT, { FORMSTEAD_COMMIT: 'main' });
    expect(code).not.toBe(0);
    expect(stderr).toContain('FORMSTEAD_COMMIT must be a commit hash of 7 to 64 hex digits (got "main").');
  });
});

describe('the first line that a server logs', () => {
  const firstLine = async (program?: Program) => {
    const server = await spawnServer(fresh(), {}, program);
    expect(await server.end()).toBe(0);
    return JSON.parse(server.stdout().split('\n')[0] ?? '');
  };

  test('has the version and the commit', async () => {
    const line = { time: expect.any(String), level: 'info', message: 'starting', version: VERSION };
    expect(await firstLine()).toEqual({ ...line, commit: TEST_COMMIT });
    const commit = await checkedOutCommit(ROOT);
    expect(await firstLine(FROM_SOURCE)).toEqual({ ...line, ...(commit ? { commit } : {}) });
  });

  test('has what formstead_build_info has', async () => {
    const server = await spawnServer(fresh());
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(await server.end()).toBe(0);
    expect(metrics).toContain(
      `formstead_build_info{version="${VERSION}",commit="${TEST_COMMIT}",bun="${Bun.version}"} 1`,
    );
  });

  test('is not written by a command', async () => {
    const { stdout } = await run(instance(), ['team', 'list', '--json']);
    expect(JSON.parse(stdout)).toEqual([]);
  });
});
