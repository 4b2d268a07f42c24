import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import type { InboxSelection } from '../../domain/inbox.ts';
import { formatTime, type Micros, parseTime } from '../../lib/clock.ts';
import { html } from '../../lib/html.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { Note } from '../../services/audit.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { markSubmission } from '../../services/mark-submission.ts';
import { action, type PageContext, page, redirectTo } from '../page.ts';
import { flash } from '../ui/flash.ts';
import { hasDays, listAddress, readList, selectionOf } from '../ui/inbox-list.ts';
import { type Page, partAnswer } from '../ui/layout.tsx';
import { rowOf, rowsAt, rowViews } from './row.ts';
import { searchInbox } from './search.ts';
import { deleteQuestion, listView, MOST_UNREAD, type Place, unreadBadge } from './view.ts';

const PAGE = 50;
/** Of those that are changed at once so many are named in the audit; all are counted. */
const MOST_RECORDED = 100;

/** Submissions of a form, and of all forms of the team: listed, searched, and worked on many at once. */
export function inboxRoutes(context: Context) {
  const { store, blobs, clock, mail } = context;
  const searches = new Semaphore(1);

  const acrossForms = async ({ team, query }: PageContext<'read'>): Promise<Place> => {
    const list = { ...readList(query, 'inbox'), in: 'inbox' };
    const [forms, workspaces] = await Promise.all([store.listForms(team.id), store.listWorkspaces(team.id)]);
    const isTheirs =
      ['', ...workspaces.map(({ id }) => id)].includes(list.workspace) &&
      ['', ...forms.map(({ id }) => id)].includes(list.form);
    if (!isTheirs) throw new AppError('not_found', 'There is no such form or workspace in this team.');
    return { list, forms, workspaces, form: null };
  };

  const ofForm = async ({ team, query, param }: PageContext<'read'>): Promise<Place> => {
    const form = await store.findForm(param('formId'), team.id);
    if (!form) throw new AppError('not_found', 'There is no such form in this team.');
    const list = { ...readList(query, form.id), in: form.id, workspace: '', form: '' };
    return { list, forms: [form], workspaces: [], form };
  };

  const showList = async ({ viewer, query }: PageContext<'read'>, place: Place): Promise<Page> => {
    const { list, forms, form } = place;
    const selection = selectionOf(list, forms, viewer.timeZone);
    const before = cursorIn(query, 'before');
    const isFaulty = !hasDays(list);
    const content =
      list.q === '' ? await readPage(selection, forms, before) : await search(selection, place, before, query);
    const unread = await store.countUnread(selection.formIds, MOST_UNREAD);
    const { texts } = viewer;
    return {
      title: form ? `${texts.form.submissions} · ${form.name}` : texts.sections.inbox,
      section: form ? 'forms' : 'inbox',
      done: flash(texts.inbox.done, query),
      status: isFaulty ? 400 : 200,
      body: listView(viewer, place, { ...content, isFirst: before === null, isFaulty, unread }),
    };
  };

  const readPage = async (selection: InboxSelection, forms: readonly Form[], before: Micros | null) => {
    // One more than shown tells whether anything older is left.
    const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE + 1 };
    const times = await store.listInboxTimes(selection, page);
    const rows = await rowsAt(context, forms, times.slice(0, PAGE));
    return { rows, older: times.length > PAGE ? (times[PAGE - 1] ?? null) : null, search: null };
  };

  const search = async (selection: InboxSelection, place: Place, before: Micros | null, query: URLSearchParams) => {
    const page = { before: before ?? Number.MAX_SAFE_INTEGER, limit: PAGE };
    const { found, looked, reached } = await searchInbox(context, selection, place.list.q, page, searches);
    const rows = found.flatMap(({ submission, excerpt }) => rowOf(context, place.forms, submission, excerpt));
    const soFar = { found: countIn(query, 'found') + found.length, looked: countIn(query, 'looked') + looked };
    return { rows, older: null, search: { ...soFar, reached } };
  };

  /** What came since; the oldest of that first, so that none is passed over where many came. */
  const showNew = async ({ viewer, query }: PageContext<'read'>, { list, forms }: Place): Promise<Response> => {
    const selection = selectionOf(list, forms, viewer.timeZone);
    const times = await store.listInboxTimes(selection, { after: cursorIn(query, 'after') ?? 0, limit: PAGE });
    if (times.length === 0) return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
    const rows = await rowsAt(context, forms, times.toReversed());
    const unread = await store.countUnread(selection.formIds, MOST_UNREAD);
    return partAnswer(html`<p>${viewer.texts.inbox.arrived(times.length)}</p>${unreadBadge(viewer, unread)}
<ul data-after="${formatTime(times.at(-1) ?? 0)}">${rowViews(viewer, list, rows)}</ul>`);
  };

  /**
   * Does to each what it says; whether the team has any of them. Each is a commit, and others get a turn in between. What
   * is done is noted one by one, for it stays done should a later one fail.
   */
  const toEach = async (
    ids: readonly string[],
    note: Note,
    act: (id: string) => Promise<boolean>,
  ): Promise<boolean> => {
    const done: string[] = [];
    for (const id of ids) {
      if (await act(id)) {
        done.push(id);
        note({ count: done.length, submission_ids: done.slice(0, MOST_RECORDED).join(' ') });
      }
      await yieldToEventLoop();
    }
    return done.length > 0;
  };

  const markEach = (ids: readonly string[], isSpam: boolean, { team: { id: teamId }, note }: PageContext<'read'>) => {
    note({ is_spam: isSpam });
    return toEach(ids, note, async (id) => {
      if (!(await store.findSubmission(id, teamId))) return false;
      await markSubmission(context, id, isSpam, teamId);
      return true;
    });
  };

  const markAsRead = async (ids: readonly string[], at: Micros | null, { team, note }: PageContext<'read'>) => {
    note({}, { action: null });
    return (await store.markRead(ids, team.id, at)) > 0;
  };

  const deleteEach = (ids: readonly string[], { team, note }: PageContext<'read'>) => {
    note({}, { action: 'submission.deleted' });
    return toEach(ids, note, (id) => deleteSubmission({ store, blobs }, id, team.id));
  };

  const ACTIONS: Readonly<Record<string, (ids: readonly string[], page: PageContext<'read'>) => Promise<boolean>>> = {
    read: (ids, page) => markAsRead(ids, clock(), page),
    unread: (ids, page) => markAsRead(ids, null, page),
    spam: (ids, page) => markEach(ids, true, page),
    genuine: (ids, page) => markEach(ids, false, page),
    deleted: deleteEach,
  };

  /** Those that were deleted meanwhile are passed over. */
  const actOnMany = async (page: PageContext<'read'>, sent: URLSearchParams): Promise<Page | Response> => {
    const { viewer, team, note } = page;
    const list = readList(new URLSearchParams(sent.get('list') ?? ''), 'inbox');
    const ids = [...new Set(sent.getAll('submission'))];
    const what = sent.get('do') ?? '';
    if (ids.length === 0 || what === 'delete') note({}, { action: null });
    if (ids.length === 0) return redirectTo(listAddress(list, { done: 'none' }));
    if (what === 'delete') {
      const theirs: string[] = [];
      for (const id of ids) {
        if (await store.findSubmission(id, team.id)) theirs.push(id);
        await yieldToEventLoop();
      }
      return theirs.length === 0 ? noneOfTheirs() : deleteQuestion(viewer, list, theirs);
    }
    const act = Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined;
    if (!act) throw new AppError('invalid_input', 'That is nothing that can be done with submissions.');
    if (!(await act(ids, page))) noneOfTheirs();
    if (what === 'genuine') mail?.outbox.wake();
    return redirectTo(listAddress(list, { done: what }));
  };

  return [
    page('/dashboard/inbox', { access: 'read' }, async (page) => showList(page, await acrossForms(page))),
    page('/dashboard/inbox/new', { access: 'read' }, async (page) => showNew(page, await acrossForms(page))),
    page('/dashboard/forms/:formId', { access: 'read' }, async (page) => showList(page, await ofForm(page))),
    page('/dashboard/forms/:formId/new', { access: 'read' }, async (page) => showNew(page, await ofForm(page))),
    action('/dashboard/submissions', { access: 'edit', audit: 'submission.marked' }, actOnMany),
  ];
}

function noneOfTheirs(): never {
  throw new AppError('not_found', 'There is no such submission in this team.');
}

function cursorIn(query: URLSearchParams, name: string): Micros | null {
  const text = query.get(name);
  if (text === null) return null;
  const time = parseTime(text);
  if (time === null) throw new AppError('invalid_input', 'This address names a time that is none.');
  return time;
}

function countIn(query: URLSearchParams, name: string): number {
  const count = Number(query.get(name) ?? 0);
  return Number.isSafeInteger(count) && count > 0 ? count : 0;
}
