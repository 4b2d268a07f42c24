import { and, asc, eq, gt, gte, lt, lte, max, sql, sum } from 'drizzle-orm';
import { DAY } from '../../lib/clock.ts';
import type { ExportState } from '../store.ts';
import type { Drizzle } from './database.ts';
import { formDays, submissions } from './schema.ts';
import type { StoreUnits } from './units.ts';

/** The limits of a page. The row that exceeds the size is still included. */
const PAGE = { rows: 50, bytes: 256 * 1024 };

const STATE_CONDITION = { genuine: sql`is_spam = 0`, spam: sql`is_spam = 1`, all: undefined } as const;

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
  const queries = { genuine: readers('genuine'), spam: readers('spam'), all: readers('all') };

  return {
    estimateExport: ({ formId, from, until }) => {
      const newest = db
        .select({ createdAt: max(submissions.createdAt) })
        .from(submissions)
        .where(eq(submissions.formId, formId))
        .get();
      const end = Math.min(until, (newest?.createdAt ?? 0) + 1);
      const inSpan = and(
        eq(formDays.formId, formId),
        gte(formDays.day, Math.floor(from / DAY)),
        lte(formDays.day, Math.floor((end - 1) / DAY)),
      );
      const total = db
        .select({ received: sum(formDays.received).mapWith(Number) })
        .from(formDays)
        .where(inSpan)
        .get();
      return { until: end, atMost: total?.received ?? 0 };
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
