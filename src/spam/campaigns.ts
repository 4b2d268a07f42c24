import { DAY, type Micros } from '../lib/clock.ts';
import { isUnspaced } from './features/char-kinds.ts';
import { mix, SEED } from './features/hash.ts';
import { addSighting, newSightings, type RepeatCounts, type Sightings } from './sightings.ts';
import { endOfLink, isLetter, isLinkStart } from './words.ts';

const TTL = 7 * DAY;
/** Limit of remembered texts. The buffers take 0.7 MB, the sightings about 2 MB. */
const CAPACITY = 4_096;
/** Hashes of a signature. Two texts share a hash with a probability that is the share of words they have in common. */
const HASHES = 30;
/** Equal hashes from which two texts are of one campaign: about five of eight words are in both. */
const MIN_EQUAL = 19;
/** Texts are compared if all hashes of a band are equal: at the limit above, in 19 of 20 cases. */
const BANDS = 10;
const ROWS = HASHES / BANDS;
const BUCKETS = 8_192;
/** Letters from which a word is seldom an article, a pronoun or a preposition. */
const MIN_WORD = 4;
/** Distinct words from which much the same text is no coincidence. */
const MIN_WORDS = 20;
/** Limits the work for each text. */
const MAX_WORDS = 64;
/** Limits the search for words. */
const MAX_CHARACTERS = 4_000;

/**
 * In-memory record of the texts of the last week, as signatures in which similar texts have equal hashes (minhash).
 * The hashes are keyed with secrets of this process: the record ends with it, so a lasting secret would gain nothing.
 */
export class Campaigns {
  readonly #keys = crypto.getRandomValues(new Uint32Array(2 * HASHES));
  readonly #signatures = new Uint32Array(CAPACITY * HASHES);
  readonly #sightings: Sightings[] = [];
  /** The latest text of each bucket of each band, counted from 1. */
  readonly #latest = new Uint16Array(BANDS * BUCKETS);
  /** Signature and words of the current text. */
  readonly #current = new Uint32Array(HASHES);
  readonly #words = new Set<number>();
  readonly #listed = new Uint32Array(MAX_WORDS + 1); // one more for the word that ends at the limit
  #next = 0;

  /**
   * Records a text and returns the counts of the texts that are much like it, itself included; null if it has too few
   * words. `text` must be lowercase.
   */
  record(text: string, form: string, identities: readonly number[], now: Micros): RepeatCounts | null {
    this.#readWords(text);
    if (this.#words.size < MIN_WORDS) return null;
    this.#sign();
    const { slot, equal } = this.#findSimilar(now);
    const seen = this.#sightings[slot] ?? newSightings(now);
    if (equal < HASHES) this.#store(seen);
    return addSighting(seen, form, identities, now);
  }

  /** Collects hashes of the words outside links, and of pairs of characters in scripts without spaces. */
  #readWords(text: string): void {
    const words = this.#words;
    words.clear();
    const end = Math.min(text.length, MAX_CHARACTERS);
    for (let at = 0; at < end && words.size < MAX_WORDS; at++) {
      if (isLinkStart(text, at)) at = endOfLink(text, at);
      let hash = SEED;
      let letters = 0;
      for (; at < end && words.size < MAX_WORDS; at++) {
        const code = text.charCodeAt(at);
        if (!isLetter(code)) break;
        if (isUnspaced(code)) words.add(mix(mix(SEED, code), text.charCodeAt(at + 1)));
        hash = mix(hash, code);
        letters += 1;
      }
      if (letters >= MIN_WORD) words.add(hash);
    }
  }

  #sign(): void {
    const words = this.#listed;
    let count = 0;
    for (const word of this.#words) words[count++] = word;
    for (let index = 0; index < HASHES; index++) {
      const key = this.#keys[2 * index] ?? 0;
      const factor = (this.#keys[2 * index + 1] ?? 0) | 1;
      let smallest = 0xffffffff;
      for (let at = 0; at < count; at++) {
        const hash = Math.imul((words[at] ?? 0) ^ key, factor) >>> 0;
        if (hash < smallest) smallest = hash;
      }
      this.#current[index] = smallest;
    }
  }

  /** Returns the slot of the most similar recent text of a campaign and its equal hashes; slot -1 for none. */
  #findSimilar(now: Micros): Readonly<{ slot: number; equal: number }> {
    let best = { slot: -1, equal: MIN_EQUAL - 1 };
    for (let band = 0; band < BANDS; band++) {
      const slot = (this.#latest[this.#bucketOf(band)] ?? 0) - 1;
      if (slot < 0 || slot === best.slot || (this.#sightings[slot]?.at ?? 0) <= now - TTL) continue;
      const equal = this.#equalHashes(slot);
      if (equal > best.equal) best = { slot, equal };
    }
    return best;
  }

  #equalHashes(slot: number): number {
    let equal = 0;
    for (let index = 0; index < HASHES; index++) {
      if (this.#signatures[slot * HASHES + index] === this.#current[index]) equal += 1;
    }
    return equal;
  }

  /** Stores the current signature in place of the oldest one. */
  #store(seen: Sightings): void {
    const slot = this.#next;
    this.#next = (slot + 1) % CAPACITY;
    this.#signatures.set(this.#current, slot * HASHES);
    this.#sightings[slot] = seen;
    for (let band = 0; band < BANDS; band++) this.#latest[this.#bucketOf(band)] = slot + 1;
  }

  #bucketOf(band: number): number {
    let hash = SEED;
    for (let row = 0; row < ROWS; row++) hash = Math.imul(hash ^ (this.#current[band * ROWS + row] ?? 0), 0x9e3779b1);
    return band * BUCKETS + ((hash >>> 16) & (BUCKETS - 1));
  }
}
