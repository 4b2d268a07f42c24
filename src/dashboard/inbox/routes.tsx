/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import type { InboxSelection } from '../../domain/inbox.ts';
import { formatTime, type Micros, parseTime } from '../../lib/clock.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { requireForm } from '../../services/forms.ts';
import { action, type DashboardRoute, type PageContext, page } from '../page.ts';
import { flash } from '../ui/flash.ts';
import { hasDays, readList, selectionOf } from '../ui/inbox-list.ts';
import { type Page, partAnswer } from '../ui/layout.tsx';
import { bulkAction } from './bulk-action.tsx';
import { ListView, MAX_UNREAD, UnreadBadge } from './list-view.tsx';
import type { Place } from './place.ts';
import { rowOf, rowsAt } from './row.ts';
import { Rows } from './row-view.tsx';
import { searchInbox } from './search.ts';

const PAGE = 50;

/** Lists of submissions, of a form and across forms: filtered, searched, with bulk actions. */
export function inboxRoutes(context: Context): readonly DashboardRoute[] {
  const { store } = context;
  const searches = new Semaphore(1);

  const acrossForms = async ({ team, query }: PageContext<'read'>): Promise<Place> => {
    const list = { ...readList(query, 'inbox'), in: 'inbox' };
    const [forms, workspaces] = await Promise.all([store.listForms(team.id), store.listWorkspaces(team.id)]);
    const isInTeam =
      ['', ...workspaces.map(({ id }) => id)].includes(list.workspace) &&
      ['', ...forms.map(({ id }) => id)].includes(list.form);
    if (!isInTeam) throw new AppError('not_found', 'There is no such form or workspace in this team.');
    return { list, forms, workspaces, form: null };
  };

  const ofForm = async ({ team, query, param }: PageContext<'read'>): Promise<Place> => {
    const form = await requireForm(store, param('formId'), team.id);
    const list = { ...readList(query, form.id), in: form.id, workspace: '', form: '' };
    return { list, forms: [form], workspaces: [], form };
  };

  const showList = async ({ viewer, query }: PageContext<'read'>, place: Place): Promise<Page> => {
    const { list, forms, form } = place;
    const selection = selectionOf(list, forms, viewer.timeZone);
    const before = cursorIn(query, 'before');
    const isInvalidDay = !hasDays(list);
    const content =
      list.q === '' ? await readPage(selection, forms, before) : await search(selection, place, before, query);
    const unread = await store.countUnread(selection.formIds, MAX_UNREAD);
    const { texts } = viewer;
    const props = { viewer, place, unread, isInvalidDay, isFirst: before === null, ...content };
    return {
      title: form ? `${texts.form.submissions} · ${form.name}` : texts.sections.inbox,
      section: form ? 'forms' : 'inbox',
      done: flash(texts.inbox.done, query),
      status: isInvalidDay ? 400 : 200,
      body: <ListView {...props} />,
    };
  };

  const readPage = async (selection: InboxSelection, forms: readonly Form[], before: Micros | null) => {
    // One more than a page: it shows whether an older page exists.
    const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE + 1 };
    const times = await store.listInboxTimes(selection, page);
    const { rows, reached } = await rowsAt(context, forms, times.slice(0, PAGE));
    return { rows, older: reached ?? (times.length > PAGE ? (times[PAGE - 1] ?? null) : null), search: null };
  };

  const search = async (selection: InboxSelection, place: Place, before: Micros | null, query: URLSearchParams) => {
    const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE };
    const { found, searched, reached } = await searchInbox(context, selection, place.list.q, page, searches);
    const rows = found.flatMap(({ submission, excerpt }) => rowOf(context, place.forms, submission, excerpt));
    const totals = { found: countIn(query, 'found') + found.length, searched: countIn(query, 'looked') + searched };
    return { rows, older: null, search: { ...totals, reached } };
  };

  /** Returns submissions that arrived after the newest row, oldest first: a burst is fetched in several requests. */
  const showNew = async ({ viewer, query }: PageContext<'read'>, { list, forms }: Place): Promise<Response> => {
    const selection = selectionOf(list, forms, viewer.timeZone);
    const times = await store.listInboxTimes(selection, { after: cursorIn(query, 'after') ?? 0, limit: PAGE });
    if (times.length === 0) return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
    const { rows, reached } = await rowsAt(context, forms, times);
    const unread = await store.countUnread(selection.formIds, MAX_UNREAD);
    return partAnswer(
      <>
        <p>{viewer.texts.inbox.arrived(rows.length)}</p>
        <UnreadBadge viewer={viewer} unread={unread} />
        <ul data-after={formatTime(reached ?? times.at(-1) ?? 0)}>
          <Rows viewer={viewer} list={list} rows={rows.toReversed()} />
        </ul>
      </>,
    );
  };

  return [
    page('/dashboard/inbox', { access: 'read' }, async (page) => showList(page, await acrossForms(page))),
    page('/dashboard/inbox/new', { access: 'read' }, async (page) => showNew(page, await acrossForms(page))),
    page('/dashboard/forms/:formId/submissions', { access: 'read' }, async (page) =>
      showList(page, await ofForm(page)),
    ),
    page('/dashboard/forms/:formId/submissions/new', { access: 'read' }, async (page) =>
      showNew(page, await ofForm(page)),
    ),
    action('/dashboard/submissions', { access: 'edit', audit: 'submission.marked' }, bulkAction(context)),
  ];
}

function cursorIn(query: URLSearchParams, name: string): Micros | null {
  const text = query.get(name);
  if (text === null) return null;
  const time = parseTime(text);
  if (time === null) throw new AppError('invalid_input', `The parameter ${name} is not a time.`);
  return time;
}

function countIn(query: URLSearchParams, name: string): number {
  const count = Number(query.get(name) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
