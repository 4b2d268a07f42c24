import type { Form } from '../../domain/form.ts';
import { INBOX_VIEWS } from '../../domain/inbox.ts';
import type { Workspace } from '../../domain/team.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { type Html, html } from '../../lib/html.ts';
import { formHead } from './form-head.ts';
import { type InboxList, listAddress, listQuery } from './inbox-list.ts';
import { type InboxRow, newestOf, rowViews } from './inbox-row.ts';
import type { Page } from './layout.ts';
import type { Reader } from './reader.ts';

/** Unread ones are counted so far and no further. */
export const MOST_UNREAD = 100;

/** A list and whose it is; `form` is null for the one across forms. */
export type Place = Readonly<{
  list: InboxList;
  /** All that it may show, and may be narrowed down to. */
  forms: readonly Form[];
  workspaces: readonly Workspace[];
  form: Form | null;
}>;

/** What a list shows of a place. */
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

/** The list of a place with its parts, its filter, and what can be done with what is ticked. */
export function listView(reader: Reader, place: Place, shown: Shown): Html {
  const { list, form } = place;
  const { inbox: words } = reader.texts;
  const { rows, older, search, isFirst } = shown;
  const isLive = isFirst && search === null;
  const parts = INBOX_VIEWS.map((part) => {
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

/** How many of a place are unread, where any are. */
export function unreadBadge({ texts, number }: Reader, unread: number): Html {
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

/** Asks before many submissions are deleted. */
export function deleteQuestion({ texts }: Reader, list: InboxList, ids: readonly string[]): Page {
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
