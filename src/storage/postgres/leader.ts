import { type SQL, sql } from 'drizzle-orm';
import { type Micros, SECOND } from '../../lib/clock.ts';
import type { Db } from '../database.ts';

/** Interval of renewals, each of which is a round trip. In between, `lead` answers at once. */
const RENEWAL_MS = 1_000;

/** Time after which another process can take over from one that does not renew its lease. */
const LEASE: Micros = 5 * SECOND;

/**
 * The leadership of one process of a database: a row with a lease, which only accounts that may write to the tables can
 * take. `now` is the time of the database.
 */
export class Leader {
  #leads = false;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #renewal: Promise<boolean> | null = null;

  constructor(
    private readonly db: Db,
    private readonly id: string,
    private readonly now: () => SQL<Micros>,
  ) {}

  /** Returns true while this process is the leader, and tries to become it. Call it once a second to stay the leader. */
  lead(): Promise<boolean> {
    if (performance.now() - this.#renewedAt < RENEWAL_MS) return Promise.resolve(this.#leads);
    this.#renewal ??= this.#renew().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  /** Gives up the leadership, so that another process can become the leader at once. */
  async resign(): Promise<void> {
    await this.#renewal;
    if (!this.#leads) return;
    this.#leads = false;
    this.#renewedAt = Number.NEGATIVE_INFINITY;
    await this.db.rows(sql`UPDATE leases SET holder = NULL WHERE name = 'leader' AND holder = ${this.id}`);
  }

  /** Returns the time since the lease of the last leader ended; 0 while it lasts. */
  async leaderlessFor(): Promise<Micros> {
    const [row] = await this.db.rows<{ since: Micros }>(
      sql`SELECT greatest(0, ${this.now()} - until) AS since FROM leases WHERE name = 'leader'`,
    );
    return row?.since ?? 0;
  }

  async #renew(): Promise<boolean> {
    const askedAt = performance.now();
    try {
      // A lease that ends later than a new one is of a time before the clock went back.
      const taken =
        await this.db.rows(sql`UPDATE leases SET holder = ${this.id}, until = ${this.now()} + ${LEASE}::bigint
        WHERE name = 'leader' AND (holder IS NULL OR holder = ${this.id}
          OR until NOT BETWEEN ${this.now()} AND ${this.now()} + ${LEASE}::bigint)
        RETURNING name`);
      // An answer that a stopped process reads later is about a lease of the past.
      this.#leads = taken.length > 0 && performance.now() - askedAt < RENEWAL_MS;
    } catch {
      // Other methods report an outage of the database.
      this.#leads = false;
    }
    this.#renewedAt = askedAt;
    return this.#leads;
  }
}
