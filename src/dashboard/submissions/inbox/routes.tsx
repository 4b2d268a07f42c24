/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../../context/server-context.ts';
import { AppError } from '../../../domain/errors.ts';
import { INBOX_LAYOUTS, type InboxSelection, type InboxView } from '../../../domain/submissions/inbox.ts';
import { formatTime } from '../../../lib/clock.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import { requireForm } from '../../../services/forms/forms.ts';
import { listViews, saveView } from '../../../services/submissions/inbox-views.ts';
import { action, type DashboardRoute, type Page, type PageContext, page, redirectTo, withAssets } from '../../page.ts';
import { COUNT_LIMIT } from '../../ui/count.ts';
import { getSelection, hasDays, listAddress, listQuery, readList, readPostedList } from '../../ui/inbox-list.ts';
import { partAnswer } from '../../ui/layout.tsx';
import { SUBMISSION_ASSETS } from '../assets.ts';
import { changeSelected, undoChange } from './bulk-post.tsx';
import type { LayoutChoice } from './bulk-view.tsx';
import { fieldNames, getColumns } from './columns.ts';
import { cursorIn, PAGE, readContent } from './list-content.ts';
import { type ListContent, ListView, UnreadBadge } from './list-view.tsx';
import { type Place, type RowReader, rowsAt } from './row.ts';
import { Rows } from './row-view.tsx';
import { INBOX_TEXTS } from './texts.ts';
import { UndoLog } from './undo-log.ts';

/** Submissions that match are counted up to this limit, as many as one action changes. */
const MAX_COUNTED = 10_000;
const MAX_ASSIGNED = 1_000;

type ReadPage = PageContext<'read'>;

/** Lists of submissions, of a form and across forms: filtered, searched, with bulk actions and saved views. */
export function inboxRoutes({ clock }: SharedContext): readonly DashboardRoute[] {
  const searches = new Semaphore(1);
  const undoLog = new UndoLog(clock);
  const ofForm = '/dashboard/forms/:formId/submissions';
  return withAssets(SUBMISSION_ASSETS, [
    page('/dashboard/inbox', { access: 'read' }, async (page) =>
      showList(page, await findAllForms(page), searches, undoLog),
    ),
    page('/dashboard/inbox/new', { access: 'read' }, async (page) => showNew(page, await findAllForms(page))),
    action('/dashboard/inbox/views', { access: 'read', audit: null }, createView),
    action('/dashboard/inbox/views/:viewId/delete', { access: 'read', audit: null }, deleteView),
    page(ofForm, { access: 'read' }, async (page) => showList(page, await findOneForm(page), searches, undoLog)),
    page(`${ofForm}/new`, { access: 'read' }, async (page) => showNew(page, await findOneForm(page))),
    action('/dashboard/forms/:formId/layout', { access: 'read', audit: null }, setLayout),
    action('/dashboard/submissions', { access: 'edit', audit: 'submission.marked' }, (page, form) =>
      changeSelected(page, form, undoLog, searches),
    ),
    action('/dashboard/submissions/undo', { access: 'edit', audit: 'submission.marked' }, (page, form) =>
      undoChange(page, form, undoLog),
    ),
  ]);
}

async function findAllForms({ context, team, query }: ReadPage): Promise<Place> {
  const { store } = context;
  const list = { ...readList(query, 'inbox'), in: 'inbox', sort: '' };
  const [forms, workspaces] = await Promise.all([store.forms.list(team.id), store.workspaces.list(team.id)]);
  const isInTeam =
    ['', ...workspaces.map(({ id }) => id)].includes(list.workspace) &&
    ['', ...forms.map(({ id }) => id)].includes(list.form);
  if (!isInTeam) throw new AppError('not_found', 'There is no such form or workspace in this team.');
  return { list, forms, workspaces, form: null };
}

/** Returns the ids of forms and workspaces that a limited viewer may filter by; empty for no filter. */
async function findSeen({ context: { store }, team }: ReadPage): Promise<ReadonlySet<string>> {
  const all = [...(await store.forms.list(team.id)), ...(await store.workspaces.list(team.id))];
  return new Set(['', ...all.map(({ id }) => id)]);
}

async function findOneForm({ context, team, query, param }: ReadPage): Promise<Place> {
  const form = await requireForm(context.store, param('formId'), team.id);
  const list = { ...readList(query, form.id), in: form.id, workspace: '', form: '' };
  return { list, forms: [form], workspaces: [], form };
}

async function readLayout({ context, user }: ReadPage, { form }: Place): Promise<LayoutChoice | null> {
  if (!form) return null;
  const stored = await context.store.inboxPreferences.findLayout(user.id, form.id);
  if (stored?.layout !== 'table') return { form, isTable: false, fields: [], columns: [] };
  const fields = await fieldNames(context, form);
  return { form, isTable: true, fields, columns: getColumns(fields, stored.columns) };
}

function createReader({ context, viewer }: ReadPage, { forms, list }: Place, columns: readonly string[]): RowReader {
  return { context, viewer, forms, columns, withReasons: list.part === 'spam' || list.part === 'maybe' };
}

/** Returns the number that matches a list as text; null if the page has all of it, empty for a search. */
async function countMatching(
  { context, viewer: { number } }: ReadPage,
  selection: InboxSelection,
  { newest, older, search }: ListContent,
): Promise<string | null> {
  if (newest === null && older === null) return null;
  if (search !== null) return '';
  // The index of assigned submissions does not tell which are in the trash.
  const max = selection.part === 'assigned' ? MAX_ASSIGNED : MAX_COUNTED;
  const count = await context.store.inbox.count(selection, max);
  return count < max ? number(count) : `${number(max)}+`;
}

