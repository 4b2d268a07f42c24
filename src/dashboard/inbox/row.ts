import type { Context } from '../../context.ts';
import type { Form } from '../../domain/form.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { readPayload } from '../../services/read-submission.ts';
import { type InboxList, submissionAddress } from '../ui/inbox-list.ts';
import { type Brief, briefOf } from '../ui/payload-text.ts';
import type { Viewer } from '../viewer.ts';

/** A submission on a line of a list. */
export type InboxRow = Brief &
  Readonly<{ id: string; createdAt: Micros; form: Form; isUnread: boolean; isDamaged: boolean; hasFiles: boolean }>;

/** So many are in memory at once: each can be a megabyte. */
const ROWS = 10;

/** The submissions created at these times, as a list shows them, in this order; those of other forms are left out. */
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

/** None if it is of another form. `excerpt` stands in place of the beginning. */
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

/** The items of a list. */
export function rowViews(viewer: Viewer, list: InboxList, rows: readonly InboxRow[]): readonly Html[] {
  const { inbox: words } = viewer.texts;
  const isChosen = viewer.can('edit');
  return rows.map((row) => {
    const who = row.isDamaged ? words.damaged : row.who || words.nobody;
    const marks = [
      row.isUnread && html`<span class="badge good">${words.unread}</span>`,
      row.hasFiles && html`<span class="badge">${words.files}</span>`,
      row.isDamaged && html`<span class="badge bad">${words.unreadable}</span>`,
    ];
    return html`<li class="item" data-id="${row.id}">${isChosen && html`<input class="above" type="checkbox" name="submission" value="${row.id}" aria-label="${words.select(who)}" autocomplete="off">`}
<div><div class="line"><a class="cover${row.isUnread && ' unread'}" href="${submissionAddress(row.id, list)}"><bdi>${who}</bdi></a><span class="soft small">${marks}${list.in === 'inbox' && html` <bdi>${row.form.name}</bdi> ·`} ${viewer.time(row.createdAt)}</span></div>
<div class="excerpt small"><bdi>${row.excerpt}</bdi></div></div></li>`;
  });
}

/** The time of the newest, as a list says what it shows already; from the beginning where it shows none. */
export function newestOf(rows: readonly InboxRow[]): string {
  return formatTime(Math.max(0, ...rows.map(({ createdAt }) => createdAt)));
}
