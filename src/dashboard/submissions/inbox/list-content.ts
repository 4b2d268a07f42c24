import type { Context } from '../../../context/context.ts';
import { invalidInput } from '../../../domain/errors.ts';
import type { InboxSelection } from '../../../domain/submissions/inbox.ts';
import { formatTime, type Micros, parseTime } from '../../../lib/clock.ts';
import { normalize } from '../../../lib/normalize.ts';
import type { Semaphore } from '../../../lib/semaphore.ts';
import { searchSubmissions, toWords } from '../../../services/submissions/search.ts';
import { isSearched, listAddress } from '../../ui/inbox-list.ts';
import { excerptAround } from '../../ui/payload-text.ts';
import { sortRows } from './columns.ts';
import { type ListContent, nextOfSearch } from './list-view.tsx';
import { type InboxRow, type Place, type RowReader, rowsAt, toRow } from './row.ts';
import { toTerms } from './search.ts';

/** Submissions on a page. */
export const PAGE = 50;
/** Submissions among which a table is sorted by a column. */
const MAX_SORTED = 300;

/** A list to read: its selection, and the query with the cursor. */
export type ListRequest = Readonly<{
  context: Context;
  reader: RowReader;
  place: Place;
  selection: InboxSelection;
  query: URLSearchParams;
}>;

/** Reads a page of a list: the newest first, or searched, or in the order of a table. */
export function readContent(request: ListRequest, searches: Semaphore): Promise<ListContent> {
  const { list } = request.place;
  if (isSearched(list)) return search(request, searches);
  const column = request.reader.columns.indexOf(list.sort.replace(/^\w+ /, ''));
  const order = list.sort.startsWith('up ') ? 'up' : list.sort.startsWith('down ') ? 'down' : null;
  if (order !== null && column >= 0) return readSorted(request, column, order);
  return readPage(request, list.sort === 'oldest' ? 'after' : 'before');
}

/** Reads a page of submissions before a time, newest first, or after one, oldest first. */
async function readPage(
  { context, reader, place: { list }, selection, query }: ListRequest,
  side: 'before' | 'after',
): Promise<ListContent> {
  const cursor = cursorIn(query, side);
  // One more than a page: it shows whether a further page exists.
  const limit = PAGE + 1;
  const page = side === 'after' ? { after: cursor ?? -1, limit } : { before: cursor ?? Number.MAX_SAFE_INTEGER, limit };
  const times = await context.store.inbox.listTimes(selection, page);
  const { rows, reached } = await rowsAt(reader, times.slice(0, PAGE));
  const next = reached ?? (times.length > PAGE ? times[PAGE - 1] : undefined);
  return {
    rows,
    newest: cursor === null ? null : listAddress(list),
    older: next === undefined ? null : listAddress(list, { [side]: formatTime(next) }),
    search: null,
    sortedAmong: null,
  };
}

/** Sorts the newest submissions by a column. Values are sealed, so that no index can do that. */
async function readSorted(request: ListRequest, column: number, order: 'up' | 'down'): Promise<ListContent> {
  const { context, reader, place, selection, query } = request;
  const { list } = place;
  const page = { before: Number.MAX_SAFE_INTEGER, limit: MAX_SORTED };
  const { rows } = await rowsAt(reader, await context.store.inbox.listTimes(selection, page));
  const sorted = sortRows(rows, column, order, reader.viewer.language);
  const skip = countIn(query, 'skip');
  const next = skip + PAGE;
  return {
    rows: sorted.slice(skip, next),
    newest: skip === 0 ? null : listAddress(list),
    older: next < sorted.length ? listAddress(list, { skip: String(next) }) : null,
    search: null,
    sortedAmong: sorted.length,
  };
}

async function search(request: ListRequest, searches: Semaphore): Promise<ListContent> {
  const { context, reader, place, selection, query } = request;
  const { list, forms } = place;
  const before = cursorIn(query, 'before');
  const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE };
  const terms = toTerms(list, forms, reader.viewer);
  const { found, searched, reached } = await searchSubmissions(context, selection, terms, page, searches);
  const words = toWords(list.q);
  const rows = found.flatMap(({ submission, text, at }) =>
    toRow(reader, submission).map((row) =>
      isVisible(row, words) ? row : { ...row, excerpt: excerptAround(text, at) },
    ),
  );
  const progress = {
    found: countIn(query, 'found') + found.length,
    searched: countIn(query, 'looked') + searched,
    reached,
  };
  return {
    rows,
    newest: before === null ? null : listAddress(list),
    older: nextOfSearch(list, progress),
    search: progress,
    sortedAmong: null,
  };
}

/** Characters of a preview that are visible in a narrow list. */
const VISIBLE = 40;

/** Tells if the usual title and preview show all words of a search. */
function isVisible({ who, excerpt }: InboxRow, words: readonly string[]): boolean {
  const text = normalize(`${who} ${excerpt.slice(0, VISIBLE)}`, 'NFC').toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Returns the time of a cursor in the query; null without it. Throws `invalid_input` for anything else. */
export function cursorIn(query: URLSearchParams, name: string): Micros | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const time = parseTime(text);
  if (time === null) throw invalidInput(`The parameter ${name} is not a time.`);
  return time;
}

function countIn(query: URLSearchParams, name: string): number {
  const count = Number(query.get(name) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
