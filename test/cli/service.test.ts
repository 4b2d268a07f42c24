import { expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../../src/cli/program.ts';
import { documentText } from '../support/documents.ts';
import { createDir, dataDirs, refused, run } from './command-line.ts';

const fresh = dataDirs();

/** Creates a root folder that looks like a machine with systemd. */
function createRoot(): { root: string; folder: string; file: string } {
  const root = createDir(fresh());
  const folder = join(root, 'etc/systemd/system');
  mkdirSync(folder, { recursive: true });
  return { root, folder, file: join(folder, 'formstead.service') };
}

test('--print prints the unit of the manual and writes nothing', async () => {
  const { root, file } = createRoot();
  const { code, stdout, stderr } = await run(fresh(), ['service', 'install', '--print', '--root', root]);
  expect([code, stderr, existsSync(file)]).toEqual([0, '', false]);
  expect(stdout).toContain('\nExecStart=/usr/local/bin/formstead serve\n');
  expect(documentText('src/manual/deployment.md')).toContain(`\`\`\`ini\n${stdout}\`\`\``);
});

test('install writes a unit that everyone can read, and prints the next steps', async () => {
  const { root, file } = createRoot();
  const dataDir = fresh();
  const { code, stdout, stderr } = await run(dataDir, ['service', 'install', '--root', root]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toStartWith(`Wrote ${file}.`);
  expect(stdout).toContain('systemctl enable --now formstead');
  const { stdout: unit } = await run(dataDir, ['service', 'install', '--print']);
  expect(readFileSync(file, 'utf8')).toBe(unit);
  expect(statSync(file).mode & 0o777).toBe(0o644);
  expect(existsSync(dataDir)).toBe(false);
  const again = await run(dataDir, ['service', 'install', '--root', root, '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ file, next: expect.arrayContaining(['systemctl daemon-reload']) });
});

test('install fails on a machine without systemd', async () => {
  const root = createDir(fresh());
  expect(await run(fresh(), ['service', 'install', '--root', root])).toEqual(refused(/this machine has no systemd/));
});

test('install without write access asks for root', async () => {
  const { root, folder } = createRoot();
  chmodSync(join(root, '..'), 0o755);
  chmodSync(folder, 0o555);
  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const asUser = process.getuid?.() === 0 ? nobody : [];
  const child = Bun.spawn([...asUser, process.execPath, '-e', INSTALL_INTO, root], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: Bun.env.PATH, HOME: '/nonexistent' },
  });
  expect(await new Response(child.stdout).text()).toMatch(/only root can write.*Run this command with sudo/);
});

/** Runs `service install` as a program in a directory that a service can access. */
const INSTALL_INTO = `
const { runCommand } = await import('./src/cli/program.ts');
const io = { stdout: () => {}, stderr: () => {}, readEnvironment: () => {}, program: ['/usr/local/bin/formstead'], prompt: null };
const install = ['service', 'install', '--root', process.argv.at(-1)];
await runCommand(install, io).catch((error) => process.stdout.write(error.message));
`;

test.each(['/home/ada/formstead', '/tmp/formstead', '/opt/a b/formstead', '/opt/100%/formstead', 'formstead'])(
  'refuses to install a service for %s, which it could not access',
  async (path) => {
    const settings = { readEnvironment: () => {}, settings: fail };
    const backups = { backupConfig: fail, openMove: fail, openMoveSource: fail, stdin: fail, isStderrTty: false };
    const io = {
      stdout: fail,
      stderr: fail,
      open: fail,
      listenAddress: fail,
      variable: fail,
      secretSettings: fail,
      serve: fail,
      runDemo: fail,
      prompt: null,
      ...backups,
      ...settings,
      program: [path],
    };
    await expect(runCommand(['service', 'install', '--print'], io)).rejects.toThrow(path);
  },
);

function fail(): never {
  throw new Error('must not be called');
}
