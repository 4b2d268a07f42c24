import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Gives each caller a turn of the event loop of its own, in FIFO order, so that costly work of many doesn't add up. */
export class TurnQueue {
  #last = Promise.resolve();

  /** After a turn the queue rests for `restFactor` times its duration, in which other work has the event loop. */
  constructor(private readonly restFactor = 0) {}

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
