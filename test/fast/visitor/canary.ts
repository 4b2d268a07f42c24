import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableBytes } from '../../support/database-rows.ts';
import type { Instance } from '../../support/instance.ts';

/** Returns a unique text. */
export function newCanary(): string {
  return `canary${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Returns the files of the data directory, the tables of PostgreSQL, and the log, that contain a text in any encoding. */
export function placesOf(text: string, { dataDir, logs }: Pick<Instance, 'dataDir' | 'logs'>): string[] {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const contents = files.map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name))] as const);
  const places = [...contents, ...tableBytes(dataDir), ['the log', Buffer.from(logs.join(''))] as const];
  const disguises = disguisesOf(text);
  return places.filter(([, bytes]) => disguises.some((disguise) => bytes.includes(disguise))).map(([name]) => name);
}

/** Returns the encodings of a text to search for: plain, UTF-16, hex, and base64 at any of three offsets. */
function disguisesOf(text: string): Buffer[] {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), utf8]).toString('base64');
    return encoded.slice(Math.ceil((offset * 8) / 6), -4);
  });
  const hex = utf8.toString('hex');
  const texts = [hex, hex.toUpperCase(), ...inBase64].map((disguise) => Buffer.from(disguise));
  return [utf8, utf16, Buffer.from(utf16).swap16(), Buffer.from([...utf8].reverse()), ...texts];
}
