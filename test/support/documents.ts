import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { binaryOfSource } from './binary.ts';

/** A fenced block of the README or a chapter. `name` is the word behind the language, empty for none. */
export type Block = Readonly<{ file: string; line: number; language: string; name: string; text: string }>;

const ROOT = join(import.meta.dir, '../..');
const MANUAL = 'src/manual';

/** The chapters of the manual as paths from the root of the repository. */
export const CHAPTERS = readdirSync(join(ROOT, MANUAL))
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(MANUAL, name));

/** The README and the manual: all documents whose blocks are run. */
export const DOCUMENTS = ['README.md', ...CHAPTERS];

/** The text of a document, by its path from the root of the repository. */
export function documentText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The fenced blocks of a document, in order. */
export function blocksOf(file: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; language: string; name: string; lines: string[] } | null = null;
  for (const [index, line] of documentText(file).split('\n').entries()) {
    const [, language, name = ''] = /^```(\w*)(?: (\S+))?\s*$/.exec(line) ?? [];
    if (language === undefined) open?.lines.push(line);
    else if (open) {
      blocks.push({ ...open, file, text: `${open.lines.join('\n')}\n` });
      open = null;
    } else open = { line: index + 1, language, name, lines: [] };
  }
  if (open) throw new Error(`${file}:${open.line}: the block has no end`);
  return blocks;
}

/** The commands of a document that are run in order. */
export function commandsOf(file: string): string {
  return blocksOf(file)
    .filter(({ language, name }) => language === 'sh' && name === '')
    .map(({ text }) => text)
    .join('\n');
}

/** The text of the block of this name. Throws unless README and manual together have exactly one. */
export function namedBlock(name: string): string {
  const found = DOCUMENTS.flatMap(blocksOf).filter((block) => block.name === name);
  const [block] = found;
  if (!block || found.length > 1) {
    const places = found.map(({ file, line }) => `${file}:${line}`).join(', ') || 'none';
    throw new Error(`README and manual must have one block named "${name}", and have: ${places}`);
  }
  return block.text;
}

/** Puts a `formstead` command that runs the binary of this source into `folder`; returns the folder to add to PATH. */
export async function commandFolder(folder: string): Promise<string> {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'formstead'), `#!/bin/sh\nexec '${await binaryOfSource()}' "$@"\n`);
  chmodSync(join(bin, 'formstead'), 0o755);
  return bin;
}
