import { afterAll, expect, test } from 'bun:test';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { license } from '../../package.json';
import { SETTINGS } from '../../src/config/settings.ts';
import { binaryOfSource } from '../support/binary.ts';
import { blocksOf, documentText, namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';

const ROOT = join(import.meta.dir, '../..');
const DOCKERFILE = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const folder = temporaryDir();
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs commands in bash, with stub programs at the front of the PATH. */
async function bash(commands: string, cwd: string, programs: Readonly<Record<string, string>> = {}): Promise<string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', commands], {
    cwd,
    env: { ...Bun.env, PATH: `${bin}:${Bun.env.PATH}` },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited]);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('the commands for other platforms build one binary each', async () => {
  const commands = namedBlock('targets').replaceAll('dist/', `${folder}/`);
  await bash(commands, ROOT);
  const outputs = Array.from(commands.matchAll(/--outfile=(\S+)/g), ([, path = '']) => path);
  expect(outputs.length).toBeGreaterThan(1);
  expect(outputs.filter((path) => !existsSync(path))).toEqual([]);
});

test('README and manual build the binary with the same commands', () => {
  const [readme, chapter] = ['README.md', 'src/manual/quick-start.md'].map(
    (file) => blocksOf(file).find(({ name }) => name === 'binary')?.text,
  );
  expect(readme).toBe(chapter ?? '');
  expect(readme).toStartWith(namedBlock('build'));
});

test('the commands for systemd install the binary, then the unit that cli/service.test.ts installs', async () => {
  const [install = '', ...rest] = namedBlock('service').trim().split('\n');
  expect(rest).toEqual(['sudo formstead service install']);
  cpSync(await binaryOfSource(), join(folder, 'formstead'));
  await bash(install.replace('/usr/local/bin/', `${folder}/installed`), folder, { sudo: 'exec "$@"' });
  expect(statSync(join(folder, 'installed')).mode & 0o777).toBe(0o755);
});

test.each([
  ['amd64', 'amd64', 'run build\n'],
  ['arm64', 'amd64', 'run build --target=bun-linux-x64-baseline\n'],
  ['amd64', 'arm64', 'run build --target=bun-linux-arm64\n'],
])('on %s, the Dockerfile builds the binary for %s', async (machine, platform, args) => {
  const [, commands = ''] = /^RUN (case .*?esac)$/ms.exec(DOCKERFILE) ?? [];
  const script = `BUILDARCH=${machine}; TARGETARCH=${platform}; ${commands}`;
  expect(await bash(script, folder, { bun: 'echo "$@"' })).toBe(args);
});

test('the image has the license of the package, and the release labels it with the version', async () => {
  const workflow = await Bun.file(join(import.meta.dir, '../../.github/workflows/release.yml')).text();
  expect(workflow).toContain('--label "org.opencontainers.image.version=$version"');
  expect(DOCKERFILE).toContain(`image.licenses="${license}"`);
});

type Compose = Readonly<{
  services: Record<
    string,
    Readonly<{
      environment?: Record<string, string>;
      ports?: string[];
      volumes?: string[];
      logging?: Readonly<{ options: Record<string, string> }>;
    }>
  >;
  volumes: Record<string, unknown>;
}>;

/** Throws unless a compose file matches the image and sets only known variables. It is not run. */
function checkCompose(text: string): void {
  const { services, volumes } = Bun.YAML.parse(text) as Compose;
  const { environment = {}, volumes: mounts = [] } = services.formstead ?? {};
  const names = Object.values(SETTINGS).map(({ name }) => name as string);
  expect(Object.keys(environment).filter((name) => !names.includes(name))).toEqual([]);
  expect(mounts).toEqual([`formstead:${/^VOLUME (\S+)$/m.exec(DOCKERFILE)?.[1]}`]);
  expect(Object.keys(volumes)).toContain('formstead');
  for (const { logging } of Object.values(services)) {
    expect(logging?.options).toEqual({ 'max-size': '10m', 'max-file': '5' });
  }
  expect(text).toContain(/^EXPOSE (\d+)$/m.exec(DOCKERFILE)?.[1] ?? 'no port');
}

test('the compose file of the manual matches the image', () => {
  checkCompose(namedBlock('compose'));
});

test('the container commands of the README write a compose file that matches the image, and start it', async () => {
  const text = blocksOf('README.md').find(({ name }) => name === 'container')?.text ?? '';
  const calls = join(folder, 'docker-calls');
  // No container engine runs here; check the arguments it would get.
  await bash(text, folder, { docker: `echo "$@" >> '${calls}'` });
  checkCompose(readFileSync(join(folder, 'compose.yaml'), 'utf8'));
  expect(readFileSync(calls, 'utf8').split('\n')).toEqual(['compose up -d --build', 'compose logs formstead', '']);
});

test('the examples for Prometheus and Litestream are valid YAML with the documented paths', () => {
  const { scrape_configs: jobs } = Bun.YAML.parse(namedBlock('scrape')) as { scrape_configs: object[] };
  expect(jobs).toMatchObject([{ scheme: 'https', authorization: { credentials_file: expect.any(String) } }]);
  const { dbs } = Bun.YAML.parse(namedBlock('litestream')) as { dbs: Array<{ path: string }> };
  const [, dataDir] = /^Environment=DATA_DIR=(.+)$/m.exec(documentText('src/manual/deployment.md')) ?? [];
  expect(dbs.map(({ path }) => path)).toEqual([`${dataDir}/formstead.db`]);
});
