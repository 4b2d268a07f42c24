import { and, asc, eq, gt, gte, lt, lte, type SQL, sql, sum } from 'drizzle-orm';
import { DAY, type Micros } from '../../lib/clock.ts';
import type { ExportState } from '../store.ts';
import type { Drizzle } from './database.ts';
import { formDays, submissions } from './schema.ts';
import type { StoreUnits } from './units.ts';

/** The limits of a page. The row that exceeds the size is still included. */
const PAGE = { rows: 50, bytes: 256 * 1024 };

const STATE_CONDITION = {
  genuine: sql`is_spam = 0 AND trashed_at IS NULL`,
  spam: sql`is_spam = 1 AND trashed_at IS NULL`,
  all: sql`trashed_at IS NULL`,
  trashed: sql`trashed_at IS NOT NULL`,
} as const satisfies Record<ExportState, SQL>;

const COUNT_OF = {
  genuine: sql`genuine`,
  spam: sql`spam`,
  all: sql`genuine + spam`,
} as const satisfies Record<Exclude<ExportState, 'trashed'>, SQL>;

/** Creates the store methods that read a form's submissions for an export. */
export function exportStore(db: Drizzle) {
  const matches = (state: ExportState) =>
    and(
      eq(submissions.formId, sql.placeholder('formId')),
      gt(submissions.createdAt, sql.placeholder('after')),
      lt(submissions.createdAt, sql.placeholder('until')),
      STATE_CONDITION[state],
    );
  // SQLite's `length` does not read the value.
  const size = sql<number>`length(payload) + coalesce(length(files), 0)`;
  const readers = (state: ExportState) => ({
    sizes: db
      .select({ createdAt: submissions.createdAt, size })
      .from(submissions)
      .where(matches(state))
      .orderBy(asc(submissions.createdAt))
      .limit(PAGE.rows)
      .prepare(),
    rows: db.select().from(submissions).where(matches(state)).orderBy(asc(submissions.createdAt)).prepare(),
  });
  const queries = {
    genuine: readers('genuine'),
    spam: readers('spam'),
    all: readers('all'),
    trashed: readers('trashed'),
  };

  const newestWhere = (condition: string, index: string) =>
    db.$client.query<{ createdAt: Micros }, [formId: string]>(
      `SELECT created_at AS createdAt FROM submissions INDEXED BY ${index}
       WHERE form_id = ? AND ${condition} ORDER BY created_at DESC LIMIT 1`,
    );
  const newestLive = newestWhere('trashed_at IS NULL', 'submissions_of_form');
  const newestTrashed = newestWhere('trashed_at IS NOT NULL', 'trash_of_form');
  const countTrashed = db.$client.query<{ total: number }, [formId: string]>(
    `SELECT count(*) AS total FROM submissions INDEXED BY trash_of_form WHERE form_id = ? AND trashed_at IS NOT NULL`,
  );

  return {
    estimateExport: ({ formId, state, from, until }) => {
      const isTrash = state === 'trashed';
      const newest = (isTrash ? newestTrashed : newestLive).get(formId);
      const end = Math.min(until, (newest?.createdAt ?? 0) + 1);
      const inSpan = and(
        eq(formDays.formId, formId),
        gte(formDays.day, Math.floor(from / DAY)),
        lte(formDays.day, Math.floor((end - 1) / DAY)),
      );
      if (isTrash) return { until: end, atMost: countTrashed.get(formId)?.total ?? 0 };
      const total = db
        .select({ submissions: sum(COUNT_OF[state]).mapWith(Number) })
        .from(formDays)
        .where(inSpan)
        .get();
      return { until: end, atMost: total?.submissions ?? 0 };
    },

    listExportPage: ({ formId, state, until }, after) => {
      let last = after;
      let bytes = 0;
      for (const { createdAt, size } of queries[state].sizes.all({ formId, after, until })) {
        last = createdAt;
        bytes += size;
        if (bytes >= PAGE.bytes) break;
      }
      return queries[state].rows.all({ formId, after, until: last + 1 });
    },
  } satisfies Partial<StoreUnits>;
}
