/**
 * Size of the weight table (feature hashing). Far more buckets than weights exist, so an unknown feature rarely
 * collides with a weighted one.
 */
export const BUCKETS = 1 << 20;

/** Characters of a word that its inflections share in most languages. */
const STEM_LENGTH = 6;
/** FNV-1a, 32 bit. */
const SEED = 0x811c9dc5;
const PRIME = 0x01000193;
/** Distinguish the hash of a stem from that of a word with the same letters, and a pair from both. */
const STEM_SALT = 0x2e;
const PAIR_SALT = 0x20;
const DIGIT = '0'.charCodeAt(0);
const EXCLAMATION = '!'.charCodeAt(0);
const QUESTION = '?'.charCodeAt(0);

/** Upper bound of the features in a text of the analyzed length. */
const MAX_FEATURES = 1 << 14;

/** Shared scratch buffers of the current text: extraction is synchronous, so one set is enough. */
const usedBuckets = new Int32Array(BUCKETS / 32); // one bit per bucket
const bucketOf = new Uint32Array(MAX_FEATURES);
/** Position of each feature in the text; -1 for shape and named features. */
const startOf = new Int32Array(MAX_FEATURES);
const endOf = new Int32Array(MAX_FEATURES);

/**
 * Distinct features of a text: words, stems, stem bigrams, character bigrams and trigrams of scripts without spaces,
 * shape and named features. Extraction is one pass that allocates no strings. All instances share buffers: creating the
 * next one invalidates the last.
 */
export class Features {
  readonly #names = new Map<number, string>();
  #count = 0;

  /** `text` must be lowercase. */
  constructor(private readonly text: string) {}

  /** Buckets in the weight table; valid until the next text is read. */
  get buckets(): Uint32Array {
    return bucketOf.subarray(0, this.#count);
  }

  /** Returns the feature at an index of `buckets` in words for the owner; null for a shape. */
  nameOf(index: number): string | null {
    const from = startOf[index] ?? -1;
    return from < 0 ? (this.#names.get(index) ?? null) : `“${this.text.slice(from, endOf[index])}”`;
  }

  /** Adds a feature that is never shown to the owner. */
  addShape(name: string): void {
    this.#add(hashOf(`\n${name}`), -1, -1);
  }

  /** Adds a feature that is shown to the owner as `shown`. */
  addNamed(name: string, shown: string = name): void {
    const index = this.#count;
    if (this.#add(hashOf(`\t${name}`), -1, -1)) this.#names.set(index, shown);
  }

  /** Adds all words, exclamation marks and question marks. Returns the word count. */
  addWords(): number {
    const { text } = this;
    let count = 0;
    let previousStem = SEED;
    let previousFrom = 0;
    for (let at = 0; at < text.length; ) {
      const code = text.charCodeAt(at);
      if (!isWordChar(code)) {
        if (code === EXCLAMATION || code === QUESTION) this.#add(code, -1, -1);
        at += 1;
        continue;
      }
      count += 1;
      const from = at;
      if (isUnspaced(code)) {
        while (at < text.length && isUnspaced(text.charCodeAt(at))) at += 1;
        this.#addNgrams(from, at);
        previousStem = SEED;
        continue;
      }
      let word = SEED;
      let stem = SEED;
      let stemEnd = from;
      for (let units = 0; at < text.length; units++) {
        let unit = text.charCodeAt(at);
        if (!isWordChar(unit) || isUnspaced(unit)) break;
        at += 1;
        if (isDigit(unit)) {
          while (isDigit(text.charCodeAt(at))) at += 1;
          unit = DIGIT;
        }
        word = mix(word, unit);
        if (units < STEM_LENGTH) {
          stem = word;
          stemEnd = at;
        }
      }
      this.#add(word, from, at);
      if (stemEnd < at) this.#add(mix(stem, STEM_SALT), from, stemEnd);
      this.#add(mix(mix(previousStem, PAIR_SALT), stem), previousStem === SEED ? from : previousFrom, at);
      previousStem = stem;
      previousFrom = from;
    }
    return count;
  }

  /** Clears the shared bitmap for the next text. Call it after the last `add…`. */
  finish(): this {
    for (let index = 0; index < this.#count; index++) usedBuckets[(bucketOf[index] ?? 0) >>> 5] = 0;
    return this;
  }

  #addNgrams(from: number, to: number): void {
    for (let at = from; at + 1 < to; at++) {
      const two = mix(mix(SEED, this.text.charCodeAt(at)), this.text.charCodeAt(at + 1));
      this.#add(two, at, at + 2);
      if (at + 2 < to) this.#add(mix(two, this.text.charCodeAt(at + 2)), at, at + 3);
    }
  }

  /** Returns whether the feature is new. */
  #add(hash: number, from: number, to: number): boolean {
    const bucket = (hash ^ (hash >>> 15)) & (BUCKETS - 1);
    const group = bucket >>> 5;
    const bits = usedBuckets[group] ?? 0;
    const bit = 1 << (bucket & 31);
    if ((bits & bit) !== 0 || this.#count === MAX_FEATURES) return false;
    usedBuckets[group] = bits | bit;
    bucketOf[this.#count] = bucket;
    startOf[this.#count] = from;
    endOf[this.#count] = to;
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

/**
 * Returns whether a UTF-16 unit belongs to a word: letters, digits, `$` and `%`; beyond ASCII all but punctuation,
 * symbols and surrogates.
 */
function isWordChar(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || isDigit(code) || code === 36 || code === 37;
  if (code < 0xc0) return code === 0xa3 || code === 0xa5;
  if (code < 0x2000) return true;
  if (code === 0x20ac) return true;
  return !(code < 0x2c00 || (code >= 0x3000 && code <= 0x3040) || (code >= 0xd800 && code <= 0xdfff) || code >= 0xfe00);
}

/** Returns whether a UTF-16 unit is Thai, kana or Han: scripts without spaces between words. */
function isUnspaced(code: number): boolean {
  return (code >= 0x0e00 && code <= 0x0e7f) || (code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff);
}
