import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../../.ci/repository.ts';
import { unpackDebian } from '../support/debian.ts';
import { namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { limit } from '../support/speed.ts';

const SCRIPT = readFileSync(join(import.meta.dir, '../../.ci/install.sh'), 'utf8');
const folder = temporaryDir();
const installer = join(folder, 'install.sh');
const ARCHIVE = `formstead-linux-${process.arch}.tar.gz`;
const PROGRAMS = 'sh id uname mkdir mktemp rm mv ls sed cut chmod tar gzip sha256sum'.split(' ');

/** Files of the release that the server has, by path below `/releases`. */
const files = new Map<string, Uint8Array | string>();
const requests: string[] = [];
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch({ url }) {
    const path = new URL(url).pathname;
    requests.push(path);
    // GitHub redirects downloads to another host.
    if (path.startsWith('/releases/')) return Response.redirect(path.replace('/releases/', '/storage/'));
    const body = files.get(path.replace('/storage/', ''));
    return body === undefined ? new Response('Not Found', { status: 404 }) : new Response(body);
  },
});
const shells: Record<string, string[]> = { dash: ['dash'], bash: ['bash'] };
let dir = '';

beforeAll(async () => {
  await unpackDebian(join(folder, 'debian'), ['dash', 'busybox-static', 'shellcheck', 'wget']);
  shells.dash = [join(folder, 'debian/bin/dash')];
  shells.busybox = [join(folder, 'debian/bin/busybox'), 'sh'];
  writeFileSync(installer, SCRIPT.replace('@RELEASES@', `${server.url.origin}/releases`));
}, limit(120));
afterAll(async () => {
  await server.stop(true);
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  files.clear();
  requests.length = 0;
  dir = join(temporaryDir(folder), 'bin');
  putRelease('latest/download', 'echo formstead 0.3.0');
  putRelease('download/v0.2.0', 'echo formstead 0.2.0');
});

/** Puts a release with this program as its binary on the server. */
function putRelease(path: string, program: string): void {
  const content = temporaryDir(folder);
  writeFileSync(join(content, 'formstead'), `#!/bin/sh\n${program}\n`);
  writeFileSync(join(content, 'LICENSE'), 'MIT\n');
  const tar = Bun.spawnSync(['tar', '-C', content, '-czf', '-', 'formstead', 'LICENSE']).stdout;
  const hash = new Bun.CryptoHasher('sha256').update(tar).digest('hex');
  files.set(`${path}/${ARCHIVE}`, tar);
  files.set(`${path}/SHA256SUMS`, `${'0'.repeat(64)}  formstead-windows-x64.zip\n${hash}  ${ARCHIVE}\n`);
}

