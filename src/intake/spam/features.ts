/**
 * A trait's place in the table of weights is one of so many, told by its hash: many more than have a weight, so that a trait
 * that nothing is known of seldom falls on one.
 */
export const PLACES = 1 << 20;

/** So much of a word is what its forms have in common, in most languages. */
const STEM = 6;
/** FNV-1a, 32 bit. */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
/** Keeps a stem from a word of the same letters, and a pair from both. */
const STEM_SALT = 0x2e;
const PAIR_SALT = 0x20;
const NUMBER = '0'.charCodeAt(0);
const EXCLAMATION = '!'.charCodeAt(0);
const QUESTION = '?'.charCodeAt(0);

/** More than a text of the length that is looked at has. */
const MAX_TRAITS = 1 << 14;

/** Of the text that is being read: nothing else is read meanwhile, so one of each serves all, and no garbage is made. */
const taken = new Int32Array(PLACES / 32); // a bit for each place
const placeOf = new Uint32Array(MAX_TRAITS);
/** Where each stands in the text; those with a name of their own stand nowhere. */
const fromOf = new Int32Array(MAX_TRAITS);
const toOf = new Int32Array(MAX_TRAITS);

/**
 * The traits of a text, each once: words, their stems, and pairs of stems that follow each other; where words stand together,
 * all of two and three characters; and by name its shape and circumstances. The text is read in one pass that makes no strings.
 * Only one can be in use: the next takes its place.
 */
export class Features {
  readonly #names = new Map<number, string>();
  #count = 0;

  /** `text` in small letters. */
  constructor(private readonly text: string) {}

  /** In the table; good until the next text is read. */
  get places(): Uint32Array {
    return placeOf.subarray(0, this.#count);
  }

  /** The trait at an index of `places`, in words for the owner; null for one that tells them nothing. */
  nameOf(index: number): string | null {
    const from = fromOf[index] ?? -1;
    return from < 0 ? (this.#names.get(index) ?? null) : `“${this.text.slice(from, toOf[index])}”`;
  }

  /** Notes what tells the owner nothing by its name. */
  noteShape(name: string): void {
    this.#note(hashOf(`\n${name}`), -1, -1);
  }

  noteCircumstance(name: string): void {
    const index = this.#count;
    if (this.#note(hashOf(`\t${name}`), -1, -1)) this.#names.set(index, name);
  }

  /** Notes all words, and the marks between them that say something; returns how many words there are. */
  noteWords(): number {
    const { text } = this;
    let count = 0;
    let before = SEED;
    let beforeFrom = 0;
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (!isOfWord(code)) {
        if (code === EXCLAMATION || code === QUESTION) this.#note(code, -1, -1);
        at += 1;
        continue;
      }
      count += 1;
      const from = at;
      if (standsTogether(code)) {
        while (at < text.length && standsTogether(text.charCodeAt(at))) at += 1;
        this.#noteParts(from, at);
        before = SEED;
        continue;
      }
      let word = SEED;
      let stem = SEED;
      let stemEnd = from;
      for (let units = 0; at < text.length; units++) {
        let unit = text.charCodeAt(at);
        if (!isOfWord(unit) || standsTogether(unit)) break;
        at += 1;
        if (isDigit(unit)) {
          while (isDigit(text.charCodeAt(at))) at += 1;
          unit = NUMBER;
        }
        word = mix(word, unit);
        if (units < STEM) {
          stem = word;
          stemEnd = at;
        }
      }
      this.#note(word, from, at);
      if (stemEnd < at) this.#note(mix(stem, STEM_SALT), from, stemEnd);
      this.#note(mix(mix(before, PAIR_SALT), stem), before === SEED ? from : beforeFrom, at);
      before = stem;
      beforeFrom = from;
    }
    return count;
  }

  /** Gives the places free for the next text. To be called once all is noted. */
  end(): this {
    for (let index = 0; index < this.#count; index++) taken[(placeOf[index] ?? 0) >>> 5] = 0;
    return this;
  }

  #noteParts(from: number, to: number): void {
    for (let at = from; at + 1 < to; at++) {
      const two = mix(mix(SEED, this.text.charCodeAt(at)), this.text.charCodeAt(at + 1));
      this.#note(two, at, at + 2);
      if (at + 2 < to) this.#note(mix(two, this.text.charCodeAt(at + 2)), at, at + 3);
    }
  }

  /** Whether it is a new one. */
  #note(hash: number, from: number, to: number): boolean {
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    const group = place >>> 5;
    const bits = taken[group] ?? 0;
    const bit = 1 << (place & 31);
    if ((bits & bit) !== 0 || this.#count === MAX_TRAITS) return false;
    taken[group] = bits | bit;
    placeOf[this.#count] = place;
    fromOf[this.#count] = from;
    toOf[this.#count] = to;
    this.#count += 1;
    return true;
  }
}

function mix(hash: number, value: number): number {
  return Math.imul(hash ^ value, PRIME);
}

function hashOf(name: string): number {
  let hash = SEED;
  for (let at = 0; at < name.length; at++) hash = mix(hash, name.charCodeAt(at));
  return hash;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Letters, digits and signs of money; beyond ASCII whatever is no punctuation, symbol or half of a pair. */
function isOfWord(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || isDigit(code) || code === 36 || code === 37;
  if (code < 0xc0) return code === 0xa3 || code === 0xa5;
  if (code < 0x2000) return true;
  if (code === 0x20ac) return true;
  return !(code < 0x2c00 || (code >= 0x3000 && code <= 0x3040) || (code >= 0xd800 && code <= 0xdfff) || code >= 0xfe00);
}

/** Thai, kana and Han, which put no spaces between words. */
function standsTogether(code: number): boolean {
  return (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff);
}
