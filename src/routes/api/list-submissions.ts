import { type Static, t } from 'elysia';
import type { Context } from '../../context.ts';
import type { InboxSelection } from '../../domain/inbox.ts';
import type { StoredSubmission } from '../../domain/submission.ts';
import { type JsonText, withMessage } from '../../http/envelope.ts';
import type { Micros } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import { formNotFound } from '../../services/forms.ts';
import { searchSubmissions } from '../../services/search.ts';
import { serializeSubmission } from '../../services/serialize-submission.ts';
import type { Store } from '../../storage/store.ts';
import { requireForm } from './find-form.ts';
import { MAX_PAGE_BYTES, pageOf } from './page-json.ts';
import { Before, DEFAULT_LIMIT, Limit, Since, SpamFlag, timeOf } from './query.ts';

const MAX_QUERY = 200;
/** Submissions in memory at once: each can be a megabyte. */
const BATCH = 5;

export const SearchQuery = t.Object(
  {
    form: t.Optional(t.String({ description: 'The ID or short ID of a form. Without it, all forms of the team.' })),
    q: t.Optional(
      withMessage(
        t.String({
          maxLength: MAX_QUERY,
          description:
            'Only submissions that contain all these words, ignoring case, as they are shown. A request searches for a ' +
            'limited time: a page can be short, even empty, and `next_cursor` continues the search.',
        }),
        `q must have at most ${MAX_QUERY} characters.`,
      ),
    ),
    spam: SpamFlag('`true` lists only submissions flagged as spam, `false` only others. Without it, both.'),
    since: Since,
    limit: Limit,
    before: Before,
  },
  { additionalProperties: true },
);

type Search = Readonly<{
  part: InboxSelection['part'];
  q: string;
  since: Micros | null;
  before: Micros;
  limit: number;
}>;

/** Parses the query of a list. Throws `invalid_input`. */
export function parseSearch({ q, spam, since, before, limit }: Static<typeof SearchQuery>): Search {
  return {
    part: spam === undefined ? 'all' : spam === 'true' ? 'spam' : 'inbox',
    q: (q ?? '').trim(),
    since: since === undefined ? null : timeOf('since', since),
    before: before === undefined ? Number.MAX_SAFE_INTEGER : timeOf('before', before),
    limit: Number(limit ?? DEFAULT_LIMIT),
  };
}

/** Returns the id of `form`, or of all forms that the key may see. Throws `not_found`. */
export async function formIdsOf(
  store: Store,
  teamId: string,
  form: string | undefined,
  allowsForm: (id: string) => boolean,
): Promise<readonly string[]> {
  const forms = form === undefined ? await store.forms.list(teamId) : [await requireForm(store, form, teamId)];
  const ids = forms.map(({ id }) => id).filter(allowsForm);
  return form !== undefined && ids.length === 0 ? formNotFound() : ids;
}

/**
 * Returns a function that lists or searches the submissions of forms, newest first, as a page of JSON. `pages` runs one
 * page at a time; searches have a turn of their own, because they take longer.
 */
export function submissionLister(context: Context, pages: Semaphore) {
  const { store } = context;
  const searches = new Semaphore(1);
  const turns = new Semaphore(1);

  const jsonOf = (submission: StoredSubmission) => {
    const { id, ...rest } = serializeSubmission(context, submission);
    return JSON.stringify({ id, form_id: submission.formId, ...rest, is_read: submission.readAt !== null });
  };

  const runSearch = async (selection: InboxSelection, { q, before, limit }: Search): Promise<JsonText> => {
    const page = new Page(jsonOf);
    const { found, reached } = await searchSubmissions(context, selection, q, { before, limit }, turns);
    for (const { submission } of found) if (!page.add(submission)) return page.end(page.last);
    return page.end(reached);
  };

  const list = async (selection: InboxSelection, { before, limit }: Search): Promise<JsonText> => {
    const page = new Page(jsonOf);
    // One more than the page: it shows whether older ones exist.
    const times = await store.inbox.listTimes(selection, { before, limit: limit + 1 });
    const wanted = times.slice(0, limit);
    for (let first = 0; first < wanted.length; first += BATCH) {
      const batch = await store.inbox.findSubmissionsAt(wanted.slice(first, first + BATCH));
      for (const submission of batch) if (!page.add(submission)) return page.end(page.last);
      await yieldToEventLoop();
    }
    return page.end(times.length > limit ? (wanted.at(-1) ?? null) : null);
  };

  return (formIds: readonly string[], search: Search): Promise<JsonText> => {
    const selection = { formIds, part: search.part, from: search.since, until: null };
    return search.q === ''
      ? pages.run(() => list(selection, search))
      : searches.run(() => runSearch(selection, search));
  };
}

/** A page of submissions as JSON, up to `MAX_PAGE_BYTES`. */
class Page {
  /** The creation time of the last submission. */
  last: Micros | null = null;
  readonly #items: string[] = [];
  #bytes = 0;

  constructor(private readonly jsonOf: (submission: StoredSubmission) => string) {}

  /** Adds a submission. Returns false if the page is full, which never holds for the first one. */
  add(submission: StoredSubmission): boolean {
    this.#bytes += submission.payload.length;
    if (this.#bytes > MAX_PAGE_BYTES && this.#items.length > 0) return false;
    this.#items.push(this.jsonOf(submission));
    this.last = submission.createdAt;
    return true;
  }

  end(next: Micros | null): JsonText {
    return pageOf(this.#items, next);
  }
}