/** Creates a folder with only these programs of the system, for PATH. A stub replaces a program by a script. */
function binFolder(programs: readonly string[], stubs: Readonly<Record<string, string>> = {}): string {
  const bin = temporaryDir(folder);
  for (const name of programs) {
    const path = Bun.which(name);
    if (!path) throw new Error(`This test needs ${name}. Install it.`);
    symlinkSync(path, join(bin, name));
  }
  for (const [name, script] of Object.entries(stubs)) {
    rmSync(join(bin, name), { force: true });
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return bin;
}

type Run = Readonly<{ shell?: string; script?: string; args?: string[]; env?: Record<string, string> }>;

async function install({ shell = 'dash', script = installer, args = ['--dir', dir], env = {} }: Run = {}) {
  const child = Bun.spawn([...(shells[shell] ?? []), script, ...args], {
    cwd: folder,
    env: { PATH: Bun.env.PATH, HOME: folder, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

/** Output of the installed program; null if there is none. Throws if an unfinished download was left behind. */
function installed(at = dir): string | null {
  if (!existsSync(at)) return null;
  expect(readdirSync(at).filter((name) => name !== 'formstead')).toEqual([]);
  const path = join(at, 'formstead');
  return existsSync(path) ? Bun.spawnSync([path]).stdout.toString() : null;
}

test.each(['dash', 'bash', 'busybox'])('%s installs the newest release and upgrades in place', async (shell) => {
  const first = await install({ shell, args: ['--version', '0.2.0', '--dir', dir] });
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toEndWith(
    `Installed formstead 0.2.0 as ${dir}/formstead\nStart it with: ${dir}/formstead (or add ${dir} to your PATH)\n`,
  );
  expect(installed()).toBe('formstead 0.2.0\n');
  const second = await install({ shell, env: { PATH: `${dir}:${Bun.env.PATH}` } });
  expect(second).toMatchObject({ code: 0, stderr: '' });
  expect(second.stdout).toEndWith(
    `Installed formstead 0.3.0 as ${dir}/formstead\nA running server is still the earlier version: restart it, as with: systemctl restart formstead\n`,
  );
  expect(installed()).toBe('formstead 0.3.0\n');
});

test('downloads with wget if there is no curl', async () => {
  const PATH = binFolder([...PROGRAMS, 'grep', 'ldd', 'wget']);
  expect(await install({ env: { PATH } })).toMatchObject({ code: 0, stderr: '' });
  expect(installed()).toBe('formstead 0.3.0\n');
});

test('refuses a redirect from HTTPS to HTTP with curl and with wget', async () => {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  Bun.spawnSync(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, ...subject]);
  await using secure = Bun.serve({
    port: 0,
    tls: { key: Bun.file(key), cert: Bun.file(cert) },
    fetch({ url }) {
      const { pathname } = new URL(url);
      if (pathname.startsWith('/leaving/')) {
        return Response.redirect(server.url.origin + pathname.replace('/leaving/', '/storage/'));
      }
      if (pathname.startsWith('/staying/')) return Response.redirect(pathname.replace('/staying/', '/storage/'));
      return new Response(files.get(pathname.replace('/storage/', '')));
    },
  });
  const script = join(folder, 'secure.sh');
  writeFileSync(join(folder, 'wgetrc'), `ca_certificate = ${cert}\n`);
  const env = { WGETRC: join(folder, 'wgetrc'), CURL_CA_BUNDLE: cert };
  for (const program of ['curl', 'wget']) {
    const PATH = binFolder([...PROGRAMS, 'grep', 'ldd', program]);
    const from = (path: string) => {
      writeFileSync(script, SCRIPT.replace('@RELEASES@', `https://localhost:${secure.port}/${path}`));
      return install({ script, env: { ...env, PATH } });
    };
    const { code, stderr } = await from('leaving');
    expect([program, code, stderr]).toEqual([
      program,
      1,
      expect.stringMatching(/install\.sh: .*(HTTPS|Could not download)/),
    ]);
    expect(installed()).toBeNull();
    expect(await from('staying')).toMatchObject({ code: 0, stderr: '' });
    expect(installed()).toBe('formstead 0.3.0\n');
    rmSync(dir, { recursive: true });
  }
});

const ORIGIN = 'https://github.com/example/formstead';

test.each<[string, string, number, string | null]>([
  ['verifies the origin of the download with gh', 'true', 0, 'formstead 0.3.0\n'],
  ['refuses a download whose origin gh cannot verify', '[ "$2" != verify ]', 1, null],
  ['does without gh if that is not signed in', '[ "$1" != auth ] && [ "$2" != verify ]', 0, 'formstead 0.3.0\n'],
  ['does without gh if that is too old to verify', '[ "$1" != attestation ]', 0, 'formstead 0.3.0\n'],
])('%s', async (_, gh, code, program) => {
  const script = join(folder, 'github.sh');
  const calls = join(temporaryDir(folder), 'calls');
  writeFileSync(script, SCRIPT.replace('@RELEASES@', `${ORIGIN}/releases`));
  // Downloads from this server instead of GitHub.
  const curl = `while [ "$1" != -o ]; do shift; done; exec ${Bun.which('curl')} -fsSL -o "$2" "${server.url.origin}\${3#${ORIGIN}}"`;
  const PATH = `${binFolder([], { curl, gh: `echo "$@" >> ${calls}; ${gh}` })}:${Bun.env.PATH}`;
  const outcome = await install({ script, env: { PATH } });
  expect([outcome.code, installed()]).toEqual([code, program]);
  const verified = readFileSync(calls, 'utf8').includes('attestation verify');
  expect(verified).toBe(gh === 'true' || code === 1);
  if (verified)
    expect(readFileSync(calls, 'utf8')).toMatch(
      new RegExp(`^attestation verify .*/${ARCHIVE} --repo example/formstead$`, 'm'),
    );
  if (code === 1) expect(outcome.stderr).toContain('gh could not verify that example/formstead built');
});

test('verifies with shasum or openssl if there is no sha256sum', async () => {
  const programs = [...PROGRAMS.filter((name) => name !== 'sha256sum'), 'curl', 'ldd'];
  for (const tools of [['perl', 'shasum'], ['openssl']]) {
    const PATH = binFolder([...programs, ...tools]);
    expect(await install({ env: { PATH } })).toMatchObject({ code: 0, stderr: '' });
    expect(installed()).toBe('formstead 0.3.0\n');
  }
  const { code, stderr } = await install({ env: { PATH: binFolder(programs) } });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'install.sh: The download cannot be verified without sha256sum, shasum or openssl. Install one of them.\n',
  });
});

test.each([
  ['PREFIX', { PREFIX: join(folder, 'prefix') }, join(folder, 'prefix/bin'), '1000'],
  ['the home of a user', {}, join(folder, '.local/bin'), '1000'],
])('without --dir, installs to %s', async (_, env, expected, uid) => {
  const PATH = `${binFolder([], { id: `echo ${uid}` })}:${Bun.env.PATH}`;
  expect(await install({ args: [], env: { ...env, PATH } })).toMatchObject({ code: 0, stderr: '' });
  expect(installed(expected)).toBe('formstead 0.3.0\n');
});

const WRONG_CHECKSUM = `${ARCHIVE} has the wrong checksum: the download is damaged or was changed.`;

test.each<[string, () => void, string]>([
  ['changed', () => files.set(`latest/download/${ARCHIVE}`, 'changed'), WRONG_CHECKSUM],
  [
    'cut off',
    () => {
      const whole = files.get(`latest/download/${ARCHIVE}`) as Uint8Array;
      files.set(`latest/download/${ARCHIVE}`, whole.slice(0, 100));
    },
    WRONG_CHECKSUM,
  ],
  ['missing', () => files.delete(`latest/download/${ARCHIVE}`), 'Could not download http'],
  ['without checksums', () => files.delete('latest/download/SHA256SUMS'), 'Could not download http'],
  [
    'without its own checksum',
    () => files.set('latest/download/SHA256SUMS', ''),
    `SHA256SUMS has no checksum of ${ARCHIVE}.`,
  ],
  ['not able to run', () => putRelease('latest/download', 'exit 127'), 'The binary does not run on this machine.'],
])('keeps the earlier version if the download is %s', async (_, spoil, message) => {
  await install({ args: ['--version', 'v0.2.0', '--dir', dir] });
  spoil();
  const { code, stderr } = await install();
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`install.sh: ${message}`) });
  expect(installed()).toBe('formstead 0.2.0\n');
});

