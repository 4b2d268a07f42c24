import type { Database } from 'bun:sqlite';
import { and, asc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { INBOX_VIEWS, type InboxPage, type InboxSelection } from '../../domain/inbox.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { FIRST, type Folder, GENUINE, LAST, LIVE, liveQuery, type Span } from './live-submissions.ts';
import { IS_MAIL, toMail } from './outbox.ts';
import { outbox, submissions } from './schema.ts';
import { spamMarkWriters } from './spam-marks.ts';
import { type StoreUnits, transaction } from './units.ts';

type Part = InboxSelection['part'];

/** The folders of each part of the inbox, or its index and condition. Parameters are numbered as in `liveQuery`. */
const SOURCE_OF = {
  all: LIVE,
  inbox: GENUINE,
  unread: ['unread'],
  spam: ['spam'],
  starred: { index: 'starred_of_form', condition: 'is_starred = 1 AND trashed_at IS NULL' },
  assigned: { index: 'assigned_submissions', condition: 'assigned_to = ?5 AND trashed_at IS NULL' },
  maybe: { index: 'maybe_spam_of_form', condition: 'is_maybe_spam = 1 AND trashed_at IS NULL' },
  trash: { index: 'trash_of_form', condition: 'trashed_at IS NOT NULL' },
} as const satisfies Record<Part, readonly Folder[] | Readonly<{ index: string; condition: string }>>;

const PARTS: readonly Part[] = ['all', ...INBOX_VIEWS];

type Row = typeof submissions.$inferSelect;
type Args = [...Span, ...assignee: string[]];

/** Creates the store methods for the dashboard's inbox, which lists submissions of several forms by creation time. */
export function inboxStore(db: Drizzle, clock: Clock) {
  const { $client } = db;
  const { writeMark, withdrawMark } = spamMarkWriters(db, clock);
  const queriesOf = new Map(PARTS.map((part) => [part, inboxQueries($client, part)] as const));
  const queries = (part: Part) => queriesOf.get(part) ?? inboxQueries($client, part);
  const idAt = $client.query<{ id: string }, [at: Micros]>('SELECT id FROM submissions WHERE created_at = ?');
  const atTime = db
    .select()
    .from(submissions)
    .where(eq(submissions.createdAt, sql.placeholder('at')))
    .prepare();
  /** Changes those submissions of a team outside trashed forms that meet the condition. Returns their ids. */
  const change = (ids: readonly string[], teamId: string, values: Partial<Row>, condition: SQL | undefined) =>
    db
      .update(submissions)
      .set(values)
      // The unary plus makes SQLite search by id instead of by form.
      .where(
        and(
          sql`id IN (SELECT value FROM json_each(${JSON.stringify(ids)})) AND +form_id IN (
                SELECT f.id FROM forms f JOIN workspaces w ON w.id = f.workspace_id
                WHERE w.team_id = ${teamId} AND f.trashed_at IS NULL)`,
          condition,
        ),
      )
      .returning({ id: submissions.id })
      .all()
      .map(({ id }) => id);
  const { leasedUntil: _, fence: __, addressee: ___, ...columns } = getTableColumns(outbox);

  /** Merges the forms' times. Once the page is full, each further form is only read up to the farthest time on it. */
  const listTimes = (selection: InboxSelection, page: InboxPage): Micros[] => {
    const { formIds, part, from, until } = selection;
    const { limit } = page;
    const isAscending = 'after' in page;
    let above = Math.max(isAscending ? page.after : Number.MIN_SAFE_INTEGER, (from ?? 0) - 1);
    let below = Math.min(isAscending ? Number.MAX_SAFE_INTEGER : page.before, until ?? Number.MAX_SAFE_INTEGER);
    let nearest: Micros[] = [];
    for (const formId of formIds) {
      const query = isAscending ? queries(part).oldest : queries(part).newest;
      const times = query.values(...argsOf(selection, [formId, above, below, limit])) as Array<[Micros]>;
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

    countInbox: (selection, max) => {
      const { formIds, part, from, until } = selection;
      const above = (from ?? 0) - 1;
      const below = until ?? Number.MAX_SAFE_INTEGER;
      let count = 0;
      for (const formId of formIds) {
        if (count >= max) break;
        const args = argsOf(selection, [formId, above, below, max - count]);
        count += queries(part).count.get(...args)?.total ?? 0;
      }
      return count;
    },

    findIdsAt: (times) => times.map((at) => idAt.get(at)?.id).filter((id) => id !== undefined),

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
        count += queries('unread').count.get(formId, FIRST, LAST, max - count)?.total ?? 0;
      }
      return count;
    },

    markRead: (ids, teamId, at) =>
      change(ids, teamId, { readAt: at }, at === null ? isNotNull(submissions.readAt) : isNull(submissions.readAt)),

    setStarred: (ids, teamId, isStarred) =>
      change(ids, teamId, { isStarred }, and(eq(submissions.isStarred, !isStarred), isNull(submissions.trashedAt))),

    markSpam: (ids, teamId) =>
      transaction(db, () => {
        const isGenuine = and(eq(submissions.isSpam, false), isNull(submissions.trashedAt));
        const marked = change(ids, teamId, { isSpam: true, isMaybeSpam: false }, isGenuine);
        for (const id of marked) {
          const found = db.select().from(submissions).where(eq(submissions.id, id)).get();
          if (found) writeMark(found, true);
        }
        return marked;
      }),

    restoreMaybeSpam: (ids, teamId) =>
      transaction(db, () => {
        const hasReasons = and(isNotNull(submissions.spamReasons), isNull(submissions.trashedAt));
        const restored = change(ids, teamId, { isSpam: false, isMaybeSpam: true }, hasReasons);
        for (const id of restored) withdrawMark(id);
        return restored;
      }),

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

function inboxQueries(client: Database, part: Part) {
  const source = SOURCE_OF[part];
  const times = (order: 'ASC' | 'DESC') =>
    'index' in source
      ? `SELECT created_at FROM submissions INDEXED BY ${source.index}
         WHERE form_id = ?1 AND ${source.condition} AND created_at > ?2 AND created_at < ?3
         ORDER BY created_at ${order} LIMIT ?4`
      : liveQuery(source, order);
  return {
    newest: client.query<{ created_at: Micros }, Args>(times('DESC')),
    oldest: client.query<{ created_at: Micros }, Args>(times('ASC')),
    count: client.query<{ total: number }, Args>(`SELECT count(*) AS total FROM (${times('ASC')})`),
  };
}

/** Returns the parameters of a query of `inboxQueries`. */
function argsOf({ part, userId }: InboxSelection, span: Span): Args {
  return part === 'assigned' ? [...span, userId ?? ''] : span;
}
