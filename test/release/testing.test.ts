import { afterAll, beforeAll, expect, test } from 'bun:test';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { launchOptions } from '../browser/chromium.ts';
import { namedBlock } from '../support/documents.ts';
import { temporaryDir } from '../support/instance.ts';

/** Runs tests of a project that has `formstead` installed from its package, under each test runner. */

const ROOT = join(import.meta.dir, '../..');
const SOURCE = ['src', 'drizzle', '.ci', 'package.json', 'tsconfig.json'];
/** A project with the package and the test runners in `node_modules`. */
const project = temporaryDir();
const modules = join(project, 'node_modules');
const scratch = join(project, 'tmp');
afterAll(() => rmSync(project, { recursive: true }));

/** Runs a command in the project. Throws its output if it fails. */
async function run(...command: string[]): Promise<string> {
  const env = { PATH: Bun.env.PATH, HOME: project, TMPDIR: scratch, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };
  const child = Bun.spawn(command, { cwd: project, env, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) throw new Error(stdout + stderr);
  return stdout + stderr;
}

beforeAll(async () => {
  mkdirSync(join(modules, 'formstead'), { recursive: true });
  mkdirSync(scratch);
  // Packed from a copy, because packing builds into the folder of the package.
  const source = join(project, 'source');
  for (const name of SOURCE) cpSync(join(ROOT, name), join(source, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(source, 'node_modules'));
  await run('npm', 'pack', source, '--silent');
  const [archive = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  await run('tar', '-xzf', archive, '-C', join(modules, 'formstead'), '--strip-components=1');
  symlinkSync(join(ROOT, 'node_modules'), join(modules, 'formstead/node_modules'));
  for (const name of ['astro', 'vitest', 'bun-types'])
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  const playwright = `import { chromium as core } from ${JSON.stringify(import.meta.resolve('playwright-core'))};
    const options = ${JSON.stringify(await launchOptions())};
    export const chromium = { launch: () => core.launch(options) };`;
  await Bun.write(join(modules, 'playwright/index.mjs'), playwright);
  await Bun.write(join(modules, 'playwright/package.json'), '{ "main": "index.mjs" }');
  await Bun.write(join(project, 'package.json'), '{ "type": "module" }');
});

test('the package has the bundled server, and its source folder keeps no copy', () => {
  expect(readdirSync(join(modules, 'formstead/dist/testing'))).toContain('server.js.jsc');
  expect(existsSync(join(project, 'source/dist/testing'))).toBe(false);
});

test('the example of the manual tests an Astro page with bun test', async () => {
  await Bun.write(join(project, 'src/pages/contact.astro'), namedBlock('page-to-test'));
  await Bun.write(join(project, 'contact.test.ts'), namedBlock('page-test'));
  expect(await run('bun', 'test', './contact.test.ts')).toContain('1 pass');
  expect(readdirSync(scratch).filter((name) => name.startsWith('formstead'))).toEqual([]);
});

test('the example of the manual runs in Vitest', async () => {
  await Bun.write(join(project, 'form.test.ts'), namedBlock('vitest'));
  expect(await run('node', 'node_modules/vitest/vitest.mjs', 'run', 'form.test.ts')).toContain('2 passed');
  expect(readdirSync(scratch).filter((name) => name.startsWith('formstead'))).toEqual([]);
});

test('twenty servers run at once under the test runner of Node', async () => {
  await Bun.write(
    join(project, 'node.test.js'),
    `import assert from 'node:assert/strict';
    import { test } from 'node:test';
    import { startFormstead } from 'formstead/testing';

    test('twenty servers', async () => {
      const start = () => startFormstead({ forms: [{ name: 'contact', notify: ['me@example.com'] }] });
      const servers = await Promise.all(Array.from({ length: 20 }, start));
      await Promise.all(servers.map(async (forms, index) => {
        const { status } = await fetch(forms.contact.url, { method: 'POST', body: new URLSearchParams({ index }) });
        assert.equal(status, 200);
        const { data } = await forms.contact.nextSubmission({ timeout: 30_000 });
        assert.deepEqual({ ...data }, { index: String(index) });
        assert.equal((await forms.mails()).length, 1);
      }));
      assert.equal((await fetch(new URL('/formstead.js', servers[0].url))).status, 200);
      await Promise.all(servers.map((forms) => forms.stop()));
    });`,
  );
  expect(await run('node', '--test', 'node.test.js')).toContain('pass 1');
  expect(readdirSync(scratch).filter((name) => name.startsWith('formstead'))).toEqual([]);
});

test('the types work in a strict project', async () => {
  await Bun.write(
    join(project, 'types.ts'),
    `import { startFormstead, type Submission } from 'formstead/testing';
    const forms = await startFormstead({ forms: [{ name: 'contact' }, { name: 'sign-up', digest: 'daily' }] });
    const next: Submission = await forms['sign-up'].nextSubmission({ timeout: 10 });
    export const texts: string[] = [forms.contact.url, next.id, forms.form('contact').id, forms.apiKey];
    // @ts-expect-error: there is no such form
    forms.other;
    // @ts-expect-error: settings have the names of the setup file
    startFormstead({ forms: [{ name: 'contact', redirectUrl: 'https://example.com' }] });`,
  );
  const options = { strict: true, noEmit: true, target: 'es2022', lib: ['es2022'], types: [] };
  for (const module of ['nodenext', 'preserve']) {
    const config = { compilerOptions: { ...options, module, skipLibCheck: false }, files: ['types.ts'] };
    await Bun.write(join(project, `${module}.json`), JSON.stringify(config));
    await run(join(ROOT, 'node_modules/.bin/tsc'), '-p', `${module}.json`);
  }
});
