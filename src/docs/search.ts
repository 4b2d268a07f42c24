import MiniSearch from 'minisearch';
import type { Section } from './chapters.ts';

/** The longest query, in characters; the rest is ignored. */
export const MAX_QUERY_LENGTH = 100;

const MAX_WORDS = 12;
const MAX_RESULTS = 12;
/** The least rank of a result, as a share of the best one's. */
const MIN_SHARE = 0.15;
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
  `a an and any anyone are as at be but by can could do does doesn don for from get go happen has have how i if in into is
  isn it its make many may me my not of on one or our own run see should so than that the their them there these they this to too
  two up use using want was way we what when where which who why will with without work would you your`.split(/\s+/),
);

/** Words, by their stems, that nearly every section has. */
const COMMON_WORDS = new Set(['form', 'formstead', 'new', 'page', 'submission', 'server']);
const COMMON_WEIGHT = 0.3;

const toGroups = (list: string) => list.split(',').map((group) => group.trim().split(/\s+/).map(stem));

/** Groups of words with one meaning, indexed as the first of them. */
const EQUALS = toGroups(`
  mail email, delete remove erase, sign login signin, totp 2fa mfa authenticator factor,
  autoreply autoresponder responder, captcha recaptcha, gdpr dsgvo, limit maximum max cap, alarm alert, wordpress wp,
  invite invitation, upgrade update, website site`);

/** Groups of related words, each of which also finds the others. */
const RELATED = toGroups(`
  gdpr privacy personal erasure, recipient people colleague notify notification, colleague coworker user member,
  deploy deployment host hosting, captcha challenge turnstile, upload attachment file, excel spreadsheet csv xlsx,
  docker container podman compose, raspberry arm arm64, upgrade version, autoreply auto reply confirmation,
  thanks redirect success, embed iframe hosted, rotate replace renew, token key, address url domain,
  fail failure arrive deliver receive missing, close end deadline, limit quota, migrate import move switch,
  crash lost lose durability downtime pause, nginx caddy proxy https, cors origin forbidden, systemd service boot,
  spam junk, javascript script js, german language translate translation, size large big, answer reply respond,
  bot honeypot spam, privacy notice policy, health healthcheck monitor uptime, permission role access, git yaml`);

const CANONICAL = new Map(EQUALS.flatMap(([first = '', ...others]) => others.map((other) => [other, first])));

/** The share of its own weight that a word gives to a related one. */
const RELATED_WEIGHT = 0.5;

/** Weights of the sections of these chapters: short answers count more than messages and news. */
const CHAPTER_WEIGHTS: Readonly<Record<string, number>> = {
  'how-do-i': 1.5,
  design: 0.6,
  troubleshooting: 0.6,
  changelog: 0.2,
};

/** Index of sections, ranked by how rare the matched words are, where they stand, and how many of the query's match. */
export class SectionIndex {
  readonly #index = new MiniSearch<Section>({
    idField: 'path',
    fields: ['title', 'chapter', 'text'],
    processTerm: toTerm,
    searchOptions: {
      boost: { title: 4, chapter: 1.5 },
      prefix: (term) => term.length >= PREFIX_LENGTH,
      weights: { prefix: 0.3, fuzzy: 0.2 },
      boostDocument: (path) => CHAPTER_WEIGHTS[String(path).match(/^\/docs\/([^#]*)/)?.[1] ?? ''] ?? 1,
    },
  });
  readonly #sections: ReadonlyMap<string, Section>;

  constructor(sections: readonly Section[]) {
    this.#sections = new Map(sections.map((section) => [section.path, section]));
    // A heading alone answers nothing.
    this.#index.addAll(sections.filter(({ text }) => text !== ''));
  }

  /**
   * Finds the sections with a word of the query, a longer one, a related one, or a similar one if none has it. Returns the
   * best, each with its words that match.
   */
  find(query: string) {
    const typed = query
      .slice(0, MAX_QUERY_LENGTH)
      .toLowerCase()
      .replace(/\b(?:log|sign)(?:ged)? (?=in\b)/g, 'login ')
      .split(/[\s,;:?!"“”()]+/)
      .map(toTerm);
    const words = [...new Set(typed)].filter((word) => word !== null && word !== '').slice(0, MAX_WORDS) as string[];
    if (words.length === 0) return [];
    const scores = new Map<string, { score: number; matched: number; terms: string[] }>();
    for (const word of words) {
      for (const [id, { score, terms }] of this.#findWord(word)) {
        const before = scores.get(id) ?? { score: 0, matched: 0, terms: [] };
        const all = [...before.terms, ...terms];
        scores.set(id, { score: before.score + score, matched: before.matched + 1, terms: all });
      }
    }
    const ranked = Array.from(scores, ([id, { score, matched, terms }]) => ({
      section: this.#sections.get(id) as Section,
      words: terms.slice(0, MAX_MARKED),
      rank: score * (matched / words.length),
    })).sort((a, b) => b.rank - a.rank);
    const least = (ranked[0]?.rank ?? 0) * MIN_SHARE;
    return ranked.filter(({ rank }) => rank >= least).slice(0, MAX_RESULTS);
  }

  /** Returns the best match of a word or a related one in each section. */
  #findWord(word: string): ReadonlyMap<string, Readonly<{ score: number; terms: readonly string[] }>> {
    const isUnknown = word.length >= FUZZY_LENGTH && this.#index.search(word).length === 0;
    const weight = COMMON_WORDS.has(word) ? COMMON_WEIGHT : 1;
    const related = RELATED.filter((group) => group.includes(word)).flat();
    const best = new Map<string, { score: number; terms: readonly string[] }>();
    for (const term of new Set([word, ...related])) {
      const share = weight * (term === word ? 1 : RELATED_WEIGHT);
      for (const { id, score, terms } of this.#index.search(term, { fuzzy: isUnknown ? 0.2 : false })) {
        if (score * share > (best.get(id)?.score ?? 0)) best.set(id, { score: score * share, terms });
      }
    }
    return best;
  }
}

/** Returns the word that is indexed for a word, or null for one without meaning. Applying it again changes nothing. */
function toTerm(word: string): string | null {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return null;
  const stemmed = stem(lower);
  return CANONICAL.get(stemmed) ?? stemmed;
}

/** Returns an English word without the endings of plurals and verbs. */
function stem(word: string): string {
  return word
    .replace(/(?<=\w{2})ie[sd]$/, 'y')
    .replace(/(?<=\w{2}[^s])s$/, '')
    .replace(/(?<=\w{4})(?:ing|ed|e)$/, '');
}

/** Returns the excerpt with the most words, and whether it begins and ends with the text. Tables are the last resort. */
export function getExcerpt({ text: all, prose = all }: Pick<Section, 'text' | 'prose'>, words: readonly string[]) {
  const has = (text: string) => words.some((word) => text.toLowerCase().includes(word));
  const text = prose !== '' && (has(prose) || !has(all)) ? prose : all;
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
