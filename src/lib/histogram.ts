/** A histogram with ascending upper `bounds` and an implicit last bucket up to infinity. */
export class Histogram {
  readonly #counts: number[];
  #sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.#counts = Array<number>(bounds.length + 1).fill(0);
  }

  observe(value: number): void {
    let bucket = 0;
    while (value > (this.bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sum += value;
  }

  /** Returns the cumulative count per upper bound, the last one infinite, and the sum of all values. */
  read(): Readonly<{ cumulative: ReadonlyArray<readonly [bound: number, count: number]>; sum: number }> {
    let total = 0;
    const cumulative = this.#counts.map((count, bucket) => {
      total += count;
      return [this.bounds[bucket] ?? Number.POSITIVE_INFINITY, total] as const;
    });
    return { cumulative, sum: this.#sum };
  }
}