test('removes its temporary files when it is interrupted', async () => {
  // curl is a stub that interrupts the shell that runs it.
  const PATH = `${binFolder([], { curl: 'kill -TERM $PPID; exit 0' })}:${Bun.env.PATH}`;
  expect(await install({ env: { PATH } })).toMatchObject({ code: 143 });
  expect(installed()).toBeNull();
});

test.each<[string, Record<string, string>, string]>([
  [
    'an unknown processor',
    { uname: 'case $1 in -s) echo Linux;; *) echo riscv64;; esac' },
    'No binary exists for riscv64',
  ],
  ['another system', { uname: 'echo FreeBSD' }, 'FreeBSD is not supported by this script.'],
  ['no way to download', {}, 'Downloads need curl or wget, and neither is installed.'],
])('%s is refused with a remedy', async (_, stubs, message) => {
  const { code, stderr } = await install({ env: { PATH: binFolder([...PROGRAMS, 'ldd'], stubs) } });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`install.sh: ${message}`) });
  expect(installed()).toBeNull();
});

test.each<[string, Record<string, string>, string]>([
  ['Alpine', { ldd: 'echo "musl libc (x86_64)" >&2; exit 1' }, `linux-${process.arch}-musl`],
  ['a Mac', { uname: 'case $1 in -s) echo Darwin;; *) echo x86_64;; esac', sysctl: 'exit 1' }, 'darwin-x64'],
  [
    'a shell under Rosetta',
    { uname: 'case $1 in -s) echo Darwin;; *) echo x86_64;; esac', sysctl: 'echo 1' },
    'darwin-arm64',
  ],
  ['an ARM server', { uname: 'case $1 in -s) echo Linux;; *) echo aarch64;; esac' }, 'linux-arm64'],
])('chooses the build for %s', async (_, stubs, platform) => {
  await install({ env: { PATH: `${binFolder([], stubs)}:${Bun.env.PATH}` } });
  expect(requests).toContain(`/releases/latest/download/formstead-${platform}.tar.gz`);
});

