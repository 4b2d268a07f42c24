import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { InboxPage, InboxSelection } from '../../domain/inbox.ts';
import type { StoredMail } from '../../domain/mail.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import type { Store } from '../store.ts';
import type { Db } from './database.ts';
import { formIdsOfTeam } from './forms.ts';
import { FIRST, type Folder, GENUINE, LAST, LIVE, liveQuery, type Order, type Span } from './live-submissions.ts';
import { outbox, submissions } from './schema.ts';
import { withdrawSpamMarks, writeSpamMarks } from './spam-marks.ts';
import { lockingTransaction } from './units.ts';

type Part = InboxSelection['part'];
type Row = typeof submissions.$inferSelect;

/** The folders of each part of the inbox, or the condition of its index. */
const SOURCE_OF = {
  all: LIVE,
  inbox: GENUINE,
  unread: ['unread'],
  spam: ['spam'],
  starred: sql`is_starred AND trashed_at IS NULL`,
  assigned: sql`assigned_to IS NOT NULL AND trashed_at IS NULL`,
  maybe: sql`is_maybe_spam AND trashed_at IS NULL`,
  trash: sql`trashed_at IS NOT NULL`,
} as const satisfies Record<Part, readonly Folder[] | SQL>;

/** The form of `ofForms`. */
const FORM_ID = sql.raw('f.id');

/** Creates the store methods for the dashboard's inbox, which lists submissions of several forms by creation time. */
export function inboxStore(db: Db, clock: Clock) {
  /** Changes those submissions of a team outside trashed forms that meet the condition. Returns them in this order. */
  const change = async (
    tx: Db,
    ids: readonly string[],
    teamId: string,
    values: Partial<Row>,
    condition: SQL | undefined,
  ) => {
    const changed = await tx
      .update(submissions)
      .set(values)
      .where(and(inArray(submissions.id, [...ids]), inArray(submissions.formId, formIdsOfTeam(tx, teamId)), condition))
      .returning({ id: submissions.id, formId: submissions.formId, spamReasons: submissions.spamReasons });
    return changed.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  };
  const changeAll = async (...args: [readonly string[], string, Partial<Row>, SQL | undefined]) =>
    (await change(db, ...args)).map(({ id }) => id);
  const count = async (selection: InboxSelection, max: number) => {
    const times = ofForms(selection, 'ASC', { ...boundsOf(selection), limit: max });
    const { rows } = await db.execute<{ total: number }>(sql`SELECT count(*) AS total FROM (${times}) AS counted`);
    return rows[0]?.total ?? 0;
  };
  const { leasedUntil: _, fence: __, addressee: ___, ...columns } = getTableColumns(outbox);

  return {
    listInboxTimes: async (selection, page) => {
      const { rows } = await db.execute<{ created_at: Micros }>(timesQuery(selection, page));
      return rows.map(({ created_at }) => created_at);
    },

    countInbox: count,

    findIdsAt: async (times) => {
      const { rows } = await db.execute<{ id: string }>(sql`
        SELECT s.id FROM unnest(${sql.param([...times])}::bigint[]) WITH ORDINALITY AS wanted(at, place)
        JOIN submissions s ON s.created_at = wanted.at ORDER BY place`);
      return rows.map(({ id }) => id);
    },

    findInboxNeighbours: async (selection, at) => {
      const idAt = (page: InboxPage) =>
        sql`(SELECT id FROM submissions WHERE created_at = (${timesQuery(selection, page)}))`;
      const { rows } = await db.execute<{ newer: string | null; older: string | null }>(
        sql`SELECT ${idAt({ after: at, limit: 1 })} AS newer, ${idAt({ before: at, limit: 1 })} AS older`,
      );
      return rows[0] ?? { newer: null, older: null };
    },

    findSubmissionsAt: async (times) => {
      const rows = await db
        .select()
        .from(submissions)
        .where(inArray(submissions.createdAt, [...times]));
      const found = new Map(rows.map((row) => [row.createdAt, row]));
      return times.map((at) => found.get(at)).filter((submission) => submission !== undefined);
    },

    countUnread: (formIds, max) => count({ formIds, part: 'unread', from: null, until: null }, max),

    markRead: (ids, teamId, at) =>
      changeAll(ids, teamId, { readAt: at }, at === null ? isNotNull(submissions.readAt) : isNull(submissions.readAt)),

    setStarred: (ids, teamId, isStarred) =>
      changeAll(ids, teamId, { isStarred }, and(eq(submissions.isStarred, !isStarred), isNull(submissions.trashedAt))),

    markSpam: (ids, teamId) =>
      lockingTransaction(db, async (tx) => {
        const isGenuine = and(eq(submissions.isSpam, false), isNull(submissions.trashedAt));
        const marked = await change(tx, ids, teamId, { isSpam: true, isMaybeSpam: false }, isGenuine);
        await writeSpamMarks(tx, marked, true, clock());
        return marked.map(({ id }) => id);
      }),

    restoreMaybeSpam: (ids, teamId) =>
      lockingTransaction(db, async (tx) => {
        const hasReasons = and(isNotNull(submissions.spamReasons), isNull(submissions.trashedAt));
        const restored = (await change(tx, ids, teamId, { isSpam: false, isMaybeSpam: true }, hasReasons)).map(
          ({ id }) => id,
        );
        await withdrawSpamMarks(tx, restored);
        return restored;
      }),

    listMailsOf: async (submissionId) => {
      const isMail = and(eq(outbox.submissionId, submissionId), isNull(outbox.webhookId));
      const rows = await db.select(columns).from(outbox).where(isMail).orderBy(asc(outbox.id));
      // Each row is written with the columns of its kind only.
      return rows as StoredMail[];
    },
  } satisfies Partial<Store>;
}

function timesQuery(selection: InboxSelection, page: InboxPage): SQL {
  const { above, below } = boundsOf(selection);
  return 'after' in page
    ? ofForms(selection, 'ASC', { above: Math.max(above, page.after), below, limit: page.limit })
    : ofForms(selection, 'DESC', { above, below: Math.min(below, page.before), limit: page.limit });
}

function boundsOf({ from, until }: InboxSelection) {
  return { above: from === null ? FIRST : from - 1, below: until ?? LAST };
}

/** Returns SQL for the creation times of a selection. It reads at most `limit` rows of the index for each form and folder. */
function ofForms({ formIds, part, userId }: InboxSelection, order: Order, bounds: Omit<Span, 'formId'>): SQL {
  const { above, below, limit } = bounds;
  const source = SOURCE_OF[part];
  const direction = sql.raw(order);
  const assignee = part === 'assigned' ? sql`AND assigned_to = ${userId ?? ''}` : sql``;
  const ofForm = Array.isArray(source)
    ? liveQuery(source, order, { ...bounds, formId: FORM_ID })
    : sql`SELECT created_at FROM submissions WHERE form_id = ${FORM_ID} AND ${source} ${assignee}
        AND created_at > ${above} AND created_at < ${below} ORDER BY created_at ${direction} LIMIT ${limit}`;
  return sql`SELECT times.created_at FROM unnest(${sql.param([...formIds])}::text[]) AS f(id)
    CROSS JOIN LATERAL (${ofForm}) AS times ORDER BY times.created_at ${direction} LIMIT ${limit}`;
}
