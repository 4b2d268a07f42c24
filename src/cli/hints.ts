import { editDistance } from '../lib/edit-distance.ts';

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
