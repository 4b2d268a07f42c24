import { editDistance } from '../lib/edit-distance.ts';
import { SETTING_LIST } from './settings.ts';

/** Shorter names, such as PORT, are a letter away from too many unrelated variables. */
const MIN_LENGTH = 6;
/** Letters of a name per accepted typing mistake. */
const LETTERS_PER_MISTAKE = 5;
/** Shortest abbreviation of a word, such as MIN for MINUTE. */
const MIN_WORD = 3;

const SETTING_NAMES = SETTING_LIST.map(({ name }) => name);
const SECRETS = SETTING_LIST.filter(({ secret }) => secret).map(({ name }) => name);
const NAMES = [...SETTING_NAMES, ...SECRETS.map((name) => `${name}_FILE`)];

/** Returns a sentence for each variable whose name is probably a misspelled setting, unless that setting is set. */
export function nearMisses(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(env).flatMap((name) => {
    if (!env[name] || name.length < MIN_LENGTH || NAMES.includes(name)) return [];
    const plain = name.replace(/_FILE$/, '');
    if (plain !== name && plain.length >= MIN_LENGTH && SETTING_NAMES.includes(plain)) {
      return env[plain] ? [] : [`${name} is not a setting. Set ${plain}: only secrets can come from a file.`];
    }
    const meant = NAMES.find((setting) => isNear(name, setting));
    return meant && !env[meant] ? [`${name} is not a setting. Did you mean ${meant}?`] : [];
  });
}

function isNear(name: string, setting: string): boolean {
  if (setting.length < MIN_LENGTH) return false;
  const letters = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '');
  if (letters(name) === letters(setting) || isAbbreviation(name, setting)) return true;
  const most = Math.floor(setting.length / LETTERS_PER_MISTAKE);
  // Few typing mistakes are in the first letter, and computing all distances took 40 ms of a start.
  const isClose = name[0]?.toUpperCase() === setting[0] && Math.abs(name.length - setting.length) <= most;
  return isClose && editDistance(name.toUpperCase(), setting) <= most;
}

/** Reports whether each word of `name` begins the same word of `setting`, such as POSTS_PER_MIN. */
function isAbbreviation(name: string, setting: string): boolean {
  const [words, full] = [name.split('_'), setting.split('_')];
  const isShort = (word: string, index: number) => {
    return word === full[index] || (word.length >= MIN_WORD && full[index]?.startsWith(word));
  };
  return words.length > 1 && words.length === full.length && words.every(isShort);
}
