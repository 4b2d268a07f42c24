import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { changesIn, releaseNotes } from '../../.ci/release-notes.ts';
import { version } from '../../package.json';
import { TEST_COMMIT } from '../support/binary.ts';
import { documentText } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';
import { limit } from '../support/speed.ts';

const ROOT = join(import.meta.dir, '../..');
const SOURCE = ['src', 'drizzle', '.ci', 'package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json', 'LICENSE'];
const PLATFORM = `linux-${process.arch}`;
const source = temporaryDir();
const out = join(source, 'dist/release');
afterAll(() => rmSync(source, { recursive: true }));

function run(command: string[], env: Record<string, string> = {}) {
  const child = Bun.spawnSync(command, {
    cwd: source,
    env: { ...Bun.env, FORMSTEAD_COMMIT: TEST_COMMIT, GITHUB_REPOSITORY: 'Example/formstead', ...env },
  });
  return { code: child.exitCode, stdout: child.stdout.toString(), stderr: child.stderr.toString() };
}

beforeAll(() => {
  for (const name of SOURCE) cpSync(join(ROOT, name), join(source, name), { recursive: true });
  run(['bun', 'install', '--production', '--omit=peer', '--frozen-lockfile']);
  expect(run(['bun', '.ci/release-files.ts', PLATFORM])).toMatchObject({ code: 0 });
}, limit(180));

test('a release has archives, the installer and the bill of materials, with their checksums', () => {
  const names = [
    'formstead.cdx.json',
    'install.sh',
    `formstead-${PLATFORM}-musl.tar.gz`,
    `formstead-${PLATFORM}.tar.gz`,
  ];
  expect(readdirSync(out).sort()).toEqual([...names, 'SHA256SUMS'].sort());
  const check = Bun.spawnSync(['sha256sum', '--strict', '--check', 'SHA256SUMS'], { cwd: out });
  expect(check.stdout.toString().trim().split('\n').sort()).toEqual(names.map((name) => `${name}: OK`).sort());
});

test('the installer of a release downloads from its repository', () => {
  const script = readFileSync(join(out, 'install.sh'), 'utf8');
  expect(script).toContain("RELEASES='https://github.com/Example/formstead/releases'\n");
});

test(
  'the installer installs the binary of a release',
  async () => {
    const server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ url }) => new Response(Bun.file(join(out, new URL(url).pathname.split('/').at(-1) ?? ''))),
    });
    const script = readFileSync(join(out, 'install.sh'), 'utf8').replace(
      "='https://github.com/",
      `='${server.url.href}`,
    );
    const dir = join(source, 'bin');
    const child = Bun.spawn(['sh', '-s', '--', '--version', version, '--dir', dir], {
      stdin: new Blob([script]),
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    await server.stop(true);
    expect(stderr).toBe('');
    expect(stdout).toContain(`Installed formstead ${version} (${TEST_COMMIT}) as ${dir}/formstead\n`);
  },
  limit(60),
);

test(
  'an archive is identical when it is built again',
  () => {
    const path = join(out, `formstead-${PLATFORM}.tar.gz`);
    const hash = () => new Bun.CryptoHasher('sha256').update(readFileSync(path)).digest('hex');
    const first = hash();
    expect(run(['bun', '.ci/release-files.ts', PLATFORM])).toMatchObject({ code: 0 });
    expect(hash()).toBe(first);
  },
  limit(120),
);

test('notes are the section of the changelog, with links to the files of the tag', () => {
  const changelog =
    '# Changelog\n\n## 0.2.1\n\nLater.\n\n## 0.2.0\n\n- See [backups](backups.md#new).\n\n### Fixed\n\n- [A bug](https://example.com).\n\n## 0.1.0\n\nFirst.\n';
  const notes = releaseNotes(changelog, '0.2.0', 'https://github.com/Example/formstead');
  expect(notes).toStartWith(
    '- See [backups](https://github.com/Example/formstead/blob/v0.2.0/src/manual/backups.md#new).\n\n### Fixed\n\n- [A bug](https://example.com).\n\n## Install\n',
  );
  expect(notes).toContain('ghcr.io/example/formstead:0.2.0');
  expect(notes).not.toContain('First.');
});

test.each([
  ['is missing', '# Changelog\n\n## 0.2.1\n\nLater.\n', 'has no section for 0.2.0. Add "## 0.2.0".'],
  ['is empty', '## 0.2.0\n\n## 0.1.0\n\nFirst.\n', 'is empty. Describe the changes.'],
])('a version whose section %s is not released', (_, changelog, message) => {
  expect(() => changesIn(changelog, '0.2.0')).toThrow(message);
});

test('a tag that differs from the version of the package is refused with a remedy', () => {
  const { code, stderr } = run(['bun', '.ci/release-notes.ts', 'v9.9.9']);
  expect(code).toBe(1);
  expect(stderr).toContain(
    `The tag v9.9.9 must be v${version}, the version in package.json. Set the version in package.json, commit, and ` +
      'tag that commit.',
  );
});

test('the changelog begins with the version of the package', () => {
  expect(documentText('src/manual/changelog.md')).toMatch(new RegExp(`\\n## ${RegExp.escape(version)}\\n`));
});
