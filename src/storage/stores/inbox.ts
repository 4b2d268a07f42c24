import { and, asc, count, eq, getTableColumns, inArray, isNotNull, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { StoredMail } from '../../domain/mail/mail.ts';
import type { FormLayout, InboxPage, InboxSelection, InboxViewRecord } from '../../domain/submissions/inbox.ts';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Clock, Micros } from '../../lib/clock.ts';
import { countRows, type Db, deleteRows, firstRow, hint, upsert } from '../database.ts';
import { inboxLayouts, inboxViews, outbox, submissions } from '../schema.ts';
import { isInFormOf } from './forms.ts';
import * as live from './live-submissions.ts';
import { IS_MAIL, IS_UNWANTED, requeueUnwanted } from './outbox.ts';
import { withdrawSpamMarks, writeSpamMarks } from './spam-models.ts';

type Part = InboxSelection['part'];
type Row = typeof submissions.$inferSelect;

/** The folders of each part of the inbox, or its index and condition. */
const SOURCE_OF = {
  all: live.LIVE,
  inbox: live.GENUINE,
  unread: ['unread'],
  spam: ['spam'],
  unconfirmed: ['unconfirmed'],
  starred: { index: 'starred_of_form', condition: sql`is_starred AND trashed_at IS NULL AND ${live.IS_CONFIRMED}` },
  assigned: {
    index: 'assigned_submissions',
    condition: sql`assigned_to IS NOT NULL AND trashed_at IS NULL AND ${live.IS_CONFIRMED}`,
  },
  maybe: { index: 'maybe_spam_of_form', condition: sql`is_maybe_spam AND trashed_at IS NULL AND ${live.IS_CONFIRMED}` },
  trash: { index: 'trash_of_form', condition: sql`trashed_at IS NOT NULL` },
} as const satisfies Record<Part, readonly live.Folder[] | Readonly<{ index: string; condition: SQL }>>;

type Bounds = Omit<live.Span, 'form'>;

