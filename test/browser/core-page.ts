import { join } from 'node:path';

/** Returns the element that defines `createForm` in a page, from the source of `@formstead/client`. */
export async function coreElement(): Promise<string> {
  const core = join(import.meta.dir, '../../src/client/index.ts');
  const { outputs } = await Bun.build({
    entrypoints: ['/entry.ts'],
    files: {
      '/entry.ts': `import { createForm } from ${JSON.stringify(core)}; Object.assign(window, { createForm });`,
    },
    target: 'browser',
    format: 'iife',
    minify: true,
  });
  return `<script>${await outputs[0]?.text()}</script>`;
}
