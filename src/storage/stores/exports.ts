import { and, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { endOfDay } from '../counters.ts';
import type { Db } from '../database.ts';
import type { ExportSpan, StoredState } from '../records.ts';
import { counters } from '../schema.ts';
import * as live from './live-submissions.ts';

/** The limits of a page. The row that exceeds the size is still included. */
const PAGE = { rows: 50, bytes: 256 * 1024 };

type LiveState = Exclude<StoredState, 'trashed'>;

const FOLDERS_OF = {
  genuine: live.GENUINE,
  spam: ['spam'],
  all: live.LIVE,
  unconfirmed: ['unconfirmed'],
} as const satisfies Record<Exclude<LiveState, 'maybe'>, readonly live.Folder[]>;

const COUNT_OF = {
  genuine: sql`amount`,
  maybe: sql`amount`,
  spam: sql`spam`,
  all: sql`amount + spam`,
  unconfirmed: sql`amount`,
} as const satisfies Record<LiveState, SQL>;

// PostgreSQL reads the length of a long value from the row, without the value.
const SIZES = sql`created_at, length(payload) + coalesce(length(files), 0) AS size`;

export function exportStore(db: Db) {
  const inTrash = (formId: string) =>
    sql`FROM submissions WHERE form_key = ${live.keyOf(formId)} AND trashed_at IS NOT NULL`;
  const readOne = async <T extends Record<string, unknown>>(query: SQL) => (await db.rows<T>(query))[0];

  return {
    /**
     * Limits a span to the submissions that exist now and returns its end, with an upper bound of their number.
     * Submissions accepted later are outside the returned span.
     */
    estimate: async ({ formId, state, from, until }: ExportSpan) => {
      if (state === 'trashed') {
        const trash = await readOne<{ at: Micros | null; total: number }>(
          sql`SELECT max(created_at) AS at, count(*) AS total ${inTrash(formId)}`,
        );
        return { until: Math.min(until, (trash?.at ?? 0) + 1), atMost: trash?.total ?? 0 };
      }
      const newest = await readOne<{ at: Micros | null }>(
        sql`SELECT ${live.newestLive(db, live.STORED, formId)} AS at`,
      );
      const end = Math.min(until, (newest?.at ?? 0) + 1);
      const inSpan = and(
        eq(counters.owner, formId),
        gte(counters.until, endOfDay(from)),
        lte(counters.until, endOfDay(end - 1)),
      );
      const total = sql<number>`coalesce(sum(${COUNT_OF[state]}), 0)`.mapWith(Number);
      const [sum] = await db.select({ submissions: total }).from(counters).where(inSpan);
      return { until: end, atMost: sum?.submissions ?? 0 };
    },

    /**
     * Returns the next submissions of a span after `after`, oldest first: some dozens, fewer if large, none at the end.
     */
    listPage: async ({ formId, state, until }: ExportSpan, after: Micros): Promise<StoredSubmission[]> => {
      const span = { form: formId, above: after, below: until, limit: PAGE.rows };
      const query =
        state === 'trashed'
          ? sql`SELECT ${SIZES} ${inTrash(formId)} AND created_at > ${after} AND created_at < ${until}
              ORDER BY created_at LIMIT ${PAGE.rows}`
          : state === 'maybe'
            ? live.maybeSpamQuery(db, 'ASC', span, SIZES)
            : live.liveQuery(db, FOLDERS_OF[state], 'ASC', span, SIZES);
      const times: Micros[] = [];
      let bytes = 0;
      for (const { created_at, size } of await db.rows<{ created_at: Micros; size: number }>(query)) {
        times.push(created_at);
        bytes += size;
        if (bytes >= PAGE.bytes) break;
      }
      return live.submissionsAt(db, times, 'ASC');
    },
  };
}
