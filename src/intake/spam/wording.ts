import { circumstancesOf } from './circumstances.ts';
import { ENOUGH, type Evidence } from './evidence.ts';
import { ownWordsOf, type SubmittedText } from './text.ts';
import weights from './weights.txt' with { type: 'text' };

/** What is looked at of a text: an offer is made sooner, and more would take time. */
const MAX_CHARACTERS = 4_000;
const WORD = /[\p{L}\p{M}\p{N}$€£%]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const NUMBER = /\d+/g;
const DIGIT = /\d/;
const MARK = /[?？!！]/g;
const ADDRESS_ALONE = /^\s*[^\s@]+@[^\s@]+\s*$/;
/** Names of hosts and mailboxes: those of tomorrow's spam are others. */
const ADDRESS =
  /[\w.+-]{1,64}@[\w.-]{2,100}|(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]+|(?<![\w@.])[a-z0-9][a-z0-9-]{2,60}\.(?:com|net|org|io|co|shop|store|top|xyz|site|online|click|buzz|icu|club|vip|ru|cn|info|biz|me|example|de|fr|es|it|pl|nl|win|bid|loan|tk|pro|app|dev|agency)\b(?:\/\S*)?/gi;
/** So much of a word is what its forms have in common, in most languages. */
const STEM = 6;
/** Before what is no word of the text. */
const CIRCUMSTANCE = '\t';
const SHAPE = '\n';

/** A text with fewer traits is judged as if it had so many: shortness makes no trait weigh more. */
const FEWEST_TRAITS = 30;
/** The table has so many places, in which traits stand by their hash. */
export const PLACES = 1 << 16;
/** A weight in the table is so many times this. */
export const WEIGHT_UNIT = 1 / 40;
/** What scores more resembles spam as hardly anything does that people write: see `test/spam/RESULTS.md`. */
const SPAM_SCORE = 2.8;
const MAX_TELLING = 5;

let table: Int8Array | null = null;

/**
 * How much the words resemble those of spam, by a table of weights that `bun run train-spam` learned from texts written for
 * this project. Alone it is enough from `SPAM_SCORE` on, to which no few words come.
 */
export function wordingEvidence(submitted: SubmittedText, structure: readonly Evidence[]): Evidence[] {
  table ??= new Int8Array(Buffer.from(weights, 'base64'));
  const traits = traitsOf(submitted, structure);
  let sum = 0;
  for (const place of traits.keys()) sum += table[place] ?? 0;
  const score = (sum * WEIGHT_UNIT) / lengthOf(traits.size);
  if (score <= 0) return [];
  const weight = Math.floor(Math.min(1, score / SPAM_SCORE) * ENOUGH);
  return [{ weight, reason: `it reads like spam: ${tellingOf(traits, table).join(', ')}` }];
}

/** The traits that weigh most, in words for the owner. */
function tellingOf(traits: ReadonlyMap<number, string>, table: Int8Array): string[] {
  return Array.from(traits, ([place, trait]) => ({ trait, weight: table[place] ?? 0 }))
    .filter(({ trait, weight }) => weight > 0 && !trait.startsWith(SHAPE))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_TELLING)
    .map(({ trait }) => (trait.startsWith(CIRCUMSTANCE) ? trait.slice(1) : `“${trait}”`));
}

/** What the sum of weights is divided by. */
export function lengthOf(traits: number): number {
  return Math.sqrt(Math.max(FEWEST_TRAITS, traits));
}

/** What is looked at of a text, by the place in the table: its words, pairs of them, its shape and circumstances. */
export function traitsOf(submitted: SubmittedText, structure: readonly Evidence[]): Map<number, string> {
  const traits = new Map<number, string>();
  const note = (trait: string) => traits.set(Bun.hash.crc32(trait) & (PLACES - 1), trait);
  for (const { weight, reason } of structure)
    note(`${CIRCUMSTANCE}${reason.replace(NUMBER, '').trim()}${weight >= 60 ? '!' : ''}`);
  for (const circumstance of circumstancesOf(submitted)) note(CIRCUMSTANCE + circumstance);

  const fields = submitted.fields.filter(({ text }) => !ADDRESS_ALONE.test(text));
  const text = ownWordsOf({ ...submitted, all: fields.map((field) => field.text).join('\n') }).slice(0, MAX_CHARACTERS);
  const links = text.match(ADDRESS)?.length ?? 0;
  const words = text.replace(ADDRESS, ' ').normalize('NFKC').toLowerCase().match(WORD) ?? [];
  const size = Math.min(8, Math.floor(Math.log2(1 + words.length)));
  note(`${SHAPE}size ${size}`);
  if (links > 0) note(`${SHAPE}links ${Math.min(4, links)}`);
  if (links > 0) note(`${SHAPE}links in size ${size}`);
  for (const mark of new Set(text.match(MARK))) note(SHAPE + mark);

  let before = '';
  const mayStandTogether = UNSPACED.test(text);
  for (const written of words) {
    if (mayStandTogether && UNSPACED.test(written)) {
      noteParts(written, note);
      before = '';
      continue;
    }
    const word = DIGIT.test(written) ? written.replace(NUMBER, '0') : written;
    const stem = word.slice(0, STEM);
    note(word);
    if (stem !== word) note(`${stem}…`);
    note(`${before} ${stem}`);
    before = stem;
  }
  return traits;
}

/** Where words stand together: all of two and three characters. */
function noteParts(text: string, note: (trait: string) => void): void {
  for (let at = 0; at + 1 < text.length; at++) {
    note(text.slice(at, at + 2));
    if (at + 2 < text.length) note(text.slice(at, at + 3));
  }
}
