import MiniSearch from 'minisearch';
import type { Section } from './chapters.ts';

/** The longest query, in characters; the rest is ignored. */
export const MAX_QUERY_LENGTH = 100;

const MAX_WORDS = 12;
const MAX_RESULTS = 30;
/** Different words that are marked in one result. */
const MAX_MARKED = 30;
const EXCERPT_LENGTH = 200;
/** Characters shown before the first matched word. */
const EXCERPT_LEAD = 50;
/** Matches of one word that are compared for an excerpt: a query of single letters must not cost more than others. */
const MAX_PLACES = 20;
/** The least characters of a word that also finds longer ones, and of one that may be mistyped. */
const PREFIX_LENGTH = 3;
const FUZZY_LENGTH = 5;

/** Words that say nothing about the subject of a question. */
const STOP_WORDS = new Set(
  `a an and any anyone are as at be but by can could do does doesn don for from get has have how i if in into is isn it
  its make may me my not of on one or our own should so than that the their them there these they this to up use using
  want was way we what when where which who why will with without work working would you your`.split(/\s+/),
);

/** Groups of words of which each also finds the others. */
const SYNONYMS = [
  'gdpr dsgvo privacy personal erasure erase',
  'email emails mail mails e-mail smtp',
  'recipient recipients people colleagues notify notification notifications',
  'deploy deployment host hosting',
  'login signin sign-in sign',
  'captcha challenge turnstile',
  'upload uploads attachment attachments file files',
  'excel spreadsheet csv xlsx',
  'docker container podman compose',
  'update upgrade version',
  '2fa mfa two-factor totp authenticator',
  'autoresponder auto-reply autoreply confirmation',
  'thanks thank-you redirect success',
  'embed iframe hosted',
  'delete remove erase',
  'rotate replace renew',
  'token key keys',
  'address url domain',
  'fail fails failed failing failure arriving arrive delivered received missing',
  'close closed closing end deadline',
  'limit limits quota maximum',
  'user users member members colleague colleagues coworker coworkers invite invitation',
  'migrate import move switch',
  'crash lost lose durability',
  'nginx caddy proxy https',
  'cors origin origins forbidden',
  'systemd service boot',
].map((group) => group.split(' '));

/** The other words of the group of a word, each as a part of a query. */
const ALTERNATIVES = new Map(
  SYNONYMS.flatMap((group) =>
    group.map((word) => [
      word,
      group.filter((other) => other !== word).map((other) => ({ queries: [other], boostTerm: () => 0.5 })),
    ]),
  ),
);

export type SearchResult = Readonly<{
  /** The best sections, each with its words that match. */
  results: ReadonlyArray<Readonly<{ section: Section; words: readonly string[] }>>;
  total: number;
}>;

/** Weights of the sections of these chapters: short answers count more than messages and news. */
const CHAPTER_WEIGHTS: Readonly<Record<string, number>> = { 'how-do-i': 1.5, troubleshooting: 0.6, changelog: 0.4 };

/** Index of sections, ranked by how rare the matched words are and where they stand. */
export class SectionIndex {
  readonly #index = new MiniSearch<Section>({
    idField: 'path',
    fields: ['title', 'chapter', 'text'],
    processTerm: toTerm,
    searchOptions: {
      boost: { title: 4, chapter: 1.5 },
      prefix: (term) => term.length >= PREFIX_LENGTH,
      weights: { prefix: 0.5, fuzzy: 0.2 },
      boostDocument: (path) => CHAPTER_WEIGHTS[String(path).match(/^\/docs\/([^#]*)/)?.[1] ?? ''] ?? 1,
    },
  });
  readonly #sections: ReadonlyMap<string, Section>;

  constructor(sections: readonly Section[]) {
    this.#sections = new Map(sections.map((section) => [section.path, section]));
    // A heading alone answers nothing.
    this.#index.addAll(sections.filter(({ text }) => text !== ''));
  }

  /** Finds the sections with a word of the query, a longer one, a synonym, or a similar one if none has it, best first. */
  find(query: string): SearchResult {
    const typed = query
      .slice(0, MAX_QUERY_LENGTH)
      .toLowerCase()
      .split(/[\s,;:?!"“”()]+/);
    const words = [...new Set(typed)].filter((word) => word !== '' && !STOP_WORDS.has(word)).slice(0, MAX_WORDS);
    if (words.length === 0) return { results: [], total: 0 };
    const matches = this.#index.search({
      queries: words.map((word) => ({
        fuzzy: this.#isUnknown(word) ? 0.2 : false,
        queries: [word, ...(ALTERNATIVES.get(word) ?? [])],
      })),
    });
    const results = matches.slice(0, MAX_RESULTS).flatMap(({ id, terms }) => {
      const section = this.#sections.get(id);
      return section ? [{ section, words: terms.slice(0, MAX_MARKED) }] : [];
    });
    return { results, total: matches.length };
  }

  #isUnknown(word: string): boolean {
    return word.length >= FUZZY_LENGTH && this.#index.search(word).length === 0;
  }
}

function toTerm(term: string): string | null {
  const lower = term.toLowerCase();
  return STOP_WORDS.has(lower) ? null : lower;
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
