import { Beginnings } from './beginnings.ts';

/** Words, stems (`*`), gaps of up to three words (`…`) and numbers (`#`). */
type Part = Readonly<{ kind: 'word' | 'stem' | 'gap' | 'number'; text: string }>;
type Phrase<T> = Readonly<{ parts: readonly Part[]; meaning: T }>;

/** Scripts in which words stand together, are joined or change in their midst: found as strings, anywhere. */
const UNSPACED = /[\u0590-\u109f\u1100-\u1d7f\u2e80-\uffef]/;
/** Stands for any number in a phrase, and is what numbers are kept under. */
const NUMBER = '#';
const STEM = '*';
const STEM_KEY = 3;
const STRING_KEY = 2;
const MAX_GAP = 3;
const WORDS = /[\p{L}\p{N}\p{M}]+|[%$€£]/gu;
/** An offer is made sooner; more would take time. */
const MAX_CHARACTERS = 5000;

const ASCII = /^[\x20-\x7e\s]*$/;

/** Texts by the key with which they begin. */
type Index<T> = Map<string, T[]>;

/** How the phrases of all lexicons begin: in most texts none does, which is told without making a word of them. */
const beginnings = new Beginnings();

/** Finds many phrases in a text at once, in time that does not depend on how many there are. */
export class Lexicon<T> {
  readonly #phrases: Index<Phrase<T>> = new Map();
  readonly #strings: Index<readonly [string, T]> = new Map();

  constructor(entries: Iterable<readonly [phrase: string, meaning: T]>) {
    for (const [phrase, meaning] of entries) {
      if (UNSPACED.test(phrase)) {
        const text = fold(phrase);
        add(this.#strings, text.slice(0, STRING_KEY), [text, meaning]);
      } else {
        const parts = partsOf(phrase);
        add(this.#phrases, keyOf(parts), { parts, meaning });
        beginnings.note(parts);
      }
    }
    for (const found of this.#phrases.values()) found.sort((a, b) => b.parts.length - a.parts.length);
    for (const found of this.#strings.values()) found.sort(([a], [b]) => b.length - a.length);
  }

  /** What the phrases in a text mean, each once; of those that begin with the same word, the longest count. */
  find(text: Folded): Set<T> {
    const found = new Set<T>();
    let end = 0;
    for (const start of text.starts) if (start.at >= end) end = this.#findPhrases(text.words, start, found);
    if (text.isUnspaced) this.#findStrings(text.text, found);
    return found;
  }

  /** Notes what begins at a word; the answer is where to go on. */
  #findPhrases(words: readonly string[], { at, keys }: Start, found: Set<T>): number {
    let end: number | null = null;
    for (const key of keys) {
      for (const { parts, meaning } of this.#phrases.get(key) ?? []) {
        const after = endOf(parts, 0, words, at);
        if (after === null || (end !== null && after < end)) continue;
        end = after;
        found.add(meaning);
      }
    }
    return end ?? at + 1;
  }

  #findStrings(text: string, found: Set<T>): void {
    for (let at = 0; at < text.length; ) {
      const match = this.#strings.get(text.slice(at, at + STRING_KEY))?.find(([string]) => text.startsWith(string, at));
      if (match) found.add(match[1]);
      at += match ? match[0].length : 1;
    }
  }
}

/** A word at which phrases may begin, and under what they are kept. */
type Start = Readonly<{ at: number; keys: readonly string[] }>;

/** A text made ready to be searched. */
export type Folded = Readonly<{
  text: string;
  words: readonly string[];
  starts: readonly Start[];
  isUnspaced: boolean;
}>;

/** Folds a text: small letters without accents, numbers without separators, no invisible characters. */
export function foldedText(raw: string): Folded {
  const text = fold(raw.slice(0, MAX_CHARACTERS));
  const marked = ASCII.test(text) ? beginnings.startsIn(text) : null;
  if (marked?.length === 0) return { text, words: [], starts: [], isUnspaced: false };
  const words = text.match(WORDS) ?? [];
  const at = marked ?? words.keys();
  return {
    text,
    words,
    starts: Array.from(at, (at) => ({ at, keys: keysAt(words, at) })),
    isUnspaced: UNSPACED.test(text),
  };
}

function fold(text: string): string {
  const plain = ASCII.test(text)
    ? text
    : text
        .normalize('NFKD')
        .replace(/[\u0300-\u036f]|\p{Cf}/gu, '')
        .normalize('NFC');
  const small = plain.toLowerCase();
  if (!/\d/.test(small)) return small;
  return small.replace(/(?<=\d)[.,' ](?=\d{3}(?!\d))/g, '').replace(/(?<=\d)[.,]\d+/g, '');
}

function partsOf(phrase: string): readonly Part[] {
  const parts = phrase.match(/…|#|[\p{L}\p{N}\p{M}]+\*?|[%$€£]/gu) ?? [];
  return parts.map((part): Part => {
    if (part === '…') return { kind: 'gap', text: '' };
    if (part === NUMBER || isNumber(part)) return { kind: 'number', text: part === NUMBER ? '' : part };
    return part.endsWith('*') ? { kind: 'stem', text: fold(part.slice(0, -1)) } : { kind: 'word', text: fold(part) };
  });
}

/** Two words if it begins with them, else what it begins with. */
function keyOf([first, second]: readonly Part[]): string {
  if (!first || first.kind === 'number') return NUMBER;
  if (first.kind === 'stem') return first.text.slice(0, STEM_KEY) + STEM;
  return second?.kind === 'word' ? `${first.text} ${second.text}` : first.text;
}

/** The keys of phrases that may begin at a word. */
function keysAt(words: readonly string[], at: number): readonly string[] {
  const word = words[at] ?? '';
  return isNumber(word) ? [NUMBER] : [word, `${word} ${words[at + 1]}`, word.slice(0, STEM_KEY) + STEM];
}

/** Where the parts from `index` on end if they match the words from `at` on. */
function endOf(parts: readonly Part[], index: number, words: readonly string[], at: number): number | null {
  const part = parts[index];
  if (!part) return at;
  if (part.kind === 'gap') {
    for (let skipped = 0; skipped <= MAX_GAP; skipped++) {
      const end = endOf(parts, index + 1, words, at + skipped);
      if (end !== null) return end;
    }
    return null;
  }
  const word = words[at];
  return word !== undefined && matches(part, word) ? endOf(parts, index + 1, words, at + 1) : null;
}

function matches({ kind, text }: Part, word: string): boolean {
  if (kind === 'number') return isNumber(word) && (text === '' || word === text);
  return kind === 'stem' ? word.startsWith(text) : word === text;
}

function isNumber(word: string): boolean {
  const first = word.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}

function add<T>(index: Index<T>, key: string, value: T): void {
  const values = index.get(key);
  if (values) values.push(value);
  else index.set(key, [value]);
}
