import { AppError } from '../../domain/errors.ts';
import type { Path, SetupDocument } from './document.ts';
import { KEEP } from './setup-file.ts';

/**
 * Sources of secrets outside the file. `readFile` reads the start of a file by a path relative to the setup file. Both
 * throw `invalid_input` for a value that must not be sent.
 */
export type References = Readonly<{
  variable: (name: string) => string | undefined;
  readFile: (path: string, maxBytes: number) => Promise<Uint8Array>;
}>;

/** A reference in the file, and the host that gets its value; null for a logo, which visitors see. */
export type ReferenceUse = Readonly<{ reference: string; host: string | null; name: string; setting: string }>;

/** Returns the references among the values of an entry. */
export function referencesAmong(
  name: string,
  host: string | null,
  values: ReadonlyArray<readonly [setting: string, value: unknown]>,
): ReferenceUse[] {
  return values.flatMap(([setting, value]) =>
    typeof value === 'string' && REFERENCE.test(value) ? [{ reference: value, host, name, setting }] : [],
  );
}

const REFERENCE = /^(env|file):(.+)$/;
const MAX_SECRET_BYTES = 64 * 1024;

/** Returns whether a value leaves a stored secret as it is. */
export const isKept = (value: string | undefined): boolean => value === undefined || value === KEEP;

/** Returns the text of `env:NAME` or `file:PATH`, or `value` itself. Throws `InvalidFileError` if it cannot be read. */
export async function resolveText(document: SetupDocument, references: References, path: Path, value: string) {
  const [, kind, name = ''] = REFERENCE.exec(value) ?? [];
  const file = kind === 'file' && Buffer.from(await resolveFile(document, references, path, value));
  if (file) return file.toString().trim();
  if (kind !== 'env') return value;
  const text = (await document.at(path, () => references.variable(name)))?.trim();
  if (text) return text;
  throw document.error(path, `The variable ${name} is not set. Set it, or name another one.`);
}

/** Returns the content of `file:PATH`. Throws `InvalidFileError` if it cannot be read or is too large. */
export async function resolveFile(
  document: SetupDocument,
  { readFile }: References,
  path: Path,
  value: string,
): Promise<Uint8Array> {
  const name = value.replace(/^file:/, '');
  const bytes = await readFile(name, MAX_SECRET_BYTES + 1).catch((error: NodeJS.ErrnoException) => {
    if (error instanceof AppError) throw document.error(path, error.message);
    throw document.error(path, `Could not read ${name} (${error.code}). Correct the path; it begins at this file.`);
  });
  if (bytes.length <= MAX_SECRET_BYTES) return bytes;
  throw document.error(path, `${name} has more than ${MAX_SECRET_BYTES / 1024} KiB. Name another file.`);
}
