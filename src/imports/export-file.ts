import { extname } from 'node:path';
import { jsonRows } from './json-rows.ts';
import type { RawRow } from './raw-row.ts';
import { type Encoding, readText } from './text.ts';

/** An export on disk. */
export type ExportFile = Readonly<{ path: string; encoding: Encoding }>;

/**
 * Reads the rows of an export, which is JSON or JSON Lines if its name says so or it begins with a bracket, else CSV. Throws
 * `invalid_input` for an unreadable file.
 */
export async function* toRows({ path, encoding }: ExportFile): AsyncGenerator<RawRow> {
  await using text = readText(path, encoding);
  const first = await text.next();
  const start = first.done ? '' : first.value;
  const chunks = (async function* () {
    yield start;
    yield* text;
  })();
  if (isJson(path, start)) yield* jsonRows(chunks, extname(path).toLowerCase() === '.jsonl');
  else {
    // Imported only if used, like all that a start of the server does not need.
    const { csvRows } = await import('./csv-rows.ts');
    yield* csvRows(chunks);
  }
}

function isJson(path: string, start: string): boolean {
  const extension = extname(path).toLowerCase();
  return extension === '.json' || (!['.csv', '.tsv', '.txt'].includes(extension) && /^\s*[[{]/.test(start));
}
