import { join } from 'node:path';
import { readFiles } from '../../src/services/submissions/read-submission.ts';
import { tableBytes } from './database-rows.ts';
import type { Instance } from './instance.ts';

/** Length of the header of a sealed record, whose salt other records share. */
const HEADER_BYTES = 33;

/** Returns the part of a sealed record that no other record has. */
export function ciphertextOf(record: Uint8Array): Uint8Array {
  return record.subarray(HEADER_BYTES);
}

/**
 * Returns the files of a data directory, and the tables of PostgreSQL, that contain any 16-byte piece of the records.
 * Runs in a separate process: closing a database file in the process that uses it releases SQLite's locks.
 */
export async function tracesOf(dataDir: string, records: readonly Uint8Array[]): Promise<string[]> {
  const pieces = records.flatMap((record) => {
    const hex = Buffer.from(record).toString('hex');
    return Array.from({ length: Math.floor(hex.length / 32) }, (_, n) => hex.slice(32 * n, 32 * n + 32));
  });
  if (pieces.length === 0) throw new Error('There are no records to search for.');
  const child = Bun.spawn([process.execPath, '-e', SEARCH_SCRIPT, dataDir], { stdin: 'pipe', stdout: 'pipe' });
  child.stdin.write(JSON.stringify(pieces));
  await child.stdin.end();
  const files = JSON.parse(await new Response(child.stdout).text());
  const contains = (content: Buffer) => pieces.some((piece) => content.includes(piece, 0, 'hex'));
  return [
    ...files,
    ...tableBytes(dataDir)
      .filter(([, content]) => contains(content))
      .map(([table]) => table),
  ];
}

const SEARCH_SCRIPT = `
const { readdirSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const pieces = JSON.parse(await Bun.stdin.text()).map((hex) => Buffer.from(hex, 'hex'));
const files = readdirSync(process.argv.at(-1), { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
const holds = ({ parentPath, name }) => {
  const bytes = readFileSync(join(parentPath, name));
  return pieces.some((piece) => bytes.includes(piece));
};
process.stdout.write(JSON.stringify(files.filter(holds).map(({ name }) => name)));
`;

/** Returns the stored data of submissions: sealed records, those of their messages and mails, and the first bytes of their files. */
export async function recordsOf({ context, dataDir }: Pick<Instance, 'context' | 'dataDir'>, ids: readonly string[]) {
  const { store, vault, log } = context;
  const records: Uint8Array[] = [];
  for (const id of ids) {
    const found = await store.mails.findSubmissionWithForm(id);
    if (!found) throw new Error(`Submission ${id} not found.`);
    const { payload, files, spamReasons, source } = found.submission;
    const messages = await store.messages.list([id]);
    const reasons = (await store.inbox.listMailsOf(id)).map(({ reason }) => reason);
    const sealed = [payload, files, spamReasons, source, ...reasons, ...messages.map(({ body }) => body)];
    records.push(...sealed.filter((record) => record !== null).map(ciphertextOf));
    for (const { blob } of readFiles(vault, log, found.submission)) {
      records.push((await Bun.file(join(dataDir, 'files', blob)).bytes()).slice(0, 4096));
    }
  }
  return records;
}
