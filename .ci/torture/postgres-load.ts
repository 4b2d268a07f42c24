import { LASTING } from '../../src/storage/counters.ts';
import { withClient } from '../../test/support/postgres.ts';
import { startWorker } from '../../test/support/postgres-place.ts';

type Worker = ReturnType<typeof startWorker>;

/** Processes that post to a database. Records each post that they report as acknowledged. */
export class PostgresLoad {
  readonly acknowledged = new Set<string>();
  /** Outcomes of posts other than acknowledgments. */
  readonly others = new Map<string, number>();
  /** Processes that have reported nothing yet are not counted. */
  readonly #working = new Set<Worker>();
  readonly #workers: Worker[] = [];
  readonly #readers = new Set<Promise<void>>();

  /** The plan `numbered` of the database allows `limit` submissions; 0 for any number. */
  constructor(
    private readonly url: string,
    private readonly limit = 0,
  ) {}

  get size(): number {
    return this.acknowledged.size;
  }

  /** The number of processes that have posted. */
  get working(): number {
    return this.#working.size;
  }

  start(): void {
    const worker = startWorker(this.url, 'load', this.limit);
    this.#workers.push(worker);
    const reader = this.#read(worker).finally(() => this.#readers.delete(reader));
    this.#readers.add(reader);
  }

  /** Kills the process that has run the longest. */
  async killOne(): Promise<void> {
    const worker = this.#workers.shift();
    if (!worker) throw new Error('no process is left to kill');
    worker.kill('SIGKILL');
    await worker.exited;
    this.#working.delete(worker);
  }

  /** Kills all processes and reads what they reported before. */
  async stop(): Promise<void> {
    while (this.#workers.length > 0) await this.killOne();
    await this.ended();
  }

  /** Resolves when all processes have ended by themselves. */
  async ended(): Promise<void> {
    await Promise.all(this.#readers);
  }

  async #read(worker: Worker): Promise<void> {
    let text = '';
    for await (const chunk of worker.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (text + chunk).split('\n');
      // A killed process may have written half a line.
      text = lines.pop() ?? '';
      for (const line of lines) this.#record(JSON.parse(line));
      this.#working.add(worker);
    }
  }

  #record({ key, outcome }: { key: string; outcome: string }): void {
    if (outcome === 'stored' || outcome === 'replayed') this.acknowledged.add(key);
    else this.others.set(outcome, (this.others.get(outcome) ?? 0) + 1);
  }
}

/** Rows of a database after a load, and acknowledged posts that are missing. */
export type Comparison = Readonly<{ rows: number; lost: number; faults: readonly string[] }>;

/** Compares the rows of a database, matched by post, and its counters with what was acknowledged. */
export async function compareRows(url: string, acknowledged: ReadonlySet<string>): Promise<Comparison> {
  const { rows, counts } = await withClient(url, async (client) => {
    // What killed processes sent last may commit between two snapshots.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    return {
      rows: (await client.query<{ key: string }>(`SELECT convert_from(payload, 'UTF8') AS key FROM submissions`)).rows,
      counts: (
        await client.query<Record<string, number>>(`SELECT 
        (SELECT sum(amount)::int FROM counters JOIN teams t ON t.id = owner WHERE until < ${LASTING}) AS used,
        (SELECT sum(amount)::int FROM counters JOIN forms f ON f.id = owner) AS days, (SELECT count(*)::int FROM idempotency_keys) AS keys,
        (SELECT (amount / 36)::int FROM counters JOIN teams t ON t.id = owner WHERE until = ${LASTING}) AS bytes,
        (SELECT count(*)::int FROM submissions s, counters c
          WHERE c.owner = 'clock' AND s.created_at > c.amount) AS later`)
      ).rows[0],
    };
  });
  const stored = new Set(rows.map(({ key }) => key));
  const lost = acknowledged.difference(stored).size;
  const faults: string[] = [];
  if (stored.size !== rows.length) faults.push(`${rows.length - stored.size} posts are stored twice`);
  for (const [what, count] of Object.entries(counts ?? {})) {
    const expected = what === 'later' ? 0 : rows.length;
    if (count !== expected) faults.push(`${what}: ${count} instead of ${expected}`);
  }
  return { rows: rows.length, lost, faults };
}
