import { statSync } from 'node:fs';
import { MAIL_STATES, type MailState } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import { type Drizzle, findDamage, unitOfWork } from './database.ts';

type MeasureMethods = 'measure' | 'probe' | 'findDamage';

// Each form and each team is asked by itself, in an index: what was sent in the last days is not walked over.
const mailsOf = (owner: 'form' | 'team') =>
  `SELECT 1 FROM ${owner}s CROSS JOIN outbox INDEXED BY mails_of_${owner}
   WHERE outbox.${owner}_id = ${owner}s.id AND outbox.state = ?1`;

export const COUNT_MAILS = `SELECT count(*) AS count FROM (${mailsOf('form')} UNION ALL ${mailsOf('team')} LIMIT ?2)`;

export const FACTS = `SELECT
  (SELECT due_at FROM outbox WHERE state IN ('queued', 'retrying') ORDER BY due_at LIMIT 1) AS firstDue,
  (SELECT seq FROM sqlite_sequence WHERE name = 'submissions') AS lastCreated,
  (SELECT page_count * page_size FROM pragma_page_count, pragma_page_size) AS databaseBytes,
  (SELECT max(name) FROM migrations) AS schema,
  'SQLite ' || sqlite_version() AS engine`;

type Facts = Readonly<{
  firstDue: Micros | null;
  lastCreated: Micros | null;
  databaseBytes: number;
  schema: string;
  engine: string;
}>;

/** How things stand with the database as a whole. Its statements are made when they are first asked for: most starts never are. */
export function measureStore(db: Drizzle): Pick<Store, MeasureMethods> {
  const { $client } = db;
  return {
    measure: (most) =>
      unitOfWork(() => {
        const count = $client.query<{ count: number }, [state: MailState, most: number]>(COUNT_MAILS);
        return {
          ...($client.query<Facts, []>(FACTS).get() as Facts),
          mails: MAIL_STATES.map((state) => [state, count.get(state, most)?.count ?? 0] as const),
          logBytes: statSync(`${$client.filename}-wal`, { throwIfNoEntry: false })?.size ?? 0,
        };
      }),

    // Nothing reads this number. Setting it writes a page and syncs it, even where it stays what it is.
    probe: () =>
      unitOfWork(() => {
        $client.run('PRAGMA user_version = 0');
      }),

    findDamage: async () => findDamage(db),
  };
}
