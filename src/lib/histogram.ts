/** Counts what is observed by its size. `bounds` go up; whatever is above the last is counted as well. */
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

  /** How many there were up to each bound, the last of which is infinite, and their sum. */
  read(): Readonly<{ cumulative: ReadonlyArray<readonly [bound: number, count: number]>; sum: number }> {
    let total = 0;
    const cumulative = this.#counts.map((count, bucket) => {
      total += count;
      return [this.bounds[bucket] ?? Number.POSITIVE_INFINITY, total] as const;
    });
    return { cumulative, sum: this.#sum };
  }
}
