import { SETTINGS } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shorter names, such as PORT, are a letter away from too many unrelated variables. */
const MIN_LENGTH = 6;
/** Letters of a name per accepted typing mistake. */
const LETTERS_PER_MISTAKE = 5;
/** Shortest abbreviation of a word, such as MIN for MINUTE. */
const MIN_WORD = 3;

const SETTING_NAMES = Object.values(SETTINGS).map(({ name }): string => name);
const SECRETS = Object.values(SETTINGS)
  .filter(({ secret }) => secret)
  .map(({ name }) => name);
const NAMES = [...SETTING_NAMES, ...SECRETS.map((name) => `${name}_FILE`)];

/** Returns a sentence for each variable whose name is probably a misspelled setting, unless that setting is set. */
export function nearMisses(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || name.length < MIN_LENGTH || NAMES.includes(name)) return [];
    const plain = name.replace(/_FILE$/, '');
    if (plain !== name && plain.length >= MIN_LENGTH && SETTING_NAMES.includes(plain)) {
      return env[plain] ? [] : [`${name} is not a setting. Set ${plain}: only secrets can come from a file.`];
    }
    const meant = NAMES.find((known) => isNear(name, known));
    return meant && !env[meant] ? [`${name} is not a setting. Did you mean ${meant}?`] : [];
  });
}

function isNear(name: string, known: string): boolean {
  if (known.length < MIN_LENGTH) return false;
  const letters = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (letters(name) === letters(known) || isAbbreviation(name, known)) return true;
  const most = Math.floor(known.length / LETTERS_PER_MISTAKE);
  // Few typing mistakes are in the first letter, and computing all distances took 40 ms of a start.
  const isClose = name[0]?.toUpperCase() === known[0] && Math.abs(name.length - known.length) <= most;
  return isClose && distance(name.toUpperCase(), known) <= most;
}

/** Reports whether each word of `name` begins the same word of `known`, such as POSTS_PER_MIN. */
function isAbbreviation(name: string, known: string): boolean {
  const [words, full] = [name.split('_'), known.split('_')];
  const isShort = (word: string, index: number) => {
    return word === full[index] || (word.length >= MIN_WORD && full[index]?.startsWith(word));
  };
  return words.length > 1 && words.length === full.length && words.every(isShort);
}

/** Computes the number of inserted, deleted, replaced and swapped letters between two names. */
function distance(a: string, b: string): number {
  let [before, last] = [new Uint8Array(0), Uint8Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (row: Uint8Array, j: number) => row[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = new Uint8Array(b.length + 1);
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? at(before, j - 2) + 1 : Number.POSITIVE_INFINITY;
      const replaced = at(last, j - 1) + Number(a[i - 1] !== b[j - 1]);
      row[j] = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced, swapped);
    }
    [before, last] = [last, row];
  }
  return at(last, b.length);
}
