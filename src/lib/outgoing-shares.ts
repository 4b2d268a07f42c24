/** What an outgoing request is for. */
export type Purpose = keyof typeof SHARES;

/**
 * Concurrent requests by purpose: in all, and for one team. The runtime's limit is 256 of a process; the bucket takes the
 * rest. Deliveries keep to theirs by their lanes.
 */
const SHARES = {
  challenge: { all: 128, team: 32 },
  delivery: { all: 64, team: 8 },
  test: { all: 4, team: 1 },
  page: { all: 4, team: 1 },
  sign_in: { all: 8, team: 8 },
  import: { all: 8, team: 8 },
} as const;

/** A request beyond the share of its purpose or team. */
export class ShareExhaustedError extends Error {
  constructor(readonly purpose: Purpose) {
    super(`too many requests of the kind "${purpose}" are waiting`);
  }
}

/** Shares of the requests that a process may have under way, so that one team's slow endpoints leave room for the others. */
export class OutgoingShares {
  readonly #running = new Map<string, number>();

  /** Runs a task that sends requests one after another. Throws `ShareExhaustedError` at once beyond a share. */
  async run<T>(purpose: Purpose, teamId: string, task: () => Promise<T>): Promise<T> {
    const { all, team } = SHARES[purpose];
    const ofTeam = `${purpose} ${teamId}`;
    if (this.#count(purpose) >= all || this.#count(ofTeam) >= team) throw new ShareExhaustedError(purpose);
    for (const name of [purpose, ofTeam]) this.#running.set(name, this.#count(name) + 1);
    try {
      return await task();
    } finally {
      for (const name of [purpose, ofTeam]) {
        if (this.#count(name) > 1) this.#running.set(name, this.#count(name) - 1);
        else this.#running.delete(name);
      }
    }
  }

  #count(name: string): number {
    return this.#running.get(name) ?? 0;
  }
}
