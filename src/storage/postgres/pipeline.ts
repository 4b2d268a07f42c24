import pg from 'pg';
import { SetupError } from '../../domain/errors.ts';
import { unavailable } from '../unavailable.ts';
import { dropConnection, type Postgres } from './database.ts';
import { lossFault, readDurability } from './durability.ts';

/** A prepared statement. Its name belongs to its text. */
export type Statement = Readonly<{ name: string; text: string; values?: readonly unknown[] }>;

/**
 * Runs statements in one round trip and returns the rows of each. Throws the error of the first that failed; those after
 * it in a transaction failed too.
 */
export type RoundTrip = (statements: readonly Statement[]) => Promise<ReadonlyArray<readonly unknown[]>>;

const ROLLBACK: Statement = { name: 'rollback', text: 'ROLLBACK' };

/** Time for all answers of a round trip. Without it a machine that vanished would hold up its caller for minutes. */
const TRIP_TIMEOUT_MS = 10_000;

/**
 * A connection outside the pool that sends all statements of a round trip at once, for one caller at a time. It is
 * opened at the first use and replaced after it was lost. It is refused if a crash of the server could lose commits,
 * such as after a failover to a server with other settings.
 */
export class Pipeline {
  #client: pg.Client | null = null;

  constructor(private readonly postgres: Postgres) {}

  /**
   * Calls `work` with a function for the round trips of a transaction, which `work` begins and commits. All of them take
   * the same connection: on another one the statements after a lost connection would run outside the transaction.
   */
  async transaction<Result>(work: (run: RoundTrip) => Promise<Result>): Promise<Result> {
    const client = this.#client ?? (await this.#open());
    try {
      return await work((statements) => this.#run(client, statements));
    } catch (error) {
      // Ends a failed transaction, unless the connection was lost with it.
      if (this.#client === client) await this.#run(client, [ROLLBACK]).catch(() => this.#destroy(client));
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#client?.end();
  }

  /** Drops the connection with the queries in progress. */
  disconnect(): void {
    this.#destroy(this.#client);
  }

  async #run(client: pg.Client, statements: readonly Statement[]): Promise<ReadonlyArray<readonly unknown[]>> {
    if (this.#client !== client) throw new Error('Connection terminated between two round trips');
    const answers = await this.#withTimeout(client, () =>
      Promise.allSettled(statements.map((statement) => client.query(toQuery(statement)))),
    );
    const failed = answers.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
    if (failed) throw failed.reason;
    return answers.map((answer) => (answer as PromiseFulfilledResult<pg.QueryResult>).value.rows);
  }

  async #withTimeout<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => this.#destroy(client), TRIP_TIMEOUT_MS);
    try {
      return await work();
    } finally {
      clearTimeout(timer);
    }
  }

  async #open(): Promise<pg.Client> {
    const options: pg.ClientConfig & { pipeline: true } = { ...this.postgres.pool.options, pipeline: true };
    const client = new pg.Client(options);
    const forget = () => {
      if (this.#client === client) this.#client = null;
    };
    // Each query fails with the error too. Without a listener it would end the process.
    client.on('error', forget);
    client.on('end', forget);
    await client.connect();
    try {
      const fault = lossFault(await this.#withTimeout(client, () => readDurability(client)));
      if (fault !== null) throw unavailable(new SetupError(fault));
    } catch (error) {
      this.#destroy(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  /** Drops a connection, so that all its queries fail. */
  #destroy(client: pg.Client | null): void {
    if (this.#client === client) this.#client = null;
    dropConnection(client);
  }
}

const toQuery = ({ name, text, values = [] }: Statement): pg.QueryConfig => ({ name, text, values: [...values] });
