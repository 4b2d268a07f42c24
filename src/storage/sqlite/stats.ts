import { statSync } from 'node:fs';
import { MAIL_STATES, type MailState } from '../../domain/mail.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Store, TeamStats } from '../store.ts';
import { checkIntegrity, type Drizzle } from './database.ts';
import { LIVE, newestLive } from './live-submissions.ts';
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

const FORMS_OF_TEAM =
  'workspaces w JOIN forms f ON f.workspace_id = w.id WHERE w.team_id = t.id AND f.trashed_at IS NULL';

// Submissions are counted by day, and the last one of each form is read from an index.
const TEAM_STATS = `SELECT t.id, t.name, t.plan, t.created_at AS createdAt,
  (SELECT count(*) FROM ${FORMS_OF_TEAM}) AS forms,
  (SELECT coalesce(sum((SELECT sum(genuine + spam) FROM form_days WHERE form_id = f.id)), 0) FROM ${FORMS_OF_TEAM})
    AS submissions,
  coalesce((SELECT bytes FROM team_storage WHERE team_id = t.id), 0) AS bytes,
  nullif(max(
    coalesce((SELECT max(${newestLive(LIVE, 'f.id')}) FROM ${FORMS_OF_TEAM}), 0),
    coalesce((SELECT at FROM audit INDEXED BY audit_of_team WHERE team_id = t.id ORDER BY id DESC LIMIT 1), 0)
  ), 0) AS lastActivity
  FROM teams t ORDER BY t.created_at, t.id`;

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

    listTeamStats: () => $client.query<TeamStats, []>(TEAM_STATS).all(),

    checkIntegrity: () => checkIntegrity(db),

    // The settings of SQLite were checked when the database was opened.
    readDurability: () => ({ machines: 1, says: 'acknowledged means on 1 machine', faults: [], isRefusing: false }),
  } satisfies Partial<StoreUnits>;
}

/** Time that a probe waits for another writer. */
const PROBE_WAIT_MS = 5_000;

/** Creates the store method that tries a write. */
export function probeStore({ $client }: Drizzle): Pick<Store, 'probe'> {
  // An unused setting. Writing it syncs a page even if its value does not change.
  return { probe: () => unitOfWork(() => void $client.run('PRAGMA user_version = 0'), PROBE_WAIT_MS) };
}
