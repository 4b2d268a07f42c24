import pg from 'pg';
import { dropConnection, type Postgres } from './database.ts';

/** The key of the advisory lock of the leader: "lead" in ASCII. */
const LOCK = 0x6c_65_61_64;

/** Interval of checks, each of which is a round trip. In between, `lead` answers at once. */
const CHECK_MS = 1_000;

/** Time for the answer to a check. */
const ANSWER_MS = 3_000;

/** Time without a check after which the server ends the session, and with it the leadership of a stopped process. */
const IDLE_MS = 5_000;

/**
 * The leadership of one process of a database: an advisory lock of a session, on a connection of its own. It is lost with
 * the connection.
 */
export class Leader {
  #client: pg.Client | null = null;
  #leads = false;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<boolean> | null = null;

  constructor(private readonly postgres: Postgres) {}

  /** Returns true while this process is the leader, and tries to become it. */
  lead(): Promise<boolean> {
    if (performance.now() - this.#checkedAt < CHECK_MS) return Promise.resolve(this.#leads);
    this.#check ??= this.#checkNow().finally(() => {
      this.#check = null;
    });
    return this.#check;
  }

  /** Checks the connection of a leader, so that the server does not end it during a long step. */
  async keepAlive(): Promise<void> {
    if (this.#client) await this.lead();
  }

  /** Gives up the leadership, so that another process can become the leader at once. */
  async resign(): Promise<void> {
    await this.#check;
    const client = this.#client;
    this.#drop(client);
    await client?.end().catch(() => {});
  }

  async #checkNow(): Promise<boolean> {
    let client = this.#client;
    try {
      client ??= await this.#open();
      this.#leads = await this.#ask(client);
    } catch {
      // Other methods report an outage of the database.
      this.#drop(client);
      dropConnection(client);
    }
    this.#checkedAt = performance.now();
    return this.#leads;
  }

  async #ask(client: pg.Client): Promise<boolean> {
    const timer = setTimeout(() => dropConnection(client), ANSWER_MS);
    try {
      if (this.#leads) await client.query('SELECT 1');
      else {
        const { rows } = await client.query<{ leads: boolean }>('SELECT pg_try_advisory_lock($1) AS leads', [LOCK]);
        return rows[0]?.leads === true;
      }
      return this.#client === client;
    } finally {
      clearTimeout(timer);
    }
  }

  async #open(): Promise<pg.Client> {
    const client = new pg.Client(this.postgres.pool.options);
    const forget = () => this.#drop(client);
    // Without a listener the loss of the connection would end the process.
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      await client.query(`SET idle_session_timeout = ${IDLE_MS}`);
    } catch (error) {
      dropConnection(client);
      throw error;
    }
    this.#client = client;
    return client;
  }

  #drop(client: pg.Client | null): void {
    if (this.#client !== client) return;
    this.#client = null;
    this.#leads = false;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }
}
