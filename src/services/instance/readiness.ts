import { accessSync, constants } from 'node:fs';
import { type Clock, MINUTE, type Micros, SECOND } from '../../lib/clock.ts';
import type { DiskWatch } from '../../storage/disk-watch.ts';
import type { Store } from '../../storage/store.ts';
import { checkDisk, englishText } from './checks/checks.ts';

/**
 * A condition for accepting submissions, or with `warns` for other work. `check` resolves to null, or to the fault in words
 * that may be public.
 */
export type ReadinessCheck = Readonly<{ name: string; warns?: true; check: () => Promise<string | null> }>;

type Deps = Readonly<{
  store: Pick<Store, 'instances' | 'queue'>;
  disk: Pick<DiskWatch, 'isDamaged'> & { isRefusing: boolean };
  heartbeat: Readonly<{ age: () => Micros }>;
  freeBytes: () => number;
  config: Readonly<{ dataDir: string; minFreeBytes: number }>;
}>;

const MAX_LOOP_PAUSE = 10 * SECOND;
/** Time that a result is cached, so that frequent probes don't write to the disk each time. */
const CACHE_TTL = SECOND;

/** Returns the checks in the order of the report. */
export function readinessChecks({ store, disk, heartbeat, freeBytes, config }: Deps): ReadinessCheck[] {
  return [
    { name: 'database', check: () => databaseFault(store, disk) },
    {
      name: 'loop',
      check: async () => {
        const age = heartbeat.age();
        return age <= MAX_LOOP_PAUSE ? null : `no job has run for ${Math.round(age / SECOND)} s`;
      },
    },
    { name: 'disk', check: async () => accessFault(config.dataDir) ?? diskFault(freeBytes(), config.minFreeBytes) },
    {
      name: 'leader',
      warns: true,
      check: async () => {
        const silence = await store.instances.leaderlessFor();
        return silence <= MINUTE ? null : `no process has run the shared jobs for ${Math.round(silence / SECOND)} s`;
      },
    },
  ];
}

/** Tries more after a submission could not be stored, until one is stored or the trial succeeds. */
async function databaseFault(store: Pick<Store, 'queue'>, disk: Deps['disk']): Promise<string | null> {
  const { isRefusing } = disk;
  try {
    await store.queue.probe(isRefusing);
    if (isRefusing) disk.isRefusing = false;
  } catch {
    disk.isRefusing = true;
  }
  if (disk.isDamaged) return 'damaged; restore a backup';
  return disk.isRefusing ? 'not writable' : null;
}

/** Returns the fault if files cannot be created in the data directory; null otherwise. */
function accessFault(dataDir: string): string | null {
  try {
    accessSync(dataDir, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return 'DATA_DIR is not writable';
  }
}

/** Returns the fault if fewer than `minFree` bytes are free; null otherwise. */
function diskFault(free: number, minFree: number): string | null {
  const finding = checkDisk(free, minFree);
  return finding.state === 'bad' ? englishText(finding).replace(/\.$/, '') : null;
}

/** All readiness checks with a short cache. `clock` must be monotonic. */
export class Readiness {
  #checkedAt = Number.NEGATIVE_INFINITY;
  #faults: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map());

  constructor(
    private readonly checks: readonly ReadinessCheck[],
    private readonly clock: Clock,
  ) {}

  /** Returns the faults by the names of their checks; empty if the server is ready. */
  faults(): Promise<ReadonlyMap<string, string>> {
    if (this.clock() - this.#checkedAt >= CACHE_TTL) {
      this.#checkedAt = this.clock();
      this.#faults = this.#runChecks();
    }
    return this.#faults;
  }

  async #runChecks(): Promise<ReadonlyMap<string, string>> {
    const faults = new Map<string, string>();
    for (const { name, check } of this.checks) {
      const fault = await check().catch(() => 'check failed');
      if (fault !== null) faults.set(name, fault);
    }
    return faults;
  }
}
