import { join } from 'node:path';

const CORE = join(import.meta.dir, '../../src/client/index.ts');

/** Returns the element that defines `createForm` in a page. */
export function coreElement(): Promise<string> {
  return moduleElement("import { createForm } from '@formstead/client'; Object.assign(window, { createForm });");
}

/** Returns the element with a bundled module that imports `@formstead/client`. */
export async function moduleElement(code: string): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: ['/entry.ts'],
    files: { '/entry.ts': code.replace("'@formstead/client'", JSON.stringify(CORE)) },
    target: 'browser',
    format: 'iife',
    minify: true,
  });
  return `<script>${await outputs[0]?.text()}</script>`;
}
