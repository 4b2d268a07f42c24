import { AppError, InvalidFileError, NoInstanceError, SettingsError } from '../domain/errors.ts';
import { editDistance } from '../lib/edit-distance.ts';
import { printable } from '../lib/table.ts';
import { toJson } from './command.ts';

/** Formats an error for stderr: one line, or one line for each bad setting or fault of a file; with `asJson` one JSON document. */
export function errorText(error: Error, asJson: boolean): string {
  const faults = error instanceof InvalidFileError ? { faults: error.faults } : {};
  if (asJson) return `${toJson({ error: error.message, code: getCode(error), ...faults })}\n`;
  const hasSeveral = error instanceof SettingsError || error instanceof InvalidFileError;
  const messages = hasSeveral ? error.messages : [error.message];
  return messages.map((message) => `formstead: ${printable(message)}\n`).join('');
}

/** Formats a usage error for stderr as a JSON document. */
export function usageErrorText({ message }: Error): string {
  return `${toJson({ error: withHint(message).replace(/^error: /, ''), code: 'usage' })}\n`;
}

function getCode(error: Error): string {
  if (error instanceof AppError) return error.code;
  if (error instanceof SettingsError) return 'invalid_settings';
  if (error instanceof NoInstanceError) return 'no_instance';
  return 'code' in error ? String(error.code) : 'setup';
}

/** Hints for words and options of other programs. */
const HINTS: Readonly<Record<string, string>> = {
  export: 'Did you mean "formstead submission export"?',
  status: 'Did you mean "formstead doctor"?',
  version: 'Did you mean "formstead --version"?',
  '-v': 'Did you mean "formstead --version"?',
  logs: 'The server writes its log to stdout: see "journalctl -u formstead" or "docker logs".',
  help: 'Write --help after the command, as in "formstead form --help".',
  '--json': 'Write --json after the command, as in "formstead form list --json".',
  '--quiet': 'Results are on stdout, all else on stderr: redirect what you do not need, as in 2>/dev/null.',
};

/** Adds a hint to the message of a usage error about an unknown command or option. */
export function withHint(message: string): string {
  const [, kind, word = ''] = /^error: unknown (command|option) '([^']+)'/.exec(message) ?? [];
  const hint = Object.hasOwn(HINTS, word) ? HINTS[word] : undefined;
  return hint === undefined ? message : `error: unknown ${kind} '${word}'\n(${hint})`;
}

/** Returns the sentence that suggests the name nearest to a misspelled one; empty for none. */
export function suggestion(word: string, names: readonly string[]): string {
  const near = names.filter((name) => editDistance(word, name) <= Math.max(1, Math.floor(name.length / 3)));
  const [name] = near.sort((a, b) => editDistance(word, a) - editDistance(word, b));
  return name === undefined ? '' : `\n(Did you mean ${name}?)`;
}
