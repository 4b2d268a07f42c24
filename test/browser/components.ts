import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDir } from '../support/instance.ts';

const ROOT = join(import.meta.dir, '../..');

/** Builds an Astro site with the component, without telemetry, and returns its page. */
export async function astroPage(component: string): Promise<string> {
  const dir = temporaryDir();
  try {
    symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
    await Bun.write(join(dir, 'package.json'), '{ "type": "module" }');
    await Bun.write(join(dir, 'src/components/contact-form.astro'), component);
    const page = "---\nimport ContactForm from '../components/contact-form.astro';\n---\n<ContactForm />\n";
    await Bun.write(join(dir, 'src/pages/index.astro'), page);
    const build = Bun.spawn(['bun', '--bun', join(ROOT, 'node_modules/.bin/astro'), 'build'], {
      cwd: dir,
      env: { PATH: Bun.env.PATH, HOME: dir, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const output = (await new Response(build.stdout).text()) + (await new Response(build.stderr).text());
    if ((await build.exited) !== 0) throw new Error(output);
    return await Bun.file(join(dir, 'dist/index.html')).text();
  } finally {
    rmSync(dir, { recursive: true });
  }
}
