import { statSync } from 'node:fs';
import { MAIL_STATES, type MailState } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import { checkIntegrity, type Drizzle } from './database.ts';
import { type StoreUnits, unitOfWork } from './units.ts';

// Counts by form and team along an index, so that sent mails of the last days are not scanned.
const mailsOf = (owner: 'form' | 'team') =>
  `SELECT 1 FROM ${owner}s CROSS JOIN outbox INDEXED BY mails_of_${owner}
   WHERE outbox.${owner}_id = ${owner}s.id AND outbox.state = ?1`;

export const COUNT_MAILS = `SELECT count(*) AS count FROM (${mailsOf('form')} UNION ALL ${mailsOf('team')} LIMIT ?2)`;

export const DATABASE_STATS = `SELECT
  (SELECT due_at FROM outbox WHERE state IN ('queued', 'retrying') AND webhook_id IS NULL ORDER BY due_at LIMIT 1) AS nextDueAt,
  (SELECT seq FROM sqlite_sequence WHERE name = 'submissions') AS lastCreatedAt,
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS databaseBytes,
  (SELECT max(name) FROM migrations) AS schema,
  'SQLite ' || sqlite_version() AS engine`;

type DatabaseStats = Readonly<{
  nextDueAt: Micros | null;
  lastCreatedAt: Micros | null;
  databaseBytes: number;
  schema: string;
  engine: string;
}>;

/**
 * Creates the store methods about the database as a whole. Statements are prepared on first use to keep starts fast.
 */
export function statsStore(db: Drizzle) {
  const { $client } = db;
  return {
    readStats: (maxMails) => {
      const count = $client.query<{ count: number }, [state: MailState, maxMails: number]>(COUNT_MAILS);
      return {
        ...($client.query<DatabaseStats, []>(DATABASE_STATS).get() as DatabaseStats),
        mails: MAIL_STATES.map((state) => [state, count.get(state, maxMails)?.count ?? 0] as const),
        logBytes: statSync(`${$client.filename}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      };
    },

    checkIntegrity: () => checkIntegrity(db),
  } satisfies Partial<StoreUnits>;
}

/** Time that a probe waits for another writer. */
const PROBE_WAIT_MS = 5_000;

/** Creates the store method that tries a write. */
export function probeStore({ $client }: Drizzle): Pick<Store, 'probe'> {
  // An unused setting. Writing it syncs a page even if its value does not change.
  return { probe: () => unitOfWork(() => void $client.run('PRAGMA user_version = 0'), PROBE_WAIT_MS) };
}
