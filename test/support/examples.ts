import { join } from 'node:path';

const ROOT = join(import.meta.dir, '../..');

/**
 * Returns the code of a named example, which is a code block opened by its language and name, in the README or the manual.
 * Throws unless there is exactly one of that name.
 */
export async function findExample(name: string): Promise<string> {
  const paths = ['README.md', ...new Bun.Glob('src/manual/*.md').scanSync(ROOT)];
  const pattern = new RegExp(`^\`\`\`\\w+ ${name}\n([\\s\\S]*?)^\`\`\``, 'gm');
  const found: Array<Readonly<{ path: string; code: string }>> = [];
  for (const path of paths) {
    const text = await Bun.file(join(ROOT, path)).text();
    for (const [, code = ''] of text.matchAll(pattern)) found.push({ path, code });
  }
  const [only] = found;
  if (!only || found.length > 1) {
    const places = found.map(({ path }) => path).join(', ') || 'none of them';
    throw new Error(`the example "${name}" must be once in the README or the manual, but is in ${places}`);
  }
  return only.code;
}
