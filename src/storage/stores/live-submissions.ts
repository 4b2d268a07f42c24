import { and, asc, desc, eq, getTableColumns, inArray, is, SQL, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { getTime } from '../../lib/ids.ts';
import { type Db, hint, inList, toList } from '../database.ts';
import { FOLDER, submissions } from '../schema.ts';

export type Folder = 'unread' | 'read' | 'spam' | 'unconfirmed';

/** The folders of genuine submissions, and all of confirmed ones outside the trash. */
export const GENUINE: readonly Folder[] = ['unread', 'read'];
export const LIVE: readonly Folder[] = [...GENUINE, 'spam'];

/** All folders outside the trash. */
export const STORED: readonly Folder[] = [...LIVE, 'unconfirmed'];

const VALUE_OF: Record<Folder, number> = { unread: 0, read: 1, spam: 2, unconfirmed: 3 };

/** SQL for submissions that need no confirmation, or have it. */
export const IS_CONFIRMED = sql`(confirm_hash IS NULL OR confirmed_at IS NOT NULL)`;

export const ORDERS = { ASC: sql.raw('ASC'), DESC: sql.raw('DESC') } as const;
export type Order = keyof typeof ORDERS;

const { formKey, ...columns } = getTableColumns(submissions);

export const FORM_ID = sql<string>`(SELECT f.id FROM forms f WHERE f.key = ${formKey})`;

/** The columns of `StoredSubmission`. */
export const submissionColumns = {
  ...columns,
  formId: FORM_ID,
  consentText: sql<Uint8Array | null>`(SELECT c.text FROM consents c WHERE c.id = ${columns.consent})`,
};

/** A form, as an id or as SQL for its key. */
export type FormRef = string | SQL;

/** A form, exclusive creation times, and the maximum number of rows. */
export type Span = Readonly<{ form: FormRef; above: Micros; below: Micros; limit: number }>;

/** A span's bounds that contain all creation times. */
export const [FIRST, LAST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const CREATED_AT = sql.raw('created_at');

export function keyOf(form: FormRef): SQL {
  return is(form, SQL) ? form : sql`(SELECT f.key FROM forms f WHERE f.id = ${form})`;
}

/**
 * Returns SQL that selects `columns`, with `created_at`, of a form's submissions outside the trash in some folders,
 * ordered by creation time. It reads at most `limit` rows of the index for each folder, if `condition` filters none.
 */
export function liveQuery(
  db: Db,
  folders: readonly Folder[],
  order: Order,
  span: Span,
  columns: SQL = CREATED_AT,
  condition: SQL = sql``,
): SQL {
  const { form, above, below, limit } = span;
  const inSpan = sql`AND created_at > ${above} AND created_at < ${below} ${condition}`;
  const parts = folders.map((folder) => liveRows(db, folder, columns, form, inSpan));
  return merge(db, parts, order, limit);
}

/** Returns SQL like that of `liveQuery` for the possible spam of a form. */
export function maybeSpamQuery(db: Db, order: Order, { form, above, below, limit }: Span, columns: SQL = CREATED_AT) {
  return sql`SELECT ${columns} FROM submissions ${hint(db, 'maybe_spam_of_form')}
    WHERE form_key = ${keyOf(form)} AND is_maybe_spam AND trashed_at IS NULL AND ${IS_CONFIRMED} AND created_at > ${above} AND created_at < ${below}
    ORDER BY created_at ${ORDERS[order]} LIMIT ${limit}`;
}

/** Returns SQL for the creation time of a form's newest submission in some folders; null if there is none. */
export function newestLive(db: Db, folders: readonly Folder[], form: FormRef): SQL {
  const parts = folders.map((folder) => liveRows(db, folder, CREATED_AT, form));
  return sql`(${merge(db, parts, 'DESC', 1)})`;
}

/**
 * Returns SQL for the first rows of folders. SQLite merges them as it reads; PostgreSQL needs the order and the limit of
 * each, with `trashed_at`: a null is no constant to its planner.
 */
function merge(db: Db, parts: readonly SQL[], order: Order, limit: number): SQL {
  const direction = ORDERS[order];
  const limited =
    db.engine === 'sqlite'
      ? parts
      : parts.map((part) => sql`(${part} ORDER BY trashed_at ${direction}, created_at ${direction} LIMIT ${limit})`);
  if (limited.length === 1 && db.engine === 'postgres') return sql.join([...limited]);
  return sql`${sql.join([...limited], sql` UNION ALL `)} ORDER BY created_at ${direction} LIMIT ${limit}`;
}

function liveRows(db: Db, folder: Folder, columns: SQL, form: FormRef, condition = sql``): SQL {
  return sql`SELECT ${columns} FROM submissions ${hint(db, 'submissions_of_form')}
    WHERE form_key = ${keyOf(form)} AND trashed_at IS NULL AND ${sql.raw(FOLDER)} = ${sql.raw(String(VALUE_OF[folder]))} ${condition}`;
}

/** Returns the creation times that a query finds. */
export async function timesOf(db: Db, query: SQL): Promise<Micros[]> {
  return (await db.rows<{ created_at: Micros }>(query)).map((row) => row.created_at);
}

/** Returns the submissions with these creation times. */
export async function submissionsAt(db: Db, times: readonly Micros[], order: Order) {
  const { createdAt } = submissions;
  const find = db.prepared(`submissions_${order}`, () =>
    db
      .select(submissionColumns)
      .from(submissions)
      .where(inList(db, createdAt, 'bigint', sql.placeholder('times')))
      .orderBy(order === 'ASC' ? asc(createdAt) : desc(createdAt)),
  );
  return find({ times: toList(db, times) });
}

/** Returns the condition of submissions with these ids: found by their times, then compared. */
export function hasId(...ids: readonly string[]): SQL | undefined {
  const { createdAt, id } = submissions;
  const [first] = ids;
  if (first !== undefined && ids.length === 1) return and(eq(createdAt, getTime(first)), eq(id, first));
  return and(inArray(createdAt, ids.map(getTime)), inArray(id, [...ids]));
}
