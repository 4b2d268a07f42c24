import type { Clock, Micros } from '../lib/clock.ts';
import { SECOND } from '../lib/clock.ts';
import { Histogram } from '../lib/histogram.ts';
import type { Job } from './loop.ts';

const EVERY_MS = 1_000;
const LAG_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Beats once a second as long as the loop of the jobs runs. `clock` is one that nobody can set. */
export class Heartbeat {
  /** By how much a beat came too late, in seconds: so long something else kept the process busy. */
  readonly lag = new Histogram(LAG_SECONDS);
  #lastBeat: Micros;

  constructor(private readonly clock: Clock) {
    this.#lastBeat = clock();
  }

  /** Since the last beat. */
  age(): Micros {
    return this.clock() - this.#lastBeat;
  }

  job(): Job {
    return { name: 'pulse', everyMs: EVERY_MS, step: async () => this.#beat() };
  }

  #beat(): void {
    this.lag.observe(Math.max(0, this.age() / SECOND - EVERY_MS / 1000));
    this.#lastBeat = this.clock();
  }
}
