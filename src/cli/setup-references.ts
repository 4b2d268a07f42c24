import { readFileSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { invalidInput } from '../domain/errors.ts';
import type { References } from '../services/setup/references.ts';
import type { KeyFile } from '../vault/unlock.ts';
import type { CliContext } from './command.ts';

/** Length from which a text is compared: shorter ones may be part of any other text. */
const MIN_SECRET = 8;

/**
 * Returns the variables and files for `env:` and `file:` in a setup file. Its author may be somebody else than the
 * operator, so files are beside it unless `allowsOutside`, and secrets of the instance are always refused.
 */
export function setupReferences(
  cli: CliContext,
  keyFile: KeyFile,
  setupPath: string,
  allowsOutside: boolean,
): References {
  const settings = cli.secretSettings();
  const texts = [...settings.values(), keyFile ? readFileSync(keyFile.path, 'utf8') : ''];
  // A setting or key file may have several keys.
  const secrets = texts.flatMap((text) => text.split(/[\s,]+/)).filter(({ length }) => length >= MIN_SECRET);
  const isOwn = (value: string | Buffer) => secrets.some((secret) => value.includes(secret));
  return {
    variable: (name) => {
      const value = cli.variable(name);
      if (!settings.has(name) && !isOwn(value ?? '')) return value;
      throw invalidInput(`The variable ${name} is a secret of this instance, which is never sent. Name another one.`);
    },
    readFile: async (path, maxBytes) => {
      const folder = await realpath(dirname(setupPath));
      const file = await realpath(resolve(folder, path));
      if (!allowsOutside && !file.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
        throw invalidInput(`${path} is not in the folder of this file. Move it there, or pass --allow-files-outside.`);
      }
      const bytes = await readStart(file, maxBytes);
      if (!isOwn(bytes)) return bytes;
      throw invalidInput(`${path} contains a secret of this instance, which is never sent. Name another file.`);
    },
  };
}

/** Reads at most `maxBytes` from the start of a file, which may be endless. */
export async function readStart(path: string, maxBytes: number): Promise<Buffer> {
  await using file = await open(path);
  const buffer = Buffer.alloc(maxBytes);
  let length = 0;
  for (let read = 1; read > 0 && length < maxBytes; length += read) {
    ({ bytesRead: read } = await file.read(buffer, length, maxBytes - length));
  }
  return buffer.subarray(0, length);
}
