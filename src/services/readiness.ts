import { type Clock, type Micros, SECOND } from '../lib/clock.ts';
import type { Store } from '../storage/store.ts';

/** One thing that has to be so for submissions to be taken: null if it is, else what is wrong, for anyone to read. */
export type ReadinessCheck = Readonly<{ name: string; check: () => Promise<string | null> }>;

type Deps = Readonly<{
  store: Pick<Store, 'probe'>;
  heartbeat: Readonly<{ age: () => Micros }>;
  freeBytes: () => number;
  config: Readonly<{ minFreeBytes: number }>;
}>;

const MiB = 1024 * 1024;
const LONGEST_PAUSE = 10 * SECOND;
/** However often it is asked for, the disk is written to once in so long. */
const HOLDS = SECOND;

/** What has to be so, in the order in which it is told. */
export function readinessChecks({ store, heartbeat, freeBytes, config }: Deps): ReadinessCheck[] {
  return [
    {
      name: 'database',
      check: () =>
        store.probe().then(
          () => null,
          () => 'nothing can be written',
        ),
    },
    {
      name: 'loop',
      check: async () => {
        const age = heartbeat.age();
        return age <= LONGEST_PAUSE ? null : `the jobs have stood still for ${Math.round(age / SECOND)} s`;
      },
    },
    { name: 'disk', check: async () => faultOfDisk(freeBytes(), config.minFreeBytes) },
  ];
}

/** What is wrong with so much room on the disk, if anything is. */
export function faultOfDisk(free: number, floor: number): string | null {
  if (free >= floor) return null;
  return `${Math.floor(free / MiB)} MiB are free, less than the ${Math.ceil(floor / MiB)} MiB of MIN_FREE_BYTES`;
}

/** What all checks find, by their names; what they found a moment ago is told again. `clock` is one that nobody can set. */
export class Readiness {
  #askedAt = Number.NEGATIVE_INFINITY;
  #found: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map());

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly clock: Clock,
  ) {}

  /** Empty where everything is as it has to be. */
  faults(): Promise<ReadonlyMap<string, string>> {
    if (this.clock() - this.#askedAt >= HOLDS) {
      this.#askedAt = this.clock();
      this.#found = this.#ask();
    }
    return this.#found;
  }

  async #ask(): Promise<ReadonlyMap<string, string>> {
    const faults = new Map<string, string>();
    for (const { name, check } of this.checks) {
      const fault = await check().catch(() => 'it cannot be told');
      if (fault !== null) faults.set(name, fault);
    }
    return faults;
  }
}
