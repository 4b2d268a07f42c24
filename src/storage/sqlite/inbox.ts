import type { Database } from 'bun:sqlite';
import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { InboxPage, InboxSelection, InboxView } from '../../domain/inbox.ts';
import type { Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { IS_MAIL, toMail } from './outbox.ts';
import { outbox, submissions } from './schema.ts';
import type { StoreUnits } from './units.ts';

/** The partial index of each part of the inbox, and its condition. */
const INDEX_OF = {
  inbox: ['genuine_of_form', 'is_spam = 0 AND trashed_at IS NULL'],
  unread: ['unread_of_form', 'is_spam = 0 AND read_at IS NULL AND trashed_at IS NULL'],
  spam: ['spam_of_form', 'is_spam = 1 AND trashed_at IS NULL'],
} as const satisfies Record<InboxView, readonly [index: string, condition: string]>;

type Span = [formId: string, above: Micros, below: Micros, limit: number];

/** Creates the store methods for the dashboard's inbox, which lists submissions of several forms by creation time. */
export function inboxStore(db: Drizzle) {
  const { $client } = db;
  const timesOf = {
    inbox: timesQueries($client, 'inbox'),
    unread: timesQueries($client, 'unread'),
    spam: timesQueries($client, 'spam'),
  };
  const unreadOfForm = $client.query<{ total: number }, [formId: string, max: number]>(
    `SELECT count(*) AS total FROM (SELECT 1 FROM submissions INDEXED BY unread_of_form
     WHERE form_id = ? AND is_spam = 0 AND read_at IS NULL AND trashed_at IS NULL LIMIT ?)`,
  );
  const idAt = $client.query<{ id: string }, [at: Micros]>('SELECT id FROM submissions WHERE created_at = ?');
  const atTime = db
    .select()
    .from(submissions)
    .where(eq(submissions.createdAt, sql.placeholder('at')))
    .prepare();
  const { leasedUntil: _, fence: __, addressee: ___, ...columns } = getTableColumns(outbox);

  /** Merges the forms' times. Once the page is full, each further form is only read up to the farthest time on it. */
  const listTimes = ({ formIds, part, from, until }: InboxSelection, page: InboxPage): Micros[] => {
    const { limit } = page;
    const isAscending = 'after' in page;
    let above = Math.max(isAscending ? page.after : Number.MIN_SAFE_INTEGER, (from ?? 0) - 1);
    let below = Math.min(isAscending ? Number.MAX_SAFE_INTEGER : page.before, until ?? Number.MAX_SAFE_INTEGER);
    let nearest: Micros[] = [];
    for (const formId of formIds) {
      const span: Span = [formId, above, below, limit];
      const times = (isAscending ? timesOf[part].oldest : timesOf[part].newest).values(...span) as Array<[Micros]>;
      if (times.length === 0) continue;
      nearest.push(...times.map(([at]) => at));
      nearest.sort(isAscending ? (a, b) => a - b : (a, b) => b - a);
      nearest = nearest.slice(0, limit);
      const last = nearest.at(-1);
      if (last === undefined || nearest.length < limit) continue;
      if (isAscending) below = last;
      else above = last;
    }
    return nearest;
  };

  return {
    listInboxTimes: (selection, page) => listTimes(selection, page),

    findInboxNeighbours: (selection, at) => {
      const idOf = ([time]: readonly Micros[]) => (time === undefined ? null : (idAt.get(time)?.id ?? null));
      return {
        newer: idOf(listTimes(selection, { after: at, limit: 1 })),
        older: idOf(listTimes(selection, { before: at, limit: 1 })),
      };
    },

    findSubmissionsAt: (times) =>
      times.map((at) => atTime.get({ at })).filter((submission) => submission !== undefined),

    countUnread: (formIds, max) => {
      let count = 0;
      for (const formId of formIds) {
        if (count >= max) break;
        count += unreadOfForm.get(formId, max - count)?.total ?? 0;
      }
      return count;
    },

    markRead: (ids, teamId, at) =>
      db
        .update(submissions)
        .set({ readAt: at === null ? null : sql`coalesce(read_at, ${at})` })
        .where(
          // The unary plus makes SQLite search by id instead of by form.
          sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND +form_id IN (
                SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id WHERE w.team_id = ${teamId})`,
        )
        .returning({ id: submissions.id })
        .all().length,

    listMailsOf: (submissionId) =>
      db
        .select(columns)
        .from(outbox)
        .where(and(eq(outbox.submissionId, submissionId), IS_MAIL))
        .orderBy(asc(outbox.id))
        .all()
        .map(toMail),
  } satisfies Partial<StoreUnits>;
}

function timesQueries(client: Database, part: InboxView) {
  const [index, condition] = INDEX_OF[part];
  const ordered = (order: 'ASC' | 'DESC') =>
    client.query<{ created_at: Micros }, Span>(
      `SELECT created_at FROM submissions INDEXED BY ${index}
       WHERE form_id = ? AND ${condition} AND created_at > ? AND created_at < ? ORDER BY created_at ${order} LIMIT ?`,
    );
  return { newest: ordered('DESC'), oldest: ordered('ASC') };
}
