type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

export type CommitObserver = (items: number, seconds: number) => void;

/**
 * Gathers what arrives in one turn of the event loop and commits it together, so that one sync of the disk serves all
 * of it. Nobody is answered before the commit that holds their item has returned.
 */
export class GroupCommit<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];

  /**
   * `commit` keeps all items or none. `isTheItemsFault` tells an error that one item caused from a failure of the
   * storage as a whole; `explain` makes of an error what those who wait are told. `observe` is told of each commit how many
   * items it held and how many seconds it took.
   */
  constructor(
    private readonly commit: (items: readonly Item[]) => readonly Result[],
    private readonly isTheItemsFault: (error: unknown) => boolean,
    private readonly explain: (error: unknown) => unknown,
    private readonly observe: CommitObserver,
  ) {}

  add(item: Item): Promise<Result> {
    if (this.#queue.length === 0) setImmediate(() => this.flush());
    return new Promise((resolve, reject) => this.#queue.push({ item, resolve, reject }));
  }

  flush(): void {
    const batch = this.#queue;
    this.#queue = [];
    if (batch.length > 0) this.#settle(batch);
  }

  #settle(batch: readonly Waiting<Item, Result>[]): void {
    try {
      const startedAt = performance.now();
      const results = this.commit(batch.map(({ item }) => item));
      this.observe(batch.length, (performance.now() - startedAt) / 1000);
      batch.forEach(({ resolve }, index) => {
        resolve(results[index] as Result);
      });
    } catch (error) {
      if (batch.length > 1 && this.isTheItemsFault(error)) {
        // One bad row never fails its neighbours: each gets a transaction of its own.
        for (const waiting of batch) this.#settle([waiting]);
      } else {
        for (const { reject } of batch) reject(this.explain(error));
      }
    }
  }
}
