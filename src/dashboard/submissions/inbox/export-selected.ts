import { noSuch } from '../../../domain/errors.ts';
import type { FormField } from '../../../domain/fields/field-type.ts';
import { isUnconfirmed, type StoredSubmission } from '../../../domain/submissions/submission.ts';
import { formatLocalTime } from '../../../domain/users/time-zone.ts';
import { attachment } from '../../../http/attachment.ts';
import type { Micros } from '../../../lib/clock.ts';
import { getTime } from '../../../lib/ids.ts';
import type { Semaphore } from '../../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../../lib/yield-to-event-loop.ts';
import { runExport } from '../../../services/exports/export.ts';
import { XLSX_TYPE } from '../../../services/exports/spreadsheet.ts';
import { EXPORT_FORM_TEXTS } from '../../exports/texts.ts';
import type { PageContext } from '../../page.ts';

/** Submissions that one file has at most. */
export const MAX_EXPORTED = 10_000;
/** Submissions read at once. */
const ROWS = 10;

/**
 * Answers with the selected submissions of the team as XLSX, oldest first. Fields of the same name share a column, also
 * those of different forms. Leaves out unconfirmed ones. Throws `not_found` if the team has none of them.
 */
export async function exportSubmissions(
  { context, viewer, user, team, note, requireAccess }: PageContext<'edit'>,
  ids: readonly string[],
  semaphore: Semaphore,
): Promise<Response> {
  const { language, timeZone, texts } = viewer;
  const { store, clock, downloads } = context;
  const forms = new Map((await store.forms.list(team.id)).map((form) => [form.id, form]));
  const selected = new Set(ids);
  const times = [...selected].map(getTime).sort((a, b) => a - b);
  const listPage = async (_: unknown, after: Micros): Promise<StoredSubmission[]> => {
    for (let first = times.findIndex((time) => time > after); first >= 0 && first < times.length; first += ROWS) {
      const found = await store.inbox.findSubmissionsAt(times.slice(first, first + ROWS));
      const own = found.filter((one) => selected.has(one.id) && forms.has(one.formId) && !isUnconfirmed(one));
      if (own.length > 0) return own;
    }
    return [];
  };
  const fields = new Map<string, FormField>();
  let count = 0;
  for (let page = await listPage(null, -1); page.length > 0; ) {
    for (const field of page.flatMap(({ formId }) => forms.get(formId)?.fields ?? [])) fields.set(field.name, field);
    count += page.length;
    await yieldToEventLoop();
    page = await listPage(null, page.at(-1)?.createdAt ?? 0);
  }
  if (count === 0) noSuch('submission');
  note({ count }, { action: 'export.xlsx' });
  const { xlsxExport } = await import('../../../services/exports/export-xlsx.ts');
  const exported = xlsxExport({
    form: { fields: [...fields.values()] },
    choice: null,
    extras: [],
    timeZone,
    words: { ...texts.values, ...EXPORT_FORM_TEXTS[language].table },
  });
  const estimate = async ({ until }: Readonly<{ until: Micros }>) => ({ until, atMost: count });
  const deps = { ...context, semaphore, store: { ...store, exports: { estimate, listPage } } };
  const span = { formId: '', state: 'all', from: 0, until: Number.MAX_SAFE_INTEGER } as const;
  const chunks = runExport(deps, exported, span, { step: 'looking', submissions: 0, atMost: 0 });
  const name = `${texts.form.submissions} ${formatLocalTime(clock(), timeZone).slice(0, 10)}.xlsx`;
  const body = downloads.stream(user.id, team.id, chunks, requireAccess);
  return attachment(body, name, XLSX_TYPE, 'submissions.xlsx');
}
