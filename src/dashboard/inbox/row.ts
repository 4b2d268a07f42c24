import type { Context } from '../../context.ts';
import type { Form } from '../../domain/form.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { readExcerpt } from '../../services/read-submission.ts';
import { type Brief, briefOf } from '../ui/payload-text.ts';

/** A submission in a list. */
export type InboxRow = Brief &
  Readonly<{ id: string; createdAt: Micros; form: Form; isUnread: boolean; isDamaged: boolean; hasFiles: boolean }>;

/** Submissions read at once: each can be a megabyte. */
const BATCH = 5;
/** A page ends early after this many bytes of sealed payloads. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;

/** Rows of a page; `reached` is the time of the last one if the page ended early, else null. */
export type InboxRows = Readonly<{ rows: readonly InboxRow[]; reached: Micros | null }>;

/**
 * Reads the submissions created at these times, in this order. Leaves out submissions of other forms. Stops early after
 * `MAX_PAGE_BYTES`, so that large submissions don't make a page slow.
 */
export async function rowsAt(context: Context, forms: readonly Form[], times: readonly Micros[]): Promise<InboxRows> {
  const rows: InboxRow[] = [];
  let bytes = 0;
  for (let first = 0; first < times.length; first += BATCH) {
    const batch = times.slice(first, first + BATCH);
    const found = await context.store.findSubmissionsAt(batch);
    rows.push(...(await mapYielding(found, (submission) => rowOf(context, forms, submission))).flat());
    bytes += found.reduce((sum, { payload }) => sum + payload.length, 0);
    if (bytes >= MAX_PAGE_BYTES && first + BATCH < times.length) return { rows, reached: batch.at(-1) ?? null };
  }
  return { rows, reached: null };
}

/** Returns the row of a submission, or none if its form is not listed. `excerpt` replaces the beginning of the text. */
export function rowOf(
  { vault, log }: Context,
  forms: readonly Form[],
  submission: StoredSubmission,
  excerpt?: string,
): readonly InboxRow[] {
  const form = forms.find(({ id }) => id === submission.formId);
  if (!form) return [];
  const { id, createdAt, isSpam, readAt, files } = submission;
  const payload = readExcerpt(vault, log, submission);
  const brief = briefOf(form, payload ?? []);
  return [
    {
      ...brief,
      ...(excerpt !== undefined && { excerpt }),
      id,
      createdAt,
      form,
      isUnread: !isSpam && readAt === null,
      isDamaged: payload === null,
      hasFiles: files !== null,
    },
  ];
}

/** Returns the time of the newest row, or the epoch if there is none. */
export function newestOf(rows: readonly InboxRow[]): string {
  return formatTime(Math.max(0, ...rows.map(({ createdAt }) => createdAt)));
}
