import type { StoredSubmission } from '../../domain/submissions/submission.ts';
import type { Micros } from '../../lib/clock.ts';
import { getTime } from '../../lib/ids.ts';
import { mapYielding } from '../../lib/map-yielding.ts';
import { readExcerpt } from '../../services/submissions/read-submission.ts';
import type { Store } from '../../storage/store.ts';
import type { PageContext } from '../page.ts';
import { getBrief } from './payload-text.ts';

/** Submissions read at once: each can be a megabyte. */
const BATCH = 5;
/** A list ends early after this many bytes of sealed payloads. */
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Maps the submissions of any team created at these times, in this order. Stops early after `MAX_BYTES`, so that large
 * submissions don't make a page slow: `reached` is then the time of the last one, else null.
 */
export async function mapSubmissionsAt<T>(
  { inbox }: Store,
  times: readonly Micros[],
  map: (submission: StoredSubmission) => T,
): Promise<Readonly<{ mapped: readonly T[]; reached: Micros | null }>> {
  const mapped: T[] = [];
  let bytes = 0;
  for (let first = 0; first < times.length; first += BATCH) {
    const batch = times.slice(first, first + BATCH);
    const submissions = await inbox.findSubmissionsAt(batch);
    mapped.push(...(await mapYielding(submissions, map)));
    bytes += submissions.reduce((sum, { payload }) => sum + payload.length, 0);
    if (bytes >= MAX_BYTES && first + BATCH < times.length) return { mapped, reached: batch.at(-1) ?? null };
  }
  return { mapped, reached: null };
}

/** Returns the senders of submissions of the team by id, as far as they can be read. Null stands for no submission. */
export async function readSenders(
  { context: { store, vault, log }, viewer, team }: PageContext<'read'>,
  ids: ReadonlyArray<string | null>,
): Promise<ReadonlyMap<string | null, string>> {
  const senders = new Map<string, string>();
  const times = [...new Set(ids.filter((id) => id !== null).map(getTime))];
  if (times.length === 0) return senders;
  const forms = new Map((await store.forms.list(team.id)).map((form) => [form.id, form]));
  await mapSubmissionsAt(store, times, (submission) => {
    const form = forms.get(submission.formId);
    const payload = form ? readExcerpt(vault, log, submission) : null;
    if (form && payload) senders.set(submission.id, getBrief(form, payload, viewer.values).who);
  });
  return senders;
}
