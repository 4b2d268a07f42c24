import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NAMING_FILES, REPOSITORY, rename } from '../../.ci/repository.ts';
import { blocksOf, documentText } from '../support/documents.ts';
import { startOnFreePort } from '../support/free-port.ts';
import { temporaryDir } from '../support/instance.ts';
import { limit } from '../support/speed.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dir, '../..');
const clone = temporaryDir();

/** Returns the block of the README with this name. */
function block(name: string): string {
  const found = blocksOf('README.md').find((each) => each.name === name);
  if (!found) throw new Error(`the README has no block "${name}"`);
  return found.text;
}

/** The commands of the first block: cloning, starting, and starting the demo. */
const [CLONE = '', START = '', DEMO = ''] = block('server').trim().split('\n');

beforeAll(async () => {
  // A fresh clone: only files from git, nothing installed.
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  for (const file of stdout.toString().split('\n').filter(Boolean)) {
    if (!existsSync(join(ROOT, file))) continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
});
afterAll(() => rmSync(clone, { recursive: true }));

describe.each([
  ['server', START, 'bun src/main.ts'],
  ['binary', block('binary'), './dist/formstead'],
] as const)('started as the README says under "%s"', (name, commands, program) => {
  let port = 0;
  let server: Bun.Subprocess<'ignore', 'ignore', 'pipe'>;
  let printed = '';
  const env = () => ({ PATH: Bun.env.PATH, HOME: Bun.env.HOME, PORT: String(port), DATA_DIR: `./data-${name}` });

  beforeAll(async () => {
    await startOnFreePort(async (free) => {
      port = free;
      await startServer();
    });
  });

  async function startServer(): Promise<void> {
    server = Bun.spawn(['bash', '-ec', commands], {
      cwd: clone,
      env: env(),
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
      // Use a process group, so that a signal reaches the server behind the shell.
      detached: true,
    });
    printed = '';
    const read = async () => {
      for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) printed += text;
    };
    const ended = read();
    await until(async () => {
      if (server.exitCode !== null) throw new Error(await ended.then(() => printed));
      return (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null))?.ok;
    }, 'the server to answer');
  }
  afterAll(() => {
    if (server.exitCode === null && server.signalCode === null) process.kill(-server.pid, 'SIGKILL');
  });

  test('the printed command sends the first submission', async () => {
    const [, command = ''] = /^ {2}(curl \S+ -d email=\S+ -d message=\S+)$/m.exec(printed) ?? [];
    const shape = (text: string) => text.replace(/:\d+\/v1\/forms\/\w+\//, ':PORT/v1/forms/ID/');
    expect(
      documentText('README.md')
        .split('\n')
        .map((line) => shape(line.trim())),
    ).toContain(shape(command));
    const shell = Bun.spawn(['bash', '-c', command], { stdout: 'pipe', stderr: 'ignore' });
    expect(await shell.stdout.text()).toContain('"success":true,"message"');
    const list = Bun.spawn([...program.split(' '), 'team', 'list', '--json'], {
      cwd: clone,
      env: env(),
      stdout: 'pipe',
    });
    expect(await list.stdout.text()).toContain('team_');
  });

  test('the server exits with 0 on SIGTERM', async () => {
    process.kill(-server.pid, 'SIGTERM');
    await until(async () => (await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)) === null, 'its end');
    await server.exited;
    expect(server.exitCode).toBe(0);
  });
});

test('the README has at most 200 lines, and its first block clones this repository', () => {
  expect(documentText('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  expect(blocksOf('README.md')[0]?.name).toBe('server');
  expect(CLONE).toStartWith(`git clone https://github.com/${REPOSITORY} `);
});

test(
  'the demo of the README prints a link that signs in',
  async () => {
    const demo = Bun.spawn(['bash', '-ec', DEMO], {
      cwd: clone,
      env: { PATH: Bun.env.PATH, HOME: Bun.env.HOME, PORT: '0' },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    });
    let printed = '';
    for (const stream of [demo.stdout, demo.stderr]) {
      void (async () => {
        for await (const text of stream.pipeThrough(new TextDecoderStream())) printed += text;
      })();
    }
    try {
      const link = await until(
        async () => {
          if (demo.exitCode !== null) throw new Error(printed);
          return /^ {2}(http:\/\/\S+)$/m.exec(printed)?.[1];
        },
        'the link of the demo',
        100_000,
      );
      const answer = await fetch(link, { redirect: 'manual', headers: { Accept: 'text/html' } });
      expect([answer.status, answer.headers.getSetCookie().length]).toEqual([303, 1]);
    } finally {
      process.kill(-demo.pid, 'SIGTERM');
      await demo.exited;
    }
  },
  limit(120),
);

test.each(NAMING_FILES)('%s names this repository only, and gets a new name', (file) => {
  const text = documentText(file);
  expect(text).toContain(REPOSITORY);
  const renamed = rename(text, REPOSITORY, 'Acme/forms');
  expect(renamed).not.toContain(REPOSITORY);
  expect(renamed).not.toContain('ghcr.io/Acme');
  expect(rename(renamed, 'Acme/forms', REPOSITORY).toLowerCase()).toBe(text.toLowerCase());
});

test('bun start installs no development dependencies', async () => {
  const installed = await Array.fromAsync(new Bun.Glob('node_modules/*').scan({ cwd: clone, onlyFiles: false }));
  expect(installed).toContain('node_modules/elysia');
  expect(installed.filter((path) => /biome|typescript|drizzle-kit/.test(path))).toEqual([]);
});

test('the settings in the README exist, with the same defaults', async () => {
  const [, table = ''] = /## Settings\n([\s\S]*?)\n## /.exec(documentText('README.md')) ?? [];
  const names = Array.from(table.matchAll(/`([A-Z_]+)`/g), ([, each = '']) => each);
  const manual = documentText('src/manual/configuration.md');
  expect(names.length).toBeGreaterThan(9);
  expect(names.filter((each) => !manual.includes(`\`${each.replace(/_FILE$/, '')}\``))).toEqual([]);
});

test('every command in the Development section of the README is a script of package.json', async () => {
  expect(block('test')).toBe('bun run test\n');
  const { scripts } = await Bun.file(join(ROOT, 'package.json')).json();
  const named = Array.from(documentText('README.md').matchAll(/bun run ([\w:-]+)/g), ([, each = '']) => each);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((each) => !Object.hasOwn(scripts, each))).toEqual([]);
});

test('the map in src/README.md lists every file and folder at the top of src', () => {
  const map = documentText('src/README.md');
  const entries = readdirSync(join(ROOT, 'src'));
  expect(entries.filter((name) => !map.includes(`| \`${name}\``) && !map.includes(`| \`${name}/\``))).toEqual([]);
});
