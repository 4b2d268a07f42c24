import pg from 'pg';
import { SetupError } from '../../domain/errors.ts';
import type { Db } from '../database.ts';
import { toDb } from './units.ts';

/** An open database: the pool, and Drizzle on top of it. */
export type Postgres = Readonly<{ pool: pg.Pool; db: Db }>;

// Times are below 2^53, so bigint values arrive as numbers, also outside the columns that Drizzle maps.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Columns parse their JSON.
pg.types.setTypeParser(pg.types.builtins.JSON, String);

const SECOND = 1_000;

/** Limits of each connection, in milliseconds. The server ends a transaction whose process was stopped. */
export const LIMITS = {
  statement_timeout: 30 * SECOND,
  lock_timeout: 5 * SECOND,
  idle_in_transaction_session_timeout: 2 * SECOND,
};

/** Time to wait for a connection: for a new one, and for a free one of the pool. */
const CONNECT_TIMEOUT_MS = 5 * SECOND;

/** Opens a pool of connections. Throws `SetupError` if the server cannot be reached or refuses the account. */
export async function connect(url: string): Promise<Postgres> {
  let pool: pg.Pool | null = null;
  try {
    // Reads the file of sslrootcert.
    pool = openPool(url);
    (await pool.connect()).release();
  } catch (error) {
    await pool?.end();
    // Without a message if a name has several addresses, of which none answers.
    const { message, code = '' } = error as Error & { code?: string };
    const reason = message || code;
    const [, remedy] = REMEDIES.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? ['', CHECK_URL];
    throw new SetupError(`cannot connect to the database in DATABASE_URL: ${reason}. ${remedy}`);
  }
  return { pool, db: toDb(pool) };
}

const CHECK_URL = 'Check the server and DATABASE_URL.';

/** Remedies by the code and message of a failed connection. */
const REMEDIES: ReadonlyArray<readonly [pattern: RegExp, remedy: string]> = [
  [
    /^(\w*SELF_SIGNED_CERT|UNABLE_TO_|CERT_)/,
    'Its certificate is not from a public CA: add sslrootcert=/path/ca.crt to DATABASE_URL, beside sslmode=verify-full, or set NODE_EXTRA_CA_CERTS.',
  ],
  [/^ERR_TLS_CERT_ALTNAME/, 'Use the host that its certificate names in DATABASE_URL.'],
  [/no encryption|SSL off|SSL.*required/i, 'The server wants TLS: add sslmode=verify-full to DATABASE_URL.'],
  [/does not support SSL/, 'Set ssl to on in PostgreSQL, or use sslmode=disable if nobody can listen in between.'],
  [
    /unsupported startup parameter/,
    `There is a pooler in DATABASE_URL. Set ignore_startup_parameters = ${Object.keys(LIMITS).join(', ')} in the pooler, and these limits for the account in PostgreSQL.`,
  ],
];

/** Opens a pool. A lost connection fails the query that uses it; an idle one is replaced. */
function openPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    ...LIMITS,
    max: 10,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'formstead',
  });
  pool.on('error', () => {});
  // A connection that is lost between two statements of a transaction has no other listener, and would end the process.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Drops a connection at once, so that its queries in progress fail. `end` of the driver would wait for them. */
export function dropConnection(client: pg.Client | null): void {
  (client as unknown as { connection: pg.Connection } | null)?.connection.stream.destroy();
}