export function inboxStore(db: Db, clock: Clock) {
  /** Changes those confirmed submissions of a team outside trashed forms that meet the condition, and returns them in order. */
  const change = async (tx: Db, ids: readonly string[], teamId: string, values: Partial<Row>, condition?: SQL) => {
    const { id, spamReasons } = submissions;
    const isChanged = and(live.hasId(...ids), isInFormOf(tx, teamId, 'live'), live.IS_CONFIRMED, condition);
    const query = tx.update(submissions).set(values).where(isChanged);
    const changed = await query.returning({ id, formId: live.FORM_ID, spamReasons });
    return changed.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  };
  const changeAll = async (...args: [readonly string[], string, Partial<Row>, SQL | undefined]) =>
    (await change(db, ...args)).map(({ id }) => id);
  /** Returns SQL for the times of all forms. For PostgreSQL, where each further query would be a round trip. */
  const ofForms = (selection: InboxSelection, order: live.Order, bounds: Bounds) => sql`
    SELECT times.created_at FROM forms f
    CROSS JOIN LATERAL (${timesQuery(db, selection, sql.raw('f.key'), order, bounds)}) AS times
    WHERE f.id = ANY(${sql.param([...selection.formIds])}::text[]) ORDER BY times.created_at ${live.ORDERS[order]} LIMIT ${bounds.limit}`;

  const listTimes = async (selection: InboxSelection, order: live.Order, bounds: Bounds): Promise<Micros[]> => {
    if (db.engine === 'postgres') return live.timesOf(db, ofForms(selection, order, bounds));
    const { limit } = bounds;
    const { part, userId = '' } = selection;
    let { above, below } = bounds;
    let nearest: Micros[] = [];
    // Once the page is full, each further form is only read up to the farthest time on it.
    for (const form of selection.formIds) {
      const values = { userId, form, above, below, limit };
      const rows = await db.hotRows<{ created_at: Micros }, typeof values>(`inbox_${part}_${order}`, values, (span) =>
        timesQuery(db, { part, userId: span.userId }, span.form, order, span),
      );
      if (rows.length === 0) continue;
      const times = rows.map((row) => row.created_at);
      nearest = [...nearest, ...times].sort(order === 'ASC' ? (a, b) => a - b : (a, b) => b - a).slice(0, limit);
      const last = nearest.at(-1);
      if (last === undefined || nearest.length < limit) continue;
      if (order === 'ASC') below = last;
      else above = last;
    }
    return nearest;
  };
  const listPage = (selection: InboxSelection, page: InboxPage): Promise<Micros[]> => {
    const { above, below } = getBounds(selection);
    return 'after' in page
      ? listTimes(selection, 'ASC', { above: Math.max(above, page.after), below, limit: page.limit })
      : listTimes(selection, 'DESC', { above, below: Math.min(below, page.before), limit: page.limit });
  };
  const count = async (selection: InboxSelection, max: number): Promise<number> => {
    const bounds = { ...getBounds(selection), limit: max };
    if (db.engine === 'postgres') return countRows(db, ofForms(selection, 'ASC', bounds));
    let total = 0;
    for (const formId of selection.formIds) {
      if (total >= max) break;
      total += await countRows(db, timesQuery(db, selection, formId, 'ASC', { ...bounds, limit: max - total }));
    }
    return total;
  };
  const findIdAt = async (at: Micros | undefined): Promise<string | null> => {
    if (at === undefined) return null;
    const [row] = await db.select({ id: submissions.id }).from(submissions).where(eq(submissions.createdAt, at));
    return row?.id ?? null;
  };
  const { leasedUntil: _, fence: __, addressee: ___, ...columns } = getTableColumns(outbox);

  return {
    /** Lists the creation times of a selection, in constant time per form. */
    listTimes: listPage,

    /** Counts the submissions of a selection, up to `max`. */
    count,

    /** Returns the ids of the submissions of any team created at these times, in this order, without their payloads. */
    findIdsAt: async (times: readonly Micros[]): Promise<string[]> => {
      const { id, createdAt } = submissions;
      const isThen = inArray(createdAt, [...times]);
      const rows = await db.select({ id, createdAt }).from(submissions).where(isThen);
      const idAt = new Map(rows.map((row) => [row.createdAt, row.id]));
      return times.map((at) => idAt.get(at)).filter((id) => id !== undefined);
    },

    /** Returns the ids of the next newer and next older submission of a selection around a time. */
    findNeighbours: async (selection: InboxSelection, at: Micros) => {
      const [newer] = await listPage(selection, { after: at, limit: 1 });
      const [older] = await listPage(selection, { before: at, limit: 1 });
      return { newer: await findIdAt(newer), older: await findIdAt(older) };
    },

    /** Returns the submissions of any team created at these times, in this order, without those deleted meanwhile. */
    findSubmissionsAt: async (times: readonly Micros[]): Promise<StoredSubmission[]> => {
      const rows = await live.submissionsAt(db, times, 'DESC');
      const found = new Map(rows.map((row) => [row.createdAt, row]));
      return times.map((at) => found.get(at)).filter((submission) => submission !== undefined);
    },

    /** Counts the unread submissions of these forms without spam, up to `max`. */
    countUnread: (formIds: readonly string[], max: number): Promise<number> =>
      count({ formIds, part: 'unread', from: null, until: null }, max),

    /** Marks submissions of a team as read at `at`, or as unread with null. Returns the ids of those that changed. */
    markRead: (ids: readonly string[], teamId: string, at: Micros | null): Promise<string[]> =>
      changeAll(ids, teamId, { readAt: at }, at === null ? isNotNull(submissions.readAt) : isNull(submissions.readAt)),

    /** Adds stars to submissions of a team, or removes them. Returns the ids of those that changed. */
    setStarred: (ids: readonly string[], teamId: string, isStarred: boolean): Promise<string[]> =>
      changeAll(ids, teamId, { isStarred }, and(eq(submissions.isStarred, !isStarred), isNull(submissions.trashedAt))),

    /** Marks genuine submissions of a team as spam. Returns the ids of those that changed. */
    markSpam: (ids: readonly string[], teamId: string): Promise<string[]> =>
      db.lockingTransaction(async (tx) => {
        const isGenuine = and(eq(submissions.isSpam, false), isNull(submissions.trashedAt));
        const marked = await change(tx, ids, teamId, { isSpam: true, isMaybeSpam: false }, isGenuine);
        await writeSpamMarks(tx, marked, true, clock());
        return marked.map(({ id }) => id);
      }),

    /** Makes submissions that have spam reasons possible spam again, and withdraws their marks. Returns the ids. */
    restoreMaybeSpam: (ids: readonly string[], teamId: string): Promise<string[]> =>
      db.lockingTransaction(async (tx) => {
        const hasReasons = and(isNotNull(submissions.spamReasons), isNull(submissions.trashedAt));
        const changed = await change(tx, ids, teamId, { isSpam: false, isMaybeSpam: true }, hasReasons);
        const restored = changed.map(({ id }) => id);
        await withdrawSpamMarks(tx, restored);
        await requeueUnwanted(tx, restored, clock());
        return restored;
      }),

    /** Lists the mails of a submission of any team, oldest first, without those that are not sent because it is spam. */
    listMailsOf: async (submissionId: string): Promise<StoredMail[]> => {
      const isMail = and(eq(outbox.submissionId, submissionId), IS_MAIL, not(IS_UNWANTED));
      const rows = await db.select(columns).from(outbox).where(isMail).orderBy(asc(outbox.id));
      // Each row is written with the columns of its kind only.
      return rows as StoredMail[];
    },
  };
}

