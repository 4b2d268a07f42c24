import { and, eq, gte, lte, type SQL, sql, sum } from 'drizzle-orm';
import { DAY, type Micros } from '../../lib/clock.ts';
import type { ExportState } from '../store.ts';
import type { Drizzle } from './database.ts';
import {
  type Folder,
  GENUINE,
  LIVE,
  liveQuery,
  MAYBE_ROWS,
  newestLive,
  type Span,
  submissionsAt,
} from './live-submissions.ts';
import { formDays } from './schema.ts';
import type { StoreUnits } from './units.ts';

/** The limits of a page. The row that exceeds the size is still included. */
const PAGE = { rows: 50, bytes: 256 * 1024 };

const FOLDERS_OF = {
  genuine: GENUINE,
  spam: ['spam'],
  all: LIVE,
} as const satisfies Record<Exclude<ExportState, 'maybe' | 'trashed'>, readonly Folder[]>;

const COUNT_OF = {
  genuine: sql`genuine`,
  maybe: sql`genuine`,
  spam: sql`spam`,
  all: sql`genuine + spam`,
} as const satisfies Record<Exclude<ExportState, 'trashed'>, SQL>;

/** Creates the store methods that read a form's submissions for an export. */
export function exportStore(db: Drizzle) {
  // SQLite's `length` does not read the value.
  const columns = 'created_at AS createdAt, length(payload) + coalesce(length(files), 0) AS size';
  const inTrash = 'FROM submissions INDEXED BY trash_of_form WHERE form_id = ?1 AND trashed_at IS NOT NULL';
  const sizesOf = (state: ExportState) =>
    db.$client.query<{ createdAt: Micros; size: number }, Span>(
      state === 'trashed'
        ? `SELECT ${columns} ${inTrash} AND created_at > ?2 AND created_at < ?3 ORDER BY created_at LIMIT ?4`
        : state === 'maybe'
          ? `SELECT ${columns} ${MAYBE_ROWS} ASC LIMIT ?4`
          : liveQuery(FOLDERS_OF[state], 'ASC', columns),
    );
  const sizes = {
    genuine: sizesOf('genuine'),
    maybe: sizesOf('maybe'),
    spam: sizesOf('spam'),
    all: sizesOf('all'),
    trashed: sizesOf('trashed'),
  };
  const readAt = submissionsAt(db, 'ASC');
  type Newest = { at: Micros | null };
  const newestOfLive = db.$client.query<Newest, [formId: string]>(`SELECT ${newestLive(LIVE, '?1')} AS at`);
  const newestTrashed = db.$client.query<Newest, [formId: string]>(`SELECT max(created_at) AS at ${inTrash}`);
  const countTrashed = db.$client.query<{ total: number }, [formId: string]>(`SELECT count(*) AS total ${inTrash}`);

  return {
    estimateExport: ({ formId, state, from, until }) => {
      const isTrash = state === 'trashed';
      const newest = (isTrash ? newestTrashed : newestOfLive).get(formId);
      const end = Math.min(until, (newest?.at ?? 0) + 1);
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
      const times: Micros[] = [];
      let bytes = 0;
      for (const { createdAt, size } of sizes[state].all(formId, after, until, PAGE.rows)) {
        times.push(createdAt);
        bytes += size;
        if (bytes >= PAGE.bytes) break;
      }
      return readAt(times);
    },
  } satisfies Partial<StoreUnits>;
}
