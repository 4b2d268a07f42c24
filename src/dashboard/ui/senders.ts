import { sortByForm } from '../../domain/fields/field-display.ts';
import { getTime } from '../../lib/ids.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { readExcerpt } from '../../services/submissions/read-submission.ts';
import type { PageContext } from '../page.ts';
import { getBrief } from './payload-text.ts';

/** Submissions read at once: each can be a megabyte. */
const BATCH = 5;
/** Reading ends after this many bytes of sealed payloads. */
const MAX_BYTES = 4 * 1024 * 1024;

/** Returns the senders of submissions of the team by id, as far as they can be read. Null stands for no submission. */
export async function readSenders(
  { context: { store, vault, log }, viewer, team }: PageContext<'read'>,
  ids: ReadonlyArray<string | null>,
): Promise<ReadonlyMap<string | null, string>> {
  const forms = new Map((await store.forms.list(team.id)).map((form) => [form.id, form]));
  const times = [...new Set(ids.filter((id) => id !== null).map(getTime))];
  const senders = new Map<string, string>();
  for (let first = 0, bytes = 0; first < times.length && bytes < MAX_BYTES; first += BATCH) {
    const found = await store.inbox.findSubmissionsAt(times.slice(first, first + BATCH));
    await mapYielding(found, (submission) => {
      const form = forms.get(submission.formId);
      const payload = form ? readExcerpt(vault, log, submission) : null;
      bytes += submission.payload.length;
      if (form && payload)
        senders.set(submission.id, getBrief(form, sortByForm(form.fields, payload), viewer.values).who);
    });
  }
  return senders;
}