function getBounds({ from, until }: InboxSelection) {
  return { above: from === null ? live.FIRST : from - 1, below: until ?? live.LAST };
}

/** Returns SQL for the creation times of a selection in a form. It reads at most `limit` rows of the index for each folder. */
function timesQuery(
  db: Db,
  { part, userId = '' }: Pick<InboxSelection, 'part' | 'userId'>,
  form: live.FormRef,
  order: live.Order,
  bounds: Bounds,
): SQL {
  const source = SOURCE_OF[part];
  if (!('index' in source)) return live.liveQuery(db, source, order, { ...bounds, form });
  const { above, below, limit } = bounds;
  const assignee = part === 'assigned' ? sql`AND assigned_to = ${userId}` : sql``;
  return sql`SELECT created_at FROM submissions ${hint(db, source.index)}
    WHERE form_key = ${live.keyOf(form)} AND ${source.condition} ${assignee} AND created_at > ${above} AND created_at < ${below}
    ORDER BY created_at ${live.ORDERS[order]} LIMIT ${limit}`;
}

export function inboxPreferenceStore(db: Db) {
  const ofUser = (userId: string, teamId: string) => and(eq(inboxViews.userId, userId), eq(inboxViews.teamId, teamId));
  const { layout, columns } = inboxLayouts;

  return {
    /** Lists the saved views of a user in a team, oldest first. */
    listViews: async (userId: string | null, teamId: string): Promise<InboxViewRecord[]> => {
      const isListed = userId === null ? eq(inboxViews.teamId, teamId) : ofUser(userId, teamId);
      return db.select().from(inboxViews).where(isListed).orderBy(asc(inboxViews.id));
    },

    /** Saves a view. Returns false if the user has `max` in this team already. */
    createView: (view: InboxViewRecord, max: number): Promise<boolean> =>
      db.transaction(async (tx) => {
        const [found] = await tx.select({ total: count() }).from(inboxViews).where(ofUser(view.userId, view.teamId));
        if ((found?.total ?? 0) >= max) return false;
        await tx.insert(inboxViews).values({ ...view, view: Buffer.from(view.view) });
        return true;
      }),

    /** Returns false if the user has no such view in this team. */
    deleteView: async (id: string, userId: string, teamId: string): Promise<boolean> => {
      return (await deleteRows(db, inboxViews, and(eq(inboxViews.id, id), ofUser(userId, teamId)))) > 0;
    },

    /** Returns how a user sees the submissions of a form; null without a choice. */
    findLayout: async (userId: string, formId: string): Promise<FormLayout | null> => {
      const isChosen = and(eq(inboxLayouts.userId, userId), eq(inboxLayouts.formId, formId));
      return firstRow(db.select({ layout, columns }).from(inboxLayouts).where(isChosen));
    },

    setLayout: (userId: string, formId: string, chosen: FormLayout): Promise<void> =>
      upsert(db, inboxLayouts, ['userId', 'formId'], { userId, formId, ...chosen }),
  };
}
