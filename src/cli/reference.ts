import { readFile } from 'node:fs/promises';
import { invalidInput } from '../domain/errors.ts';
import type { CliIO } from './command.ts';

/**
 * Returns the value of the variable for `env:NAME`, the content of the file for `file:PATH`, or else `text`. Other users of
 * the machine can read the arguments of a process. Throws `invalid_input` if there is no such variable or file.
 */
export async function readReference({ variable }: CliIO, text: string): Promise<string> {
  const [, kind, name = ''] = /^(env|file):(.+)$/s.exec(text) ?? [];
  if (kind === 'env') return variable(name)?.trim() || fail(`The variable ${name} is not set. Set it first.`);
  if (kind !== 'file') return text;
  const content = await readFile(name, 'utf8').catch((error: NodeJS.ErrnoException) =>
    fail(`Could not read ${name} (${error.code}). Check its path.`),
  );
  return content.trim() || fail(`The file ${name} is empty. Write the value into it.`);
}

function fail(message: string): never {
  throw invalidInput(message);
}
