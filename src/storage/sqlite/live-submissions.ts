import { asc, desc, sql } from 'drizzle-orm';
import type { Micros } from '../../lib/clock.ts';
import type { Drizzle } from './database.ts';
import { FOLDER, submissions } from './schema.ts';

export type Folder = 'unread' | 'read' | 'spam';

/** The folders of genuine submissions, and all folders outside the trash. */
export const GENUINE: readonly Folder[] = ['unread', 'read'];
export const LIVE: readonly Folder[] = [...GENUINE, 'spam'];

const VALUE_OF: Record<Folder, number> = { unread: 0, read: 1, spam: 2 };

type Order = 'ASC' | 'DESC';

/** The parameters of `liveQuery`, in the order of their numbers. `above` and `below` are exclusive creation times. */
export type Span = [formId: string, above: Micros, below: Micros, limit: number];

/** A span's bounds that contain all creation times. */
export const [FIRST, LAST] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];

/**
 * Returns SQL that selects `columns` of a form's submissions outside the trash in some folders, ordered by creation
 * time. SQLite merges the folders as it reads, so that only `limit` rows of the index are read. `condition` filters
 * rows further.
 */
export function liveQuery(folders: readonly Folder[], order: Order, columns = 'created_at', condition = ''): string {
  const parts = folders.map((folder) =>
    liveRows(folder, columns, '?1', `AND created_at > ?2 AND created_at < ?3 ${condition}`),
  );
  return `${parts.join(' UNION ALL ')} ORDER BY created_at ${order} LIMIT ?4`;
}

/** SQL for the possible spam of a form in a span, up to the direction of its order. */
export const MAYBE_ROWS = `FROM submissions INDEXED BY maybe_spam_of_form
  WHERE form_id = ?1 AND is_maybe_spam = 1 AND trashed_at IS NULL AND created_at > ?2 AND created_at < ?3
  ORDER BY created_at`;

/** Returns SQL for the creation time of a form's newest submission in some folders; null if there is none. */
export function newestLive(folders: readonly Folder[], formId: string): string {
  const parts = folders.map((folder) => liveRows(folder, 'created_at', formId));
  return `(${parts.join(' UNION ALL ')} ORDER BY created_at DESC LIMIT 1)`;
}

/** Returns SQL that selects a form's submissions in a folder. */
export function liveRows(folder: Folder, columns: string, formId: string, condition = ''): string {
  return `SELECT ${columns} FROM submissions INDEXED BY submissions_of_form
    WHERE form_id = ${formId} AND trashed_at IS NULL AND ${FOLDER} = ${VALUE_OF[folder]} ${condition}`;
}

/** Returns a function that reads the submissions with these creation times. */
export function submissionsAt(db: Drizzle, order: Order) {
  const query = db
    .select()
    .from(submissions)
    .where(sql`created_at IN (SELECT value FROM json_each(${sql.placeholder('times')}))`)
    .orderBy(order === 'ASC' ? asc(submissions.createdAt) : desc(submissions.createdAt))
    .prepare();
  return (times: readonly Micros[]) => query.all({ times: JSON.stringify(times) });
}
