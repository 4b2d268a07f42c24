import { Elysia } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import type { Form } from '../../domain/form.ts';
import { INBOX_PARTS, type InboxSelection } from '../../domain/inbox.ts';
import type { Workspace } from '../../domain/team.ts';
import { formatTime, type Micros, parseTime } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { Turns } from '../../lib/turns.ts';
import type { Note } from '../../services/audit.ts';
import { deleteSubmission } from '../../services/delete-submission.ts';
import { markSubmission } from '../../services/mark-submission.ts';
import { doneText } from './done-text.ts';
import { formHead } from './form-head.ts';
import { hasDays, type InboxList, listAddress, listQuery, readList, selectionOf } from './inbox-list.ts';
import { type InboxRow, newestOf, rowOf, rowsAt, rowViews } from './inbox-row.ts';
import { searchInbox } from './inbox-search.ts';
import { type Page, partAnswer } from './layout.ts';
import type { Reader } from './reader.ts';
import { redirectTo, type SignedInVisit, UNREAD_BODY, type Visits } from './visit.ts';

const PAGE = 50;
/** Of those that are changed at once so many are named in the audit; all are counted. */
const MOST_RECORDED = 100;
/** Unread ones are counted so far and no further. */
const MOST_UNREAD = 100;

/** Submissions of a form, and of all forms of the team: listed, searched, and worked on many at once. */
export function inboxPages(context: Context, visits: Visits) {
  const { store, blobs, clock, mail } = context;
  const searches = new Turns(1);

  const acrossForms = async ({ team, query }: SignedInVisit): Promise<Place> => {
    const list = { ...readList(query, 'inbox'), in: 'inbox' };
    const [forms, workspaces] = await Promise.all([store.listForms(team.id), store.listWorkspaces(team.id)]);
    const isTheirs =
      ['', ...workspaces.map(({ id }) => id)].includes(list.workspace) &&
      ['', ...forms.map(({ id }) => id)].includes(list.form);
    if (!isTheirs) throw new AppError('not_found', 'There is no such form or workspace in this team.');
    return { list, forms, workspaces, form: null };
  };

  const ofForm = async ({ team, query, param }: SignedInVisit): Promise<Place> => {
    const form = await store.findForm(param('formId'), team.id);
    if (!form) throw new AppError('not_found', 'There is no such form in this team.');
    const list = { ...readList(query, form.id), in: form.id, workspace: '', form: '' };
    return { list, forms: [form], workspaces: [], form };
  };

  const showList = async ({ reader, query }: SignedInVisit, place: Place): Promise<Page> => {
    const { list, forms, form } = place;
    const selection = selectionOf(list, forms, reader.timeZone);
    const before = cursorIn(query, 'before');
    const isFaulty = !hasDays(list);
    const content =
      list.q === '' ? await readPage(selection, forms, before) : await search(selection, place, before, query);
    const unread = await store.countUnread(selection.formIds, MOST_UNREAD);
    const { texts } = reader;
    return {
      title: form ? `${texts.form.submissions} · ${form.name}` : texts.sections.inbox,
      section: form ? 'forms' : 'inbox',
      done: doneText(texts.inbox.done, query),
      status: isFaulty ? 400 : 200,
      body: listView(reader, place, { ...content, isFirst: before === null, isFaulty, unread }),
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
  const showNew = async ({ reader, query }: SignedInVisit, { list, forms }: Place): Promise<Response> => {
    const selection = selectionOf(list, forms, reader.timeZone);
    const times = await store.listInboxTimes(selection, { after: cursorIn(query, 'after') ?? 0, limit: PAGE });
    if (times.length === 0) return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
    const rows = await rowsAt(context, forms, times.toReversed());
    const unread = await store.countUnread(selection.formIds, MOST_UNREAD);
    return partAnswer(html`<p>${reader.texts.inbox.arrived(times.length)}</p>${unreadBadge(reader, unread)}
<ul data-after="${formatTime(times.at(-1) ?? 0)}">${rowViews(reader, list, rows)}</ul>`);
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
      await new Promise((resolve) => setImmediate(resolve));
    }
    return done.length > 0;
  };

  const markEach = (ids: readonly string[], isSpam: boolean, { team: { id: teamId }, note }: SignedInVisit) => {
    note({ is_spam: isSpam });
    return toEach(ids, note, async (id) => {
      if (!(await store.findSubmission(id, teamId))) return false;
      await markSubmission(context, id, isSpam, teamId);
      return true;
    });
  };

  const markAsRead = async (ids: readonly string[], at: Micros | null, { team, note }: SignedInVisit) => {
    note({}, { action: null });
    return (await store.markRead(ids, team.id, at)) > 0;
  };

  const deleteEach = (ids: readonly string[], { team, note }: SignedInVisit) => {
    note({}, { action: 'submission.deleted' });
    return toEach(ids, note, (id) => deleteSubmission({ store, blobs }, id, team.id));
  };

  const ACTIONS: Readonly<Record<string, (ids: readonly string[], visit: SignedInVisit) => Promise<boolean>>> = {
    read: (ids, visit) => markAsRead(ids, clock(), visit),
    unread: (ids, visit) => markAsRead(ids, null, visit),
    spam: (ids, visit) => markEach(ids, true, visit),
    genuine: (ids, visit) => markEach(ids, false, visit),
    deleted: deleteEach,
  };

  /** Those that were deleted meanwhile are passed over. */
  const actOnMany = async (visit: SignedInVisit, sent: URLSearchParams): Promise<Page | Response> => {
    const { reader, team, note } = visit;
    const list = readList(new URLSearchParams(sent.get('list') ?? ''), 'inbox');
    const ids = [...new Set(sent.getAll('submission'))];
    const what = sent.get('do') ?? '';
    if (ids.length === 0 || what === 'delete') note({}, { action: null });
    if (ids.length === 0) return redirectTo(listAddress(list, { done: 'none' }));
    if (what === 'delete') {
      const theirs: string[] = [];
      for (const id of ids) {
        if (await store.findSubmission(id, team.id)) theirs.push(id);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return theirs.length === 0 ? noneOfTheirs() : deleteQuestion(reader, list, theirs);
    }
    const act = Object.hasOwn(ACTIONS, what) ? ACTIONS[what] : undefined;
    if (!act) throw new AppError('invalid_input', 'That is nothing that can be done with submissions.');
    if (!(await act(ids, visit))) noneOfTheirs();
    if (what === 'genuine') mail?.outbox.wake();
    return redirectTo(listAddress(list, { done: what }));
  };

  return new Elysia()
    .get(
      '/dashboard/inbox',
      visits.page(async (visit) => showList(visit, await acrossForms(visit))),
    )
    .get(
      '/dashboard/inbox/new',
      visits.page(async (visit) => showNew(visit, await acrossForms(visit))),
    )
    .get(
      '/dashboard/forms/:formId',
      visits.page(async (visit) => showList(visit, await ofForm(visit))),
    )
    .get(
      '/dashboard/forms/:formId/new',
      visits.page(async (visit) => showNew(visit, await ofForm(visit))),
    )
    .post('/dashboard/submissions', visits.action(actOnMany), UNREAD_BODY);
}

function noneOfTheirs(): never {
  throw new AppError('not_found', 'There is no such submission in this team.');
}

/** A list and whose it is; `form` is null for the one across forms. */
type Place = Readonly<{
  list: InboxList;
  /** All that it may show, and may be narrowed down to. */
  forms: readonly Form[];
  workspaces: readonly Workspace[];
  form: Form | null;
}>;

type Shown = Readonly<{
  rows: readonly InboxRow[];
  /** Where the next page begins; null where nothing older is left. */
  older: Micros | null;
  /** How many were found among how many so far, and where to search on: null at the end. Null where nothing is searched for. */
  search: Readonly<{ found: number; looked: number; reached: Micros | null }> | null;
  isFirst: boolean;
  /** Whether a day is none. */
  isFaulty: boolean;
  unread: number;
}>;

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

function listView(reader: Reader, place: Place, shown: Shown): Html {
  const { list, form } = place;
  const { inbox: words } = reader.texts;
  const { rows, older, search, isFirst } = shown;
  const isLive = isFirst && search === null;
  const parts = INBOX_PARTS.map((part) => {
    const current = part === list.part && html` aria-current="page"`;
    const badge = part === 'unread' && unreadBadge(reader, shown.unread);
    return html`<li><a href="${listAddress({ ...list, part })}"${current}>${words.parts[part]}${badge}</a></li>`;
  });
  // Addresses of pages that a script reads, so that the list need not be loaded anew.
  const live = isLive && html` data-live="${listAddress(list, {}, '/new')}" data-after="${newestOf(rows)}"`;
  const items = html`<ul class="list" id="submissions"${live}${rows.length === 0 && html` hidden`}>${rowViews(reader, list, rows)}</ul>`;
  return html`${form ? formHead(reader, form, 'submissions') : html`<h1>${reader.texts.sections.inbox}</h1>`}
<nav aria-label="${words.which}"><ul class="parts">${parts}</ul></nav>
${filterView(reader, place, shown.isFaulty)}
<h2 class="visually-hidden">${words.parts[list.part]}</h2>
${reader.may('POST /dashboard/submissions') ? bulkForm(reader, list, rows.length === 0, items) : items}
<p id="said" class="visually-hidden" role="status"></p>
${search === null ? rows.length === 0 && emptyView(reader, place, isFirst) : searchView(reader, list, search)}
${(older !== null || !isFirst) && pagerView(reader, list, { older, isFirst })}`;
}

/** The list, with what can be done with those of it that are ticked. */
function bulkForm({ texts }: Reader, list: InboxList, isEmpty: boolean, items: Html): Html {
  const { inbox: words } = texts;
  return html`<form method="post" action="/dashboard/submissions">
<input type="hidden" name="list" value="${listQuery(list)}">
<div class="row bulk" id="bulk"${isEmpty && html` hidden`}>
<label class="choice" hidden><input type="checkbox" data-select-all="submission" autocomplete="off"> ${words.selectAll}</label>
${actionsOf(list).map(
  (action) => html`<button class="quiet small" name="do" value="${action}">${words.actions[action]}</button>`,
)}
</div>
${items}
</form>`;
}

function actionsOf({ part }: InboxList) {
  return part === 'spam' ? (['genuine', 'delete'] as const) : (['read', 'unread', 'spam', 'delete'] as const);
}

function unreadBadge({ texts, number }: Reader, unread: number): Html {
  const count = unread < MOST_UNREAD ? number(unread) : `${number(MOST_UNREAD - 1)}+`;
  return html`<span id="unread">${unread > 0 && html` <span class="badge good">${count}<span class="visually-hidden"> ${texts.inbox.unread}</span></span>`}</span>`;
}

function filterView({ texts }: Reader, { list, forms, workspaces, form }: Place, isFaulty: boolean): Html {
  const { inbox: words } = texts;
  const isNarrowed = [list.from, list.to, list.workspace, list.form].some(Boolean);
  const option = (id: string, name: string, chosen: string) =>
    html`<option value="${id}"${id === chosen && html` selected`}>${name}</option>`;
  const day = (name: 'from' | 'to') =>
    html`<div class="field"><label for="${name}">${words[name]}</label><input type="date" id="${name}" name="${name}" value="${list[name]}"${isFaulty && html` aria-invalid="true"`}></div>`;
  const ofWorkspace = (id: string) => forms.filter(({ workspaceId }) => workspaceId === id);
  return html`<form method="get" action="${listAddress({ ...NO_CONDITIONS, in: list.in })}" class="filter" role="search">
${list.part !== 'inbox' && html`<input type="hidden" name="part" value="${list.part}">`}
${isFaulty && html`<p class="error" role="alert">${words.wrongDay}</p>`}
<div class="row"><input type="search" name="q" value="${list.q}" maxlength="200" aria-label="${words.searchLabel}" placeholder="${words.searchLabel}" autocomplete="off"><button class="quiet">${words.search}</button></div>
<details${isNarrowed && html` open`}><summary>${words.filter}</summary>
<div class="grid">${day('from')}${day('to')}
${
  form === null &&
  html`${
    workspaces.length > 1 &&
    html`<div class="field"><label for="workspace">${words.workspace}</label><select id="workspace" name="workspace">${option('', words.all, list.workspace)}${workspaces.map(({ id, name }) => option(id, name, list.workspace))}</select></div>`
  }
<div class="field"><label for="form">${words.form}</label><select id="form" name="form">${option('', words.all, list.form)}${workspaces.map(
    ({ id, name }) =>
      html`<optgroup label="${name}">${ofWorkspace(id).map((one) => option(one.id, one.name, list.form))}</optgroup>`,
  )}</select></div>`
}</div>
<div class="row"><button class="quiet">${words.apply}</button>${
    (isNarrowed || list.q !== '') &&
    html`<a href="${listAddress({ ...NO_CONDITIONS, in: list.in, part: list.part })}">${words.clear}</a>`
  }</div></details></form>`;
}

const NO_CONDITIONS = { part: 'inbox', workspace: '', form: '', from: '', to: '', q: '' } as const;

function emptyView({ texts, may }: Reader, { list, forms, form }: Place, isFirst: boolean): Html {
  const { inbox: words } = texts;
  const isNarrowed = [list.from, list.to, list.workspace, list.form].some(Boolean) || !isFirst;
  const text = isNarrowed ? words.noneSuch : words.none[list.part];
  const next =
    isNarrowed || list.part !== 'inbox'
      ? null
      : form
        ? html`<a class="button" href="/dashboard/forms/${form.id}/connect">${words.connect}</a>`
        : forms.length === 0 &&
          may('GET /dashboard/forms/new') &&
          html`<a class="button" href="/dashboard/forms/new">${words.createForm}</a>`;
  return html`<div class="empty" id="empty"><p>${text}</p>${next}</div>`;
}

/** A script goes on with the search by itself, and reads what it needs from here. */
function searchView(reader: Reader, list: InboxList, { found, looked, reached }: NonNullable<Shown['search']>): Html {
  const { inbox: words } = reader.texts;
  const so = words.found(found, reader.number(found), reader.number(looked));
  if (reached === null) return html`<div id="search" class="card"><p>${so} ${words.searchedAll}</p></div>`;
  const next = { before: formatTime(reached), found: String(found), looked: String(looked) };
  return html`<div id="search" class="card" tabindex="-1"><p>${so} ${words.backTo} ${reader.time(reached)}.</p>
<div class="row"><a class="button quiet" data-search-on href="${listAddress(list, next)}">${words.searchOn}</a>
<button type="button" class="quiet" data-search-stop hidden>${words.stop}</button></div></div>`;
}

function pagerView(
  { texts }: Reader,
  list: InboxList,
  { older, isFirst }: Readonly<{ older: Micros | null; isFirst: boolean }>,
): Html {
  return html`<nav class="pager" aria-label="${texts.inbox.pages}">${isFirst ? html`<span></span>` : html`<a href="${listAddress(list)}">${texts.common.newest}</a>`}
${older !== null && html`<a href="${listAddress(list, { before: formatTime(older) })}" rel="next">${texts.common.older}</a>`}</nav>`;
}

function deleteQuestion({ texts }: Reader, list: InboxList, ids: readonly string[]): Page {
  const title = texts.inbox.deleteTitle(ids.length);
  return {
    title,
    section: list.in === 'inbox' ? 'inbox' : 'forms',
    body: html`<h1>${title}</h1><p>${texts.inbox.deleteText(ids.length)}</p>
<form method="post" action="/dashboard/submissions" class="row"><input type="hidden" name="list" value="${listQuery(list)}"><input type="hidden" name="do" value="deleted">
${ids.map((id) => html`<input type="hidden" name="submission" value="${id}">`)}
<button class="danger">${texts.inbox.deleteForGood}</button><a class="button quiet" href="${listAddress(list)}">${texts.common.cancel}</a></form>`,
  };
}
