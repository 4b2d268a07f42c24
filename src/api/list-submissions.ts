import type { Context } from '../context/context.ts';
import { noSuch } from '../domain/errors.ts';
import type { InboxSelection } from '../domain/submissions/inbox.ts';
import type { StoredSubmission } from '../domain/submissions/submission.ts';
import { JsonText } from '../http/envelope.ts';
import { formatTime, type Micros } from '../lib/clock.ts';
import { yieldToEventLoop } from '../lib/yield-to-event-loop.ts';
import { searchSubmissions } from '../services/submissions/search.ts';
import type { Store } from '../storage/store.ts';
import { requireForm } from './find.ts';
import type { Turns } from './operation.ts';

/** A page of large submissions ends before this size of sealed payloads. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Submissions in memory at once: each can be a megabyte. */
const BATCH = 5;

/** A page of a list, or of a search if `q` is not empty. */
type Search = Readonly<{ q: string; before: Micros; limit: number }>;

/** Returns the id of `form`, or of all forms that the key may see. Throws `not_found`. */
export async function listFormIds(
  store: Store,
  teamId: string,
  form: string | undefined,
  allowsForm: (id: string) => boolean,
): Promise<readonly string[]> {
  const forms = form === undefined ? await store.forms.list(teamId) : [await requireForm(store, form, teamId)];
  const ids = forms.map(({ id }) => id).filter(allowsForm);
  return form !== undefined && ids.length === 0 ? noSuch('form') : ids;
}

/** Adds a submission to a page. Returns false if the page is full. */
type Add = (submission: StoredSubmission) => boolean;

/**
 * Lists or searches the submissions of forms, newest first, up to `MAX_PAGE_BYTES`. Searches have separate turns,
 * because they take longer. `toJson` converts a submission.
 */
export async function pageOfSubmissions(
  context: Context,
  turns: Turns,
  selection: InboxSelection,
  { q, ...page }: Search,
  toJson: (submission: StoredSubmission) => string,
): Promise<JsonText> {
  const items: string[] = [];
  let bytes = 0;
  const add: Add = (submission) => {
    bytes += submission.payload.length;
    // A single submission may be larger than a page.
    if (bytes > MAX_PAGE_BYTES && items.length > 0) return false;
    items.push(toJson(submission));
    return true;
  };
  const search = async () => {
    const { found, reached } = await searchSubmissions(context, selection, { q }, page, turns.searchSteps);
    let last: Micros | null = null;
    for (const { submission } of found) {
      if (!add(submission)) return last;
      last = submission.createdAt;
    }
    return reached;
  };
  const next = await (q === ''
    ? turns.pages.run(() => readPage(context.store, selection, page, add))
    : turns.searches.run(search));
  return pageJson(items, next);
}

/** Reads a page, newest first, a few submissions at a time. Returns the time to continue from, null at the end. */
export async function readPage(
  store: Store,
  selection: InboxSelection,
  { before, limit }: Readonly<{ before: Micros; limit: number }>,
  add: Add,
): Promise<Micros | null> {
  // One more than the page: it shows whether older ones exist.
  const times = await store.inbox.listTimes(selection, { before, limit: limit + 1 });
  const pageTimes = times.slice(0, limit);
  let last: Micros | null = null;
  for (let first = 0; first < pageTimes.length; first += BATCH) {
    for (const submission of await store.inbox.findSubmissionsAt(pageTimes.slice(first, first + BATCH))) {
      if (!add(submission)) return last;
      last = submission.createdAt;
    }
    await yieldToEventLoop();
  }
  return times.length > limit ? (pageTimes.at(-1) ?? null) : null;
}

/** Returns the envelope of a page. `items` are JSON; `next` is the time to continue from, null at the end. */
export function pageJson(items: readonly string[], next: Micros | null): JsonText {
  const cursor = JSON.stringify(next === null ? null : formatTime(next));
  return new JsonText(`{"success":true,"data":{"items":[${items.join()}],"next_cursor":${cursor}}}`);
}
