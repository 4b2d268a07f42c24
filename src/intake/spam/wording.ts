import { readFileSync } from 'node:fs';
import { normalize } from '../../lib/normalize';
import { CHAR_CLASS } from './char-classes';
import { circumstancesOf } from './circumstances.ts';
import { Features } from './features';
import { type Signal, SPAM_THRESHOLD } from './signal';
import { allCharClasses, ownWordsOf, type SubmittedText } from './text.ts';
import weights from './weights.gz' with { type: 'file' };

/** What is looked at of a text: an offer is made sooner, and more would take time. */
const MAX_CHARACTERS = 4_000;
const NUMBER = /\d+/g;
const ADDRESS_ALONE = /^\s*[^\s@]+@[^\s@]+\s*$/;
/** Names of hosts and mailboxes: those of tomorrow's spam are others. */
const ADDRESS =
  /[\w.+-]{1,64}@[\w.-]{2,100}|(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]+|(?<![\w@.])[a-z0-9][a-z0-9-]{2,60}\.(?:com|net|org|io|co|shop|store|top|xyz|site|online|click|buzz|icu|club|vip|ru|cn|info|biz|me|example|de|fr|es|it|pl|nl|win|bid|loan|tk|pro|app|dev|agency)\b(?:\/\S*)?/gi;

/** One of them is in any address. */
const OF_ADDRESS = CHAR_CLASS.at | CHAR_CLASS.point | CHAR_CLASS.slash;

/** What is known of it is in the structure. */
const MARKUP = /<\/?[a-z][^<>]{0,300}>|\[\/?(?:url|link|img|b|i)\b[^\]]{0,300}\]/gi;

/** A text with fewer traits is judged as if it had so many: shortness makes no trait weigh more. */
const FEWEST_TRAITS = 50;
/** A weight in the table is so many times this. */
export const WEIGHT_UNIT = 1 / 10;
/**
 * What scores more resembles spam as hardly anything does that people write: of 5,641 genuine texts, half of them on topics
 * of spam, 6 do where the table has learned nothing from their author. `bun run train-spam` tells.
 */
export const SPAM_SCORE = 1.85;
const MAX_TELLING = 5;

let table: Int8Array | null = null;

/**
 * How much the words resemble those of spam, by a table of weights that `bun run train-spam` learned from texts written for
 * this project. Alone it is enough from `SPAM_SCORE` on, to which no few words come.
 */
export function weightOfWording(submitted: SubmittedText, structure: readonly Signal[]): number {
  return weightOf(featuresOf(submitted, structure));
}

/** The same weight with its reason, which costs more than most texts are worth. */
export function wordingSignals(submitted: SubmittedText, structure: readonly Signal[]): Signal[] {
  const traits = featuresOf(submitted, structure);
  const weight = weightOf(traits);
  return weight === 0 ? [] : [{ weight, reason: `it reads like spam: ${tellingOf(traits).join(', ')}` }];
}

function weightOf({ places }: Features): number {
  table ??= readTable();
  let sum = 0;
  for (let index = 0; index < places.length; index++) sum += table[places[index] ?? 0] ?? 0;
  const score = (sum * WEIGHT_UNIT) / lengthOf(places.length);
  return score <= 0 ? 0 : Math.floor(Math.min(1, score / SPAM_SCORE) * SPAM_THRESHOLD);
}

function readTable(): Int8Array {
  return new Int8Array(Bun.gunzipSync(readFileSync(weights)).buffer);
}

/** The traits that weigh most, in words for the owner. */
function tellingOf(traits: Features): string[] {
  const met: Array<{ weight: number; index: number }> = [];
  traits.places.forEach((place, index) => {
    const weight = table?.[place] ?? 0;
    if (weight > 0) met.push({ weight, index });
  });
  return met
    .sort((a, b) => b.weight - a.weight)
    .map(({ index }) => traits.nameOf(index))
    .filter((name) => name !== null)
    .slice(0, MAX_TELLING);
}

/** What the sum of weights is divided by. */
export function lengthOf(traits: number): number {
  return Math.sqrt(Math.max(FEWEST_TRAITS, traits));
}

/** What is looked at of a submission: its words, its shape, and what goes with them. */
export function featuresOf(submitted: SubmittedText, structure: readonly Signal[]): Features {
  const fields = submitted.fields.filter(
    ({ text, marks }) => (marks & CHAR_CLASS.at) === 0 || !ADDRESS_ALONE.test(text),
  );
  const marks = allCharClasses(fields);
  const text = ownWordsOf(fields, marks).slice(0, MAX_CHARACTERS);
  const links = marks & OF_ADDRESS ? (text.match(ADDRESS)?.length ?? 0) : 0;
  const linkless = links > 0 ? text.replace(ADDRESS, ' ') : text;
  const words = marks & CHAR_CLASS.bracket ? linkless.replace(MARKUP, ' ') : linkless;
  const traits = new Features(normalize(words, 'NFKC').toLowerCase());

  const size = Math.min(8, Math.floor(Math.log2(1 + traits.noteWords())));
  traits.noteShape(`size ${size}`);
  if (links > 0) traits.noteShape(`links ${Math.min(4, links)}`);
  if (links > 0) traits.noteShape(`links in size ${size}`);
  for (const circumstance of circumstancesOf(submitted)) traits.noteCircumstance(circumstance);
  for (const { weight, reason } of structure) {
    traits.noteCircumstance(`${reason.replace(NUMBER, '').trim()}${weight >= 60 ? '!' : ''}`);
  }
  return traits.end();
}
