import { readFileSync } from 'node:fs';
import { normalize } from '../../lib/normalize.ts';
import { CHAR_CLASS } from './char-classes.ts';
import { Features } from './features.ts';
import { type Signal, SPAM_THRESHOLD } from './signal.ts';
import { combinedCharClasses, ownText, type SubmittedText } from './text.ts';
import { weakSignals } from './weak-signals.ts';
import weights from './weights.gz' with { type: 'file' };

/** Limits the work for each text; offers come early in a text. */
const MAX_CHARACTERS = 4_000;
const NUMBER = /\d+/g;
const ADDRESS_ALONE = /^\s*[^\s@]+@[^\s@]+\s*$/;
/** Host names and email addresses. They are not learned, since spam changes them all the time. */
const ADDRESS =
  /[\w.+-]{1,64}@[\w.-]{2,100}|(?:https?:\/\/|www\.)[^\s<>"'[\]{}|\\^`]+|(?<![\w@.])[a-z0-9][a-z0-9-]{2,60}\.(?:com|net|org|io|co|shop|store|top|xyz|site|online|click|buzz|icu|club|vip|ru|cn|info|biz|me|example|de|fr|es|it|pl|nl|win|bid|loan|tk|pro|app|dev|agency)\b(?:\/\S*)?/gi;

/** Every address contains a character of one of these classes. */
const ADDRESS_CLASSES = CHAR_CLASS.at | CHAR_CLASS.point | CHAR_CLASS.slash;

/** Markup, which the structure signals cover. */
const MARKUP = /<\/?[a-z][^<>]{0,300}>|\[\/?(?:url|link|img|b|i)\b[^\]]{0,300}\]/gi;

/** Lower limit of the feature count in the length norm, so that single features don't dominate short texts. */
const MIN_FEATURES = 50;
/** Scale of the integer weights in the table. */
export const WEIGHT_UNIT = 1 / 10;
/**
 * Score from which the wording alone flags a submission. In the cross-validation by author that `bun run train-spam`
 * prints, 6 of 5,641 genuine texts score higher; half of those texts are on topics of spam.
 */
export const SPAM_SCORE = 1.85;
const MAX_NAMED_FEATURES = 5;

let table: Int8Array | null = null;

/**
 * Returns a weight from 0 to `SPAM_THRESHOLD` for the similarity to spam, by the weights that `bun run train-spam`
 * learned from texts written for this project. It reaches the threshold at `SPAM_SCORE`, which a few words never do.
 */
export function wordingWeight(submitted: SubmittedText, structure: readonly Signal[]): number {
  return weightOf(extractFeatures(submitted, structure));
}

/** Returns the same weight with its reason. Slower than `wordingWeight`; call it for flagged submissions only. */
export function wordingSignals(submitted: SubmittedText, structure: readonly Signal[]): Signal[] {
  const features = extractFeatures(submitted, structure);
  const weight = weightOf(features);
  if (weight === 0) return [];
  return [
    { weight, reason: ['wording typical of spam', topFeatureNames(features).join(', ')].filter(Boolean).join(': ') },
  ];
}

function weightOf({ buckets }: Features): number {
  table ??= readTable();
  let sum = 0;
  for (let index = 0; index < buckets.length; index++) sum += table[buckets[index] ?? 0] ?? 0;
  const score = (sum * WEIGHT_UNIT) / lengthNorm(buckets.length);
  return score <= 0 ? 0 : Math.floor(Math.min(1, score / SPAM_SCORE) * SPAM_THRESHOLD);
}

function readTable(): Int8Array {
  return new Int8Array(Bun.gunzipSync(readFileSync(weights)).buffer);
}

/** Returns the names of the heaviest features. */
function topFeatureNames(features: Features): string[] {
  const weighted: Array<{ weight: number; index: number }> = [];
  features.buckets.forEach((bucket, index) => {
    const weight = table?.[bucket] ?? 0;
    if (weight > 0) weighted.push({ weight, index });
  });
  return weighted
    .sort((a, b) => b.weight - a.weight)
    .map(({ index }) => features.nameOf(index))
    .filter((name) => name !== null)
    .slice(0, MAX_NAMED_FEATURES);
}

/** Returns the divisor of the sum of weights for a text with this many features. */
export function lengthNorm(featureCount: number): number {
  return Math.sqrt(Math.max(MIN_FEATURES, featureCount));
}

/** Extracts the words, shape and named signals of a submission. */
export function extractFeatures(submitted: SubmittedText, structure: readonly Signal[]): Features {
  const fields = submitted.fields.filter(
    ({ text, charClasses }) => (charClasses & CHAR_CLASS.at) === 0 || !ADDRESS_ALONE.test(text),
  );
  const charClasses = combinedCharClasses(fields);
  const text = ownText(fields, charClasses).slice(0, MAX_CHARACTERS);
  const links = charClasses & ADDRESS_CLASSES ? (text.match(ADDRESS)?.length ?? 0) : 0;
  const linkless = links > 0 ? text.replace(ADDRESS, ' ') : text;
  const words = charClasses & CHAR_CLASS.bracket ? linkless.replace(MARKUP, ' ') : linkless;
  const features = new Features(normalize(words, 'NFKC').toLowerCase());

  const size = Math.min(8, Math.floor(Math.log2(1 + features.addWords())));
  features.addShape(`size ${size}`);
  if (links > 0) features.addShape(`links ${Math.min(4, links)}`);
  if (links > 0) features.addShape(`links in size ${size}`);
  for (const name of weakSignals(submitted)) features.addNamed(name);
  for (const { weight, reason } of structure) {
    features.addNamed(`${reason.replace(NUMBER, '').trim()}${weight >= 60 ? '!' : ''}`, reason);
  }
  return features.finish();
}
