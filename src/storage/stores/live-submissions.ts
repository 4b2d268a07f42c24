import { and, asc, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import { getTime } from '../../lib/ids.ts';
import { type Db, hint, inList, toList } from '../database.ts';
import { FOLDER, submissions } from '../schema.ts';

export type Folder = 'unread' | 'read' | 'spam';

/** The folders of genuine submissions, and all folders outside the trash. */
export const GENUINE: readonly Folder[] = ['unread', 'read'];
export const LIVE: readonly Folder[] = [...GENUINE, 'spam'];

const VALUE_OF: Record<Folder, number> = { unread: 0, read: 1, spam: 2 };

export const ORDERS = { ASC: sql.raw('ASC'), DESC: sql.raw('DESC') } as const;
export type Order = keyof typeof ORDERS;

/** A form, as an id or as SQL for it, exclusive creation times, and the maximum number of rows. */
export type Span = Readonly<{ formId: string | SQL; above: Micros; below: Micros; limit: number }>;

/** A span's bounds that contain all creation times. */
export const [FIRST, LAST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

const CREATED_AT = sql.raw('created_at');

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
  const { formId, above, below, limit } = span;
  const inSpan = sql`AND created_at > ${above} AND created_at < ${below} ${condition}`;
  const parts = folders.map((folder) => liveRows(db, folder, columns, formId, inSpan));
  return merge(db, parts, order, limit);
}

/** Returns SQL like that of `liveQuery` for the possible spam of a form. */
export function maybeSpamQuery(
  db: Db,
  order: Order,
  { formId, above, below, limit }: Span,
  columns: SQL = CREATED_AT,
): SQL {
  return sql`SELECT ${columns} FROM submissions ${hint(db, 'maybe_spam_of_form')}
    WHERE form_id = ${formId} AND is_maybe_spam AND trashed_at IS NULL AND created_at > ${above} AND created_at < ${below}
    ORDER BY created_at ${ORDERS[order]} LIMIT ${limit}`;
}

/** Returns SQL for the creation time of a form's newest submission in some folders; null if there is none. */
export function newestLive(db: Db, folders: readonly Folder[], formId: string | SQL): SQL {
  const parts = folders.map((folder) => liveRows(db, folder, CREATED_AT, formId));
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

/** Returns SQL that selects a form's submissions in a folder. */
function liveRows(db: Db, folder: Folder, columns: SQL, formId: string | SQL, condition = sql``): SQL {
  return sql`SELECT ${columns} FROM submissions ${hint(db, 'submissions_of_form')}
    WHERE form_id = ${formId} AND trashed_at IS NULL AND ${sql.raw(FOLDER)} = ${sql.raw(String(VALUE_OF[folder]))} ${condition}`;
}

/** Returns the submissions with these creation times. */
export async function submissionsAt(db: Db, times: readonly Micros[], order: Order) {
  const { createdAt } = submissions;
  const find = db.prepared(`submissions_${order}`, () =>
    db
      .select()
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
