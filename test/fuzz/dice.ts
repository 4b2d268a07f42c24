/** At least one to choose from. */
export type Choices<Item> = readonly [Item, ...Item[]];

/** On memory of their own, as `fetch` wants them. */
export type Bytes = Buffer<ArrayBuffer>;

/** Chance that can be repeated: the same seed throws the same. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 up to but not including `end`. */
  below(end: number): number {
    return Math.floor(this.#next() * end);
  }

  /** True once in so many throws. */
  once(inThrows: number): boolean {
    return this.below(inThrows) === 0;
  }

  pick<Item>(items: Choices<Item>): Item {
    return items[this.below(items.length)] ?? items[0];
  }

  bytes(length: number): Bytes {
    return Buffer.from(Array.from({ length }, () => this.below(256)));
  }

  /** Up to so many items, each made anew. */
  list<Item>(most: number, make: () => Item): Item[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** A name that no other throw has. */
  word(): string {
    return `${this.below(2 ** 32).toString(36)}${this.below(2 ** 32).toString(36)}`;
  }

  /** Mulberry32: 32 bits of state are plenty to tell one body from another. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
}
