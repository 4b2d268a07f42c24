import { and, asc, eq, gt, gte, lt, lte, max, sql, sum } from 'drizzle-orm';
import { DAY } from '../../lib/clock.ts';
import type { ExportState, Store } from '../store.ts';
import { type Drizzle, unitOfWork } from './database.ts';
import { formDays, submissions } from './schema.ts';

type ExportMethods = 'measureExport' | 'listExported';

/** A page ends with the row that fills it. */
const PAGE = { rows: 50, bytes: 256 * 1024 };

const IS_OF = { genuine: sql`is_spam = 0`, spam: sql`is_spam = 1`, all: undefined } as const;

/** Reads forms from their first submission to their last. */
export function exportStore(db: Drizzle): Pick<Store, ExportMethods> {
  const isOf = (state: ExportState) =>
    and(
      eq(submissions.formId, sql.placeholder('formId')),
      gt(submissions.createdAt, sql.placeholder('after')),
      lt(submissions.createdAt, sql.placeholder('until')),
      IS_OF[state],
    );
  // `length` does not read what it measures.
  const size = sql<number>`length(payload) + coalesce(length(files), 0)`;
  const readers = (state: ExportState) => ({
    sizes: db
      .select({ createdAt: submissions.createdAt, size })
      .from(submissions)
      .where(isOf(state))
      .orderBy(asc(submissions.createdAt))
      .limit(PAGE.rows)
      .prepare(),
    rows: db.select().from(submissions).where(isOf(state)).orderBy(asc(submissions.createdAt)).prepare(),
  });
  const of = { genuine: readers('genuine'), spam: readers('spam'), all: readers('all') };

  return {
    measureExport: ({ formId, from, until }) =>
      unitOfWork(() => {
        const newest = db
          .select({ createdAt: max(submissions.createdAt) })
          .from(submissions)
          .where(eq(submissions.formId, formId))
          .get();
        const end = Math.min(until, (newest?.createdAt ?? 0) + 1);
        const ofSpan = and(
          eq(formDays.formId, formId),
          gte(formDays.day, Math.floor(from / DAY)),
          lte(formDays.day, Math.floor((end - 1) / DAY)),
        );
        const found = db
          .select({ received: sum(formDays.received).mapWith(Number) })
          .from(formDays)
          .where(ofSpan)
          .get();
        return { until: end, atMost: found?.received ?? 0 };
      }),

    listExported: ({ formId, state, until }, after) =>
      unitOfWork(() => {
        let last = after;
        let bytes = 0;
        for (const { createdAt, size } of of[state].sizes.all({ formId, after, until })) {
          last = createdAt;
          bytes += size;
          if (bytes >= PAGE.bytes) break;
        }
        return of[state].rows.all({ formId, after, until: last + 1 });
      }),
  };
}
