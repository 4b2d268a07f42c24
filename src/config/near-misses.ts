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
  return distance(name.toUpperCase(), known) <= Math.floor(known.length / LETTERS_PER_MISTAKE);
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
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i || j));
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const costs = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + Number(a[i - 1] !== b[j - 1])];
      if (isSwap) costs.push(at(i - 2, j - 2) + 1);
      rows[i]?.splice(j, 1, Math.min(...costs));
    }
  }
  return at(a.length, b.length);
}
