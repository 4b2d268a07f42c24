import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryDir } from './support/instance.ts';

const ROOT = join(import.meta.dir, '..');
const readme = await Bun.file(join(ROOT, 'README.md')).text();

/** The commands of the README in order; `kind` is the word behind `sh`. */
function blocks(kind: string): string[] {
  return Array.from(readme.matchAll(/```sh( \w+)?\n([\s\S]*?)```/g))
    .filter(([, word]) => (word?.trim() ?? '') === kind)
    .map(([, , commands = '']) => commands);
}

const clone = temporaryDir();
let port = 0;
let server: Bun.Subprocess<'ignore', 'pipe', 'pipe'> | undefined;

const withPort = (commands: string) => commands.replaceAll(':3000', `:${port}`);

beforeAll(async () => {
  // A fresh clone: only what git would give, nothing installed.
  const { stdout } = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard'], { cwd: ROOT });
  for (const file of stdout.toString().split('\n').filter(Boolean)) {
    if (!(await Bun.file(join(ROOT, file)).exists())) continue;
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  const probe = Bun.serve({ port: 0, fetch: () => new Response() });
  port = probe.port ?? 0;
  await probe.stop(true);
  server = Bun.spawn(['bash', '-ec', blocks('server').join('')], {
    cwd: clone,
    env: { PATH: Bun.env.PATH, HOME: Bun.env.HOME, PORT: String(port) },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
    if (answer?.status === 200) return;
    if (server.exitCode !== null) throw new Error(await new Response(server.stderr).text());
    await Bun.sleep(20);
  }
}, 60_000);

afterAll(async () => {
  server?.kill();
  await server?.exited;
  rmSync(clone, { recursive: true });
});

test("the README's commands work one after the other on a fresh clone", async () => {
  const shell = Bun.spawn(['bash', '-euo', 'pipefail', '-c', withPort(blocks('').join('\n'))], {
    cwd: clone,
    env: { PATH: Bun.env.PATH, HOME: Bun.env.HOME },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const output = await new Response(shell.stdout).text();
  expect([await shell.exited, await new Response(shell.stderr).text()]).toEqual([0, expect.any(String)]);
  expect(output).toContain('"success":true,"message"');
  expect(output).toContain('"data":{"email":"ada@example.com","message":"Hello"}');
}, 60_000);

test('serving installs nothing that only development needs', async () => {
  const installed = await Array.fromAsync(new Bun.Glob('node_modules/*').scan({ cwd: clone, onlyFiles: false }));
  expect(installed).toContain('node_modules/elysia');
  expect(installed.filter((name) => /biome|typescript|drizzle-kit/.test(name))).toEqual([]);
});

test('the server ends with 0 on SIGTERM when it was started by its script', async () => {
  server?.kill('SIGTERM');
  expect(await server?.exited).toBe(0);
});

test('the map of src names every file and folder at its top', async () => {
  const map = await Bun.file(join(ROOT, 'src/README.md')).text();
  const entries = await Array.fromAsync(new Bun.Glob('*').scan({ cwd: join(ROOT, 'src'), onlyFiles: false }));
  const missing = entries.filter((name) => !map.includes(`| \`${name}\``) && !map.includes(`| \`${name}/\``));
  expect(missing).toEqual([]);
});
