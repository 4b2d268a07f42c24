import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import { Histogram } from '../lib/histogram.ts';
import type { Job } from './loop.ts';

const INTERVAL_MS = 1_000;
const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Beats once a second while the job loop runs. `clock` must be monotonic. */
export class Heartbeat {
  /** The delay of each beat in seconds, which is the event loop lag. */
  readonly lag = new Histogram(LAG_SECONDS);
  #lastBeat: Micros;

  constructor(private readonly clock: Clock) {
    this.#lastBeat = clock();
  }

  /** Returns the time since the last beat. */
  age(): Micros {
    return this.clock() - this.#lastBeat;
  }

  job(): Job {
    return { name: 'heartbeat', everyMs: INTERVAL_MS, step: async () => this.#beat() };
  }

  #beat(): void {
    this.lag.observe(Math.max(0, this.age() / SECOND - INTERVAL_MS / 1000));
    this.#lastBeat = this.clock();
  }
}
