import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Runs queued callers one per event-loop turn. */
export class TurnQueue {
  #last = Promise.resolve();

  /** After a caller's work, waits `restFactor` times as long before the next one, to leave the event loop to others. */
  constructor(private readonly restFactor = 0) {}

  /** Resolves when it is the caller's turn. */
  next(): Promise<void> {
    const turn = this.#last.then(yieldToEventLoop);
    this.#last = this.restFactor === 0 ? turn : turn.then(() => this.#rest());
    return turn;
  }

  async #rest(): Promise<void> {
    const startedAt = performance.now();
    await yieldToEventLoop();
    await Bun.sleep(this.restFactor * (performance.now() - startedAt));
  }
}