test('a target that cannot be written is refused', async () => {
  writeFileSync(join(folder, 'file'), '');
  expect(await install({ args: ['--dir', join(folder, 'file/bin')] })).toEqual({
    code: 1,
    stdout: '',
    stderr: `install.sh: ${folder}/file/bin is not writable. Name another folder with --dir, or run this script as root.\n`,
  });
  mkdirSync(join(dir, 'formstead'), { recursive: true });
  const { code, stderr } = await install();
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `install.sh: ${dir}/formstead is a folder. Name another folder with --dir.\n`,
  });
});

test('the commands of the manual install and verify a release', async () => {
  const latest = `https://github.com/${REPOSITORY}/releases/latest/download`;
  const commands = namedBlock('install').replace(latest, `${server.url.origin}/releases/latest/download`);
  files.set('latest/download/install.sh', readFileSync(installer));
  const bin = binFolder([], { gh: 'echo "$@"' });
  const prefix = temporaryDir(folder);
  const install = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands], {
    cwd: temporaryDir(folder),
    env: { PATH: `${bin}:${Bun.env.PATH}`, PREFIX: prefix },
    stdout: 'ignore',
  });
  expect(await install.exited).toBe(0);
  expect(installed(join(prefix, 'bin'))).toBe('formstead 0.3.0\n');
  const download = temporaryDir(folder);
  for (const name of [ARCHIVE, 'SHA256SUMS']) {
    writeFileSync(join(download, name), files.get(`latest/download/${name}`) ?? '');
  }
  const verify = Bun.spawnSync(['bash', '-euo', 'pipefail', '-c', namedBlock('provenance')], {
    cwd: download,
    env: { PATH: `${bin}:${Bun.env.PATH}` },
  });
  expect(verify.stdout.toString()).toEndWith(`--repo ${REPOSITORY}\n${ARCHIVE}: OK\n`);
});

test('wrong arguments are refused', async () => {
  const unknown = await install({ args: ['--prefix', '/usr'] });
  expect(unknown).toMatchObject({
    code: 1,
    stderr: 'install.sh: --prefix is not an option. Use --version or --dir.\n',
  });
  const missing = await install({ args: ['--dir'] });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('--dir needs a value') });
});

test('the script of the repository, which has no address, refuses to run', async () => {
  const child = Bun.spawn(['sh', join(import.meta.dir, '../../.ci/install.sh')], { stderr: 'pipe', stdout: 'ignore' });
  expect(await child.stderr.text()).toBe(
    'install.sh: This copy of install.sh has no download address. Use the install.sh of a release.\n',
  );
  expect(await child.exited).toBe(1);
});

test('shellcheck finds nothing in the script', () => {
  const check = Bun.spawnSync([join(folder, 'debian/usr/bin/shellcheck'), installer]);
  expect(check.stdout.toString()).toBe('');
  expect(check.exitCode).toBe(0);
});
