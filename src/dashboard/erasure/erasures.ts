import { HOUR, type Micros } from '../../lib/clock.ts';
import type { Erased, ErasureCounts, PersonSearch } from '../../services/erasure/erasure.ts';

/** A search for a person and the erasure of its results. */
export type Erasure = {
  readonly id: string;
  readonly userId: string;
  readonly teamId: string;
  readonly address: string;
  readonly search: PersonSearch;
  readonly counts: ErasureCounts;
  step: 'searching' | 'found' | 'deleting' | 'failed';
  /** The result of the deletion. */
  erased: Erased | null;
};

const LIFETIME: Micros = HOUR;
/** Long enough to see a pending erasure completed. */
const RECEIPT_LIFETIME: Micros = 2 * HOUR;
const MAX_ERASURES = 50;

/** Recent searches. They stay in memory, because they hold the address. */
export class Erasures {
  readonly #erasures = new Map<string, Erasure>();

  constructor(private readonly clock: () => Micros) {}

  /** Adds a search and drops old ones. A running deletion is never dropped. */
  add(erasure: Erasure): void {
    for (const other of this.#erasures.values()) {
      if (other.step === 'deleting') continue;
      if (this.#isExpired(other) || this.#erasures.size >= MAX_ERASURES) this.#erasures.delete(other.id);
    }
    this.#erasures.set(erasure.id, erasure);
  }

  /** Returns a search of this user in this team; undefined after an hour, or two with a receipt. */
  find(id: string, owner: Readonly<{ userId: string; teamId: string }>): Erasure | undefined {
    const erasure = this.#erasures.get(id);
    if (!erasure || erasure.userId !== owner.userId || erasure.teamId !== owner.teamId) return undefined;
    return this.#isExpired(erasure) ? undefined : erasure;
  }

  /** Both ways, because the clock may jump. */
  #isExpired({ search, erased }: Erasure): boolean {
    return Math.abs(this.clock() - search.startedAt) > (erased ? RECEIPT_LIFETIME : LIFETIME);
  }
}

/** Returns true if there are results to export or delete. */
export function hasResults({ step, erased, search }: Erasure): boolean {
  return step === 'found' && erased === null && search.times.length > 0;
}
