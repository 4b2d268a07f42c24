import type { Context } from '../../context.ts';
import type { Form } from '../../domain/form.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { readPayload } from '../../services/read-submission.ts';
import { type Brief, briefOf } from '../ui/payload-text.ts';

/** A submission in a list. */
export type InboxRow = Brief &
  Readonly<{ id: string; createdAt: Micros; form: Form; isUnread: boolean; isDamaged: boolean; hasFiles: boolean }>;

/** Submissions in memory at once: each can be a megabyte. */
const ROWS = 10;

/** Reads the submissions created at these times, in this order. Leaves out submissions of other forms. */
export async function rowsAt(
  context: Context,
  forms: readonly Form[],
  times: readonly Micros[],
): Promise<readonly InboxRow[]> {
  const rows: InboxRow[] = [];
  for (let first = 0; first < times.length; first += ROWS) {
    const found = await context.store.findSubmissionsAt(times.slice(first, first + ROWS));
    rows.push(...(await mapYielding(found, (submission) => rowOf(context, forms, submission))).flat());
  }
  return rows;
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
  const payload = readPayload(vault, log, submission);
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
