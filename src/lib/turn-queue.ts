import { yieldToEventLoop } from './yield-to-event-loop.ts';

/** Gives each caller a turn of the event loop of its own, in FIFO order, so that costly work of many doesn't add up. */
export class TurnQueue {
  #last = Promise.resolve();

  next(): Promise<void> {
    this.#last = this.#last.then(yieldToEventLoop);
    return this.#last;
  }
}
