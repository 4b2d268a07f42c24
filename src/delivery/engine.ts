import { describeFailure } from '../domain/instance/system-fault.ts';
import type { Logger } from '../lib/log.ts';

/** An item of the outbox that is leased to this process. */
type Claimed = Readonly<{ id: string; fence: number }>;

/**
 * A way to deliver items of the outbox: mail or webhooks. `attempt` makes one attempt and never throws for failures of the
 * other side; `record` returns false if the claim is no longer valid.
 */
export interface Transport<Item extends Claimed, Result extends Readonly<{ state: string }>> {
  readonly name: string;
  /**
   * The delay in milliseconds before the next claim, so that submissions and attempts completed at about the same time
   * share a query.
   */
  readonly claimDelayMs: number;
  /** Leases due items, given those in flight. */
  claim(inFlight: readonly Item[]): Promise<readonly Item[]>;
  attempt(item: Item, signal: AbortSignal): Promise<Result>;
  record(item: Item, result: Result): Promise<boolean>;
  /** Ends attempts that do not heed the signal. Called once, at shutdown. */
  abort?(): void;
  /** Returns an item to the queue without counting a failure. */
  requeue(item: Item): Promise<unknown>;
  /** Fields of log lines about an item. */
  logFields(item: Item): Readonly<Record<string, string | null>>;
}

/** The time to wait for attempts in flight at shutdown. */
const STOP_TIMEOUT_MS = 9_000;
/** The time to wait for attempts that were then aborted. */
const ABORT_TIMEOUT_MS = 500;
const RECORD_RETRY_MS = 1_000;

/** An attempt in progress. `item` is its latest claim. */
type Attempt<Item> = { item: Item; done: Promise<void> };

/** Engine of the outbox: claims due items, has its transport deliver them, and records the results. */
export class OutboxEngine<Item extends Claimed, Result extends Readonly<{ state: string }>> {
  /** Attempts of this process by result. */
  readonly attempts = { sent: 0, retried: 0, failed: 0 };
  readonly #inFlight = new Map<string, Attempt<Item>>();
  readonly #abort = new AbortController();
  #filling: Promise<unknown> = Promise.resolve();
  #nextFill: Promise<boolean> | null = null;
  #stopping: Promise<void> | null = null;
  #isWoken = false;

  constructor(
    private readonly transport: Transport<Item, Result>,
    private readonly log: Logger,
  ) {}

  /**
   * Starts due items up to the limits of the transport. Calls made while one is running share the next run. Returns true
   * if nothing was in flight and nothing was due.
   */
  fill(): Promise<boolean> {
    this.#nextFill ??= this.#filling.then(() => {
      this.#nextFill = null;
      const claiming = this.#claim();
      this.#filling = claiming.catch(() => {});
      return claiming;
    });
    return this.#nextFill;
  }

  async #claim(): Promise<boolean> {
    if (this.#stopping) return true;
    const inFlight = Array.from(this.#inFlight.values(), ({ item }) => item);
    const claimed = await this.transport.claim(inFlight);
    for (const item of claimed) this.#start(item);
    // An item that ended during the claim may have held back others.
    return inFlight.length === 0 && claimed.length === 0;
  }

  #start(item: Item): void {
    const running = this.#inFlight.get(item.id);
    if (running) {
      // The lease expired early because the clock jumped. The attempt continues under the new claim.
      running.item = item;
      return;
    }
    const attempt = { item, done: Promise.resolve() };
    this.#inFlight.set(item.id, attempt);
    attempt.done = this.#deliver(attempt)
      .catch((error: unknown) => this.#logError('an item could not be processed', error, attempt.item))
      .then(() => {
        this.#inFlight.delete(item.id);
        this.wake();
      });
  }

  async #deliver(attempt: Attempt<Item>): Promise<void> {
    const result = await this.transport.attempt(attempt.item, this.#abort.signal);
    await this.#record(attempt, result);
  }

  /** Records the result of an attempt. Retries until the write succeeds, so that an item is not delivered twice. */
  async #record(attempt: Attempt<Item>, result: Result): Promise<void> {
    const { transport, log } = this;
    for (;;) {
      const { item } = attempt;
      try {
        if (await transport.record(item, result)) {
          this.#count(result.state);
          return;
        }
        // A claim that is under way may have taken the item, because the clock jumped.
        await this.#filling;
        if (attempt.item !== item) continue;
        const message = `${transport.name}: deleted or claimed by another process during the attempt`;
        log.warn(message, transport.logFields(item));
        return;
      } catch (error) {
        if (this.#stopping) throw error;
        this.#logError('a result could not be recorded, will retry', error, attempt.item);
        await Bun.sleep(RECORD_RETRY_MS);
      }
    }
  }

  #logError(message: string, error: unknown, item?: Item): void {
    const fields = item && this.transport.logFields(item);
    this.log.error(`${this.transport.name}: ${message}`, { ...fields, error: describeFailure(error) });
  }

  #count(state: string): void {
    if (state === 'sent') this.attempts.sent += 1;
    if (state === 'retrying' || state === 'queued') this.attempts.retried += 1;
    if (state === 'dead') this.attempts.failed += 1;
  }

  /** Schedules a `fill`. To be called when items may have become due. */
  wake(): void {
    if (this.#isWoken) return;
    this.#isWoken = true;
    setTimeout(() => {
      this.#isWoken = false;
      this.fill().catch((error: unknown) => this.#logError('the outbox could not be read', error));
    }, this.transport.claimDelayMs);
  }

  /** Resolves when no item is due or in flight. */
  async drain(): Promise<void> {
    while (!(await this.fill())) await this.#allDone();
  }

  /** Stops claiming, waits up to 9 s for attempts in flight, then aborts and requeues them. Idempotent. */
  stop(): Promise<void> {
    this.#stopping ??= this.#shutDown();
    return this.#stopping;
  }

  async #shutDown(): Promise<void> {
    await this.#filling;
    await Promise.race([this.#allDone(), Bun.sleep(STOP_TIMEOUT_MS)]);
    this.#abort.abort();
    this.transport.abort?.();
    await Promise.race([this.#allDone(), Bun.sleep(ABORT_TIMEOUT_MS)]);
    for (const { item } of this.#inFlight.values()) await this.transport.requeue(item);
  }

  #allDone(): Promise<unknown> {
    return Promise.all(this.#inFlight.values().map(({ done }) => done));
  }
}
