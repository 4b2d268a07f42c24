type Waiting<Item, Result> = {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/** Is told of each group how many items it held, and how many seconds it took to keep them, with the sync. */
export type CommitObserver = (items: number, seconds: number) => void;

/** How a group of items is kept. */
type Deps<Item, Result> = Readonly<{
  /** Keeps all items or none, in order. */
  commit: (items: readonly Item[]) => readonly Result[];
  /** Fulfilled once all that was committed before is on the disk. */
  sync: () => Promise<void>;
  /** Tells an error that one item caused from a failure of the storage as a whole. */
  isTheItemsFault: (error: unknown) => boolean;
  /** Makes of an error what those who wait are told. */
  explain: (error: unknown) => unknown;
  observe: CommitObserver;
}>;

/**
 * Gathers what arrives in one turn of the event loop, and then while the disk syncs what came before, and commits it together,
 * so that one sync serves all of it. Nobody is answered before the sync that covers their item has returned.
 */
export class GroupCommit<Item, Result> {
  #queue: Waiting<Item, Result>[] = [];
  #underWay: Promise<void> | null = null;

  constructor(private readonly deps: Deps<Item, Result>) {}

  add(item: Item): Promise<Result> {
    if (this.#queue.length === 0 && !this.#underWay) setImmediate(() => this.#next());
    return new Promise((resolve, reject) => this.#queue.push({ item, resolve, reject }));
  }

  /** Fulfilled once all that was added is settled. */
  async flush(): Promise<void> {
    this.#next();
    while (this.#underWay) await this.#underWay;
  }

  #next(): void {
    if (this.#underWay || this.#queue.length === 0) return;
    const group = this.#queue;
    this.#queue = [];
    this.#underWay = this.#keep(group).finally(() => {
      this.#underWay = null;
      this.#next();
    });
  }

  async #keep(group: readonly Waiting<Item, Result>[]): Promise<void> {
    const { sync, explain, observe } = this.deps;
    const startedAt = performance.now();
    const answers = this.#commit(group);
    try {
      await sync();
      observe(group.length, (performance.now() - startedAt) / 1000);
      for (const answer of answers) answer();
    } catch (error) {
      for (const { reject } of group) reject(explain(error));
    }
  }

  /** How to answer each of them once it is on the disk. */
  #commit(group: readonly Waiting<Item, Result>[]): Array<() => void> {
    const { commit, isTheItemsFault, explain } = this.deps;
    try {
      const results = commit(group.map(({ item }) => item));
      return group.map((waiting, index) => () => waiting.resolve(results[index] as Result));
    } catch (error) {
      // One bad row never fails its neighbours: each gets a transaction of its own.
      if (group.length > 1 && isTheItemsFault(error)) return group.flatMap((waiting) => this.#commit([waiting]));
      return group.map((waiting) => () => waiting.reject(explain(error)));
    }
  }
}