async function showList(page: ReadPage, base: Place, searches: Semaphore, undoLog: UndoLog): Promise<Page> {
  const { context, viewer, query, user, team, session } = page;
  const { inbox } = context.store;
  const layout = await readLayout(page, base);
  const place = layout?.isTable ? base : { ...base, list: { ...base.list, sort: '' } };
  const { list, forms, form } = place;
  const selection = getSelection(list, forms, viewer.timeZone, user.id);
  const isInvalidDay = !hasDays(list);
  const reader = createReader(page, place, layout?.columns ?? []);
  const content = await readContent({ context, reader, place, selection, query }, searches);
  const matching = await countMatching(page, selection, content);
  const unread = await inbox.countUnread(selection.formIds, COUNT_LIMIT);
  const countPart = (part: InboxView) =>
    inbox.count({ formIds: selection.formIds, part, from: null, until: null }, COUNT_LIMIT);
  const [maybeSpam, spam] = [await countPart('maybe'), await countPart('spam')];
  const unconfirmed = await countPart('unconfirmed');
  const views = (await listViews(context, { userId: user.id, teamId: team.id })).map((view) => {
    return { ...view, list: readList(new URLSearchParams(view.query), 'inbox') };
  });
  const seen = viewer.seesAll || views.length === 0 ? null : await findSeen(page);
  const token = query.get('undo') ?? '';
  const { texts } = viewer;
  const body = (
    <ListView
      {...content}
      {...{ viewer, place, query, isInvalidDay, unread, maybeSpam, unconfirmed, spam, matching, layout }}
      now={context.clock()}
      isFirst={content.newest === null}
      views={seen ? views.filter(({ list }) => seen.has(list.form) && seen.has(list.workspace)) : views}
      members={viewer.membership?.isShared && viewer.can('edit') ? await context.store.members.list(team.id) : []}
      undo={undoLog.has(session.id, token) ? token : null}
    />
  );
  return {
    title: form ? `${texts.form.submissions} · ${form.name}` : texts.sections.inbox,
    section: form ? 'forms' : 'inbox',
    status: isInvalidDay ? 400 : 200,
    body,
  };
}

/** Returns submissions that arrived after the newest row, oldest first: a burst is fetched in several requests. */
async function showNew(page: ReadPage, place: Place): Promise<Response> {
  const { context, viewer, query, user } = page;
  const { inbox } = context.store;
  const { list, forms } = place;
  const selection = getSelection(list, forms, viewer.timeZone, user.id);
  const times = await inbox.listTimes(selection, { after: cursorIn(query, 'after') ?? 0, limit: PAGE });
  if (times.length === 0) return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
  const { rows, reached } = await rowsAt(createReader(page, place, []), times);
  const unread = await inbox.countUnread(selection.formIds, COUNT_LIMIT);
  const names = [...new Set(rows.map(({ form }) => form.name))];
  return partAnswer(
    <>
      <p data-forms={names.join(', ')}>{INBOX_TEXTS[viewer.language].arrived(rows.length)}</p>
      <UnreadBadge viewer={viewer} unread={unread} />
      <ul data-after={formatTime(reached ?? times.at(-1) ?? 0)}>
        <Rows viewer={viewer} list={list} rows={rows.toReversed()} now={context.clock()} />
      </ul>
    </>,
  );
}

/** Stores the layout of a form's submissions, and the columns of a table. */
async function setLayout({ context, user, team, param }: ReadPage, input: URLSearchParams): Promise<Response> {
  const { inboxPreferences } = context.store;
  const form = await requireForm(context.store, param('formId'), team.id);
  const { id } = form;
  const layout = INBOX_LAYOUTS.find((layout) => layout === input.get('layout')) ?? 'list';
  const names = await fieldNames(context, form);
  const picked = names.filter((name) => input.getAll('column').includes(name));
  // Only a table has a column picker next to the layout buttons.
  const columns = input.has('picks') ? picked : ((await inboxPreferences.findLayout(user.id, id))?.columns ?? []);
  await inboxPreferences.setLayout(user.id, id, { layout, columns });
  const list = readPostedList(input, id);
  return redirectTo(listAddress({ ...list, in: id, ...(layout === 'list' && { sort: '' }) }));
}

async function createView({ context, user, team }: ReadPage, form: URLSearchParams): Promise<Response> {
  const list = readPostedList(form, 'inbox');
  const name = (form.get('name') ?? '').trim();
  if (name === '') return redirectTo(listAddress(list, { done: 'noName' }));
  const view = { name, query: listQuery(list), isTab: form.has('tab') };
  const isSaved = await saveView(context, { userId: user.id, teamId: team.id }, view);
  return redirectTo(listAddress(list, { done: isSaved ? 'viewSaved' : 'tooManyViews' }));
}

async function deleteView({ context, user, team, param }: ReadPage, form: URLSearchParams): Promise<Response> {
  const list = readPostedList(form, 'inbox');
  const isDeleted = await context.store.inboxPreferences.deleteView(param('viewId'), user.id, team.id);
  if (!isDeleted) throw new AppError('not_found', 'There is no such saved view.');
  return redirectTo(listAddress(list, { done: 'viewDeleted' }));
}
