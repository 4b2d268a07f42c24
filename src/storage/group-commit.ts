type Pending<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

/** Receives the size of each committed group and the seconds its commit and sync took. */
export type CommitObserver = (items: number, seconds: number) => void;

type Deps<Item, Result> = Readonly<{
  /** Commits all items in order, or none. */
  commit: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** Resolves when all earlier commits are on disk. */
  sync: () => Promise<void>;
  /** Returns true for an error caused by one item rather than by the storage. */
  isItemError: (error: unknown) => boolean;
  /** Converts an error to the one that callers get. */
  toCallerError: (error: unknown) => unknown;
  onCommit: CommitObserver;
}>;

/**
 * Group commit: items that arrive in the same turn of the event loop, or while the previous group is syncing, share a
 * transaction and a sync. A promise resolves only after the sync that covers its item.
 */
export class GroupCommit<Item, Result> {
  #queue: Pending<Item, Result>[] = [];
  #running: Promise<void> | null = null;

  constructor(private readonly deps: Deps<Item, Result>) {}

  add(item: Item): Promise<Result> {
    if (this.#queue.length === 0 && !this.#running) setImmediate(() => this.#next());
    return new Promise((resolve, reject) => this.#queue.push({ item, resolve, reject }));
  }

  /** Resolves when all added items have been committed or rejected. */
  async flush(): Promise<void> {
    this.#next();
    while (this.#running) await this.#running;
  }

  #next(): void {
    if (this.#running || this.#queue.length === 0) return;
    const group = this.#queue;
    this.#queue = [];
    this.#running = this.#process(group).finally(() => {
      this.#running = null;
      this.#next();
    });
  }

  async #process(group: readonly Pending<Item, Result>[]): Promise<void> {
    const { sync, toCallerError, onCommit } = this.deps;
    const startedAt = performance.now();
    const settlers = await this.#commit(group);
    try {
      await sync();
      onCommit(group.length, (performance.now() - startedAt) / 1000);
      for (const settle of settlers) settle();
    } catch (error) {
      for (const { reject } of group) reject(toCallerError(error));
    }
  }

  /** Commits a group and returns a function for each item that settles its promise, to be called after the sync. */
  async #commit(group: readonly Pending<Item, Result>[]): Promise<Array<() => void>> {
    const { commit, isItemError, toCallerError } = this.deps;
    try {
      const results = await commit(group.map(({ item }) => item));
      return group.map((pending, index) => () => pending.resolve(results[index] as Result));
    } catch (error) {
      // Retry each item in its own transaction, so that a bad row fails alone.
      if (group.length > 1 && isItemError(error)) return this.#commitEach(group);
      return group.map((pending) => () => pending.reject(toCallerError(error)));
    }
  }

  async #commitEach(group: readonly Pending<Item, Result>[]): Promise<Array<() => void>> {
    const settlers: Array<() => void> = [];
    for (const pending of group) settlers.push(...(await this.#commit([pending])));
    return settlers;
  }
}
