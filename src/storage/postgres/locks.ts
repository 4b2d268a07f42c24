import pg from 'pg';
import { toAppError } from './errors.ts';

/** Keys of advisory locks: "serv" and "keys" in ASCII. */
const KEYS = { server: 0x73_65_72_76, keys: 0x6b_65_79_73 } as const;

/**
 * Takes a lock of the database for a command; null if another one has it, or for `server` while a process serves the
 * database. None can start to serve meanwhile. The lock is lost with its connection.
 */
export async function takeDatabaseLock(url: string, name: keyof typeof KEYS) {
  const client = new pg.Client({ connectionString: url, keepAlive: true, application_name: 'formstead' });
  // Without a listener the loss of the connection would end the process.
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [KEYS[name]]);
    const isFree = rows[0]?.taken === true && !(name === 'server' && (await isServed(client)));
    if (isFree) return { release: () => client.end() };
    await client.end();
    return null;
  } catch (error) {
    await client.end().catch(() => {});
    throw toAppError(error);
  }
}

/** Forgets dead processes first. Records that one of them sealed under an earlier key are refused from then on. */
async function isServed(client: pg.Client): Promise<boolean> {
  await client.query(FORGET_DEAD);
  return ((await client.query('SELECT 1 FROM instances LIMIT 1')).rowCount ?? 0) > 0;
}

/** SQL that forgets processes without a beat for 5 s by the clock of the database. */
const FORGET_DEAD =
  'DELETE FROM instances WHERE seen_at < (extract(epoch FROM clock_timestamp()) * 1000000)::bigint - 5000000';

/** SQL that waits in a transaction while a command has the lock `server`. */
export const AWAIT_SERVER_LOCK = `SELECT pg_advisory_xact_lock_shared(${KEYS.server})`;
