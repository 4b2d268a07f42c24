import type { Section } from './chapters.ts';

/** The longest query, in characters; the rest is ignored. */
export const MAX_QUERY_LENGTH = 100;

const MAX_WORDS = 8;
const MAX_RESULTS = 30;
const EXCERPT_LENGTH = 200;
/** Characters shown before the first matched word. */
const EXCERPT_LEAD = 50;
/** Matches of one word that are compared for an excerpt: a query of single letters must not cost more than others. */
const MAX_PLACES = 20;

export type SearchResult = Readonly<{ results: readonly Section[]; words: readonly string[]; total: number }>;

/** Finds the sections that contain all words of the query in heading, chapter title or text; matches in headings come first. */
export function findSections(sections: readonly Section[], query: string): SearchResult {
  const words = toWords(query);
  if (words.length === 0) return { results: [], words, total: 0 };
  const matches = sections
    .map((section) => ({ section, score: getScore(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return { results: matches.slice(0, MAX_RESULTS).map(({ section }) => section), words, total: matches.length };
}

/** An excerpt, and whether it begins and ends with the text. */
export type Excerpt = Readonly<{ text: string; isStart: boolean; isEnd: boolean }>;

/** Returns the excerpt of the text with the most words. */
export function getExcerpt(text: string, words: readonly string[]): Excerpt {
  const earliest = Math.max(0, densestPlace(text.toLowerCase(), words) - EXCERPT_LEAD);
  const start = earliest === 0 ? 0 : text.indexOf(' ', earliest) + 1;
  const isEnd = text.length - start <= EXCERPT_LENGTH;
  const end = isEnd ? text.length : text.lastIndexOf(' ', start + EXCERPT_LENGTH);
  return { text: text.slice(start, end > start ? end : start + EXCERPT_LENGTH), isStart: start === 0, isEnd };
}

/** Returns the position at which an excerpt contains the most different words, or 0 if it contains none. */
function densestPlace(text: string, words: readonly string[]): number {
  let best = { place: 0, count: 0 };
  for (const word of words) {
    let place = text.indexOf(word);
    for (let tried = 0; place >= 0 && tried < MAX_PLACES; tried++, place = text.indexOf(word, place + word.length)) {
      const near = text.slice(place, place + EXCERPT_LENGTH - EXCERPT_LEAD);
      const count = words.filter((other) => near.includes(other)).length;
      if (count > best.count || (count === best.count && place < best.place)) best = { place, count };
    }
  }
  return best.place;
}

function toWords(query: string): readonly string[] {
  const words = query.slice(0, MAX_QUERY_LENGTH).toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, MAX_WORDS);
}

/** The texts of sections that were searched before, in lower case. */
const lowercased = new WeakMap<Section, Readonly<{ heading: string; above: string; body: string }>>();

/** Returns 0 if a word is missing. One match in a heading weighs more than all matches in text together. */
function getScore(section: Section, words: readonly string[]): number {
  const { heading, above, body } = lowercased.getOrInsertComputed(section, ({ title, chapter, text }) => {
    return { heading: title.toLowerCase(), above: chapter.toLowerCase(), body: text.toLowerCase() };
  });
  let score = 0;
  for (const word of words) {
    const weights = [1000 * getMatch(heading, word), 10 * getMatch(above, word), getMatch(body, word)];
    if (weights.every((weight) => weight === 0)) return 0;
    for (const weight of weights) score += weight;
  }
  const phrase = words.join(' ');
  return score + (heading.includes(phrase) ? 1000 : 0) + (body.includes(phrase) ? 2 : 0);
}

/** Returns 2 for a match at the start of a word, 1 for one inside, 0 for none. */
function getMatch(text: string, word: string): number {
  for (let at = text.indexOf(word), best = 0; ; at = text.indexOf(word, at + 1)) {
    if (at < 0) return best;
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '')) return 2;
    best = 1;
  }
}
