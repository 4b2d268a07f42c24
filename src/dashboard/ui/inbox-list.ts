import type { Form } from '../../domain/forms/form.ts';
import { INBOX_VIEWS, type InboxSelection } from '../../domain/submissions/inbox.ts';
import { startOfDate } from '../../domain/users/time-zone.ts';

/** A list of submissions and its filter, as in the query of a page. Empty texts filter nothing. */
export type InboxList = Readonly<ReturnType<typeof readList>>;

const LONGEST_QUERY = 200;

/** Reads a list from a query. `fallback` is the default of `in`. */
export function readList(query: URLSearchParams, fallback: string) {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, LONGEST_QUERY);
  return {
    /** The id of a form, or `inbox` for the list across forms. */
    in: text('in') || fallback,
    part: INBOX_VIEWS.find((view) => view === query.get('part')) ?? 'inbox',
    /** Ids. */
    workspace: text('workspace'),
    form: text('form'),
    /** First and last day, such as `2026-11-21`. */
    from: text('from'),
    to: text('to'),
    /** The search term. */
    q: text('q'),
    /** The name or label of a field, which has an answer or that `value`; a value alone may be in any field. */
    field: text('field'),
    value: text('value'),
    /** `yes` for those with files alone, and for those assigned to nobody. */
    files: text('files'),
    unassigned: text('unassigned'),
    /** The order of a table: `oldest` first, or `up` or `down` by a field, such as `up name`. Empty for newest first. */
    sort: text('sort'),
  };
}

/** Reads the list from the field `list` of a form. */
export function readPostedList(form: URLSearchParams, fallback: string): InboxList {
  return readList(new URLSearchParams(form.get('list') ?? ''), fallback);
}

/** Returns the section of the menu that a list belongs to. */
export const getSection = (list: InboxList): 'inbox' | 'forms' => (list.in === 'inbox' ? 'inbox' : 'forms');

/** Returns a list as a query for `readList`, such as `in=inbox&part=spam`. */
export function listQuery(list: InboxList): string {
  return new URLSearchParams(
    Object.entries(list).filter(([name, value]) => value !== '' && !(name === 'part' && value === 'inbox')),
  ).toString();
}

/** Returns the address of a list. `more` is added to the query, `below` to the path. */
export function listAddress(list: InboxList, more: Readonly<Record<string, string>> = {}, below = ''): string {
  const { in: place, ...conditions } = list;
  const path = place === 'inbox' ? '/dashboard/inbox' : `/dashboard/forms/${encodeURIComponent(place)}/submissions`;
  const query = new URLSearchParams(listQuery({ ...conditions, in: '' }));
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `${path}${below}${query.size > 0 ? '?' : ''}${query}`;
}

/** Returns the address of a listed submission. `below` is added to the path. */
export function submissionAddress(id: string, list: InboxList, below = ''): string {
  return `/dashboard/submissions/${id}${below}?${listQuery(list)}`;
}

/** Returns false if a day is invalid. */
export function hasDays({ from, to }: InboxList): boolean {
  return [from, to].every((date) => date === '' || startOfDate(date, 'UTC') !== null);
}

/** Tells if a list has conditions that no index knows, because values are sealed: it is searched. */
export function isSearched({ q, field, value, files, unassigned }: InboxList): boolean {
  return [q, field, value, files, unassigned].some(Boolean);
}

/** Returns false for an archived form in a list across forms. */
export function isListed({ id, archivedAt }: Form, list: InboxList): boolean {
  return archivedAt === null || [list.in, list.form].includes(id);
}

/**
 * Returns the selection of a list among these forms, with days in that time zone. Invalid days are ignored. The view
 * `assigned` needs the viewer's `userId`.
 */
export function getSelection(list: InboxList, forms: readonly Form[], timeZone: string, userId = ''): InboxSelection {
  const isSelected = (form: Form) =>
    (list.workspace === '' || form.workspaceId === list.workspace) &&
    (list.form === '' ? isListed(form, list) : form.id === list.form);
  return {
    formIds: forms.filter(isSelected).map(({ id }) => id),
    part: list.part,
    userId,
    from: startOfDate(list.from, timeZone),
    until: startOfDate(list.to, timeZone, 1),
  };
}
