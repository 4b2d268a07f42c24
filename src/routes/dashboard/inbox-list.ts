import type { Form } from '../../domain/form.ts';
import { INBOX_VIEWS, type InboxSelection, type InboxView } from '../../domain/inbox.ts';
import { startOfDate } from '../../domain/time-zone.ts';

/** A list of submissions, as the query of a page names it; an empty text stands for no condition. */
export type InboxList = Readonly<{
  /** The form whose list it is, or `inbox` for the one across forms. */
  in: string;
  part: InboxView;
  /** Ids. */
  workspace: string;
  form: string;
  /** The first and the last day, such as `2026-11-21`. */
  from: string;
  to: string;
  /** What is searched for. */
  q: string;
}>;

const LONGEST_QUERY = 200;

/** The list that a query names; `fallback` is whose it is where the query does not say. */
export function readList(query: URLSearchParams, fallback: string): InboxList {
  const text = (name: string) => (query.get(name) ?? '').trim().slice(0, LONGEST_QUERY);
  return {
    in: text('in') || fallback,
    part: INBOX_VIEWS.find((known) => known === query.get('part')) ?? 'inbox',
    workspace: text('workspace'),
    form: text('form'),
    from: text('from'),
    to: text('to'),
    q: text('q'),
  };
}

/** A list as a query, such as `in=inbox&part=spam`; `readList` reads it. */
export function listQuery(list: InboxList): string {
  return new URLSearchParams(
    Object.entries(list).filter(([name, value]) => value !== '' && !(name === 'part' && value === 'inbox')),
  ).toString();
}

/** Where a list is shown. `more` goes into the query. */
export function listAddress(list: InboxList, more: Readonly<Record<string, string>> = {}, below = ''): string {
  const { in: place, ...conditions } = list;
  const path = place === 'inbox' ? '/dashboard/inbox' : `/dashboard/forms/${encodeURIComponent(place)}`;
  const query = new URLSearchParams(listQuery({ ...conditions, in: '' }));
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return `${path}${below}${query.size > 0 ? '?' : ''}${query}`;
}

/** Where a submission of the list is shown, or what lies below that. */
export function submissionAddress(id: string, list: InboxList, below = ''): string {
  return `/dashboard/submissions/${id}${below}?${listQuery(list)}`;
}

/** Whether there are such days. */
export function hasDays({ from, to }: InboxList): boolean {
  return [from, to].every((date) => date === '' || startOfDate(date, 'UTC') !== null);
}

/** What the list holds of these forms, in days of that zone. A day that there is not bounds nothing. */
export function selectionOf(list: InboxList, forms: readonly Form[], timeZone: string): InboxSelection {
  const isMeant = ({ id, workspaceId }: Form) =>
    (list.workspace === '' || workspaceId === list.workspace) && (list.form === '' || id === list.form);
  return {
    formIds: forms.filter(isMeant).map(({ id }) => id),
    part: list.part,
    from: startOfDate(list.from, timeZone),
    until: startOfDate(list.to, timeZone, 1),
  };
}
