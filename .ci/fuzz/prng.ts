/** A non-empty list of choices. */
export type Choices<Item> = readonly [Item, ...Item[]];

/** Bytes with a memory of their own, as `fetch` requires. */
export type Bytes = Buffer<ArrayBuffer>;

/** A seeded random number generator: the same seed gives the same sequence. */
export class Prng {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Returns an integer from 0 to `end`, exclusive. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** Returns true with a probability of 1 in `count`. */
  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  pick<Item>(items: Choices<Item>): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  bytes(length: number): Bytes {
    const bytes = Buffer.alloc(length);
    for (let index = 0; index < length; index++) bytes[index] = this.below(256);
    return bytes;
  }

  /** Returns 0 to `most` new items. */
  list<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** Returns a unique word. */
  word(): string {
    return `${this.below(2 ** 32).toString(36)}${this.below(2 ** 32).toString(36)}`;
  }

  /** Mulberry32; its 32 bits of state are enough for different inputs. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
