/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { INBOX_VIEWS } from '../../domain/inbox.ts';
import { formatTime, type Micros } from '../../lib/clock.ts';
import { FormHead } from '../ui/form-head.tsx';
import { type InboxList, listAddress, listQuery } from '../ui/inbox-list.ts';
import { Pager } from '../ui/pager.tsx';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import { Filter, isNarrowed } from './filter-view.tsx';
import type { Place } from './place.ts';
import { type InboxRow, newestOf } from './row.ts';
import { Rows } from './row-view.tsx';

/** Unread submissions are counted up to this limit. */
export const MAX_UNREAD = 100;

/** The progress of a search: matches, submissions searched, and the time to continue from, which is null at the end. */
export type SearchProgress = Readonly<{ found: number; searched: number; reached: Micros | null }>;

type Props = Readonly<{
  viewer: Viewer;
  place: Place;
  rows: readonly InboxRow[];
  /** The time that the next page begins at; null on the last page. */
  older: Micros | null;
  /** Null if the list is not searched. */
  search: SearchProgress | null;
  isFirst: boolean;
  isInvalidDay: boolean;
  unread: number;
}>;

/** A list of submissions with its parts, filter and bulk actions. */
export function ListView(props: Props) {
  const { viewer, place, rows, older, search, isFirst, isInvalidDay } = props;
  const { inbox: t, sections } = viewer.texts;
  const { list, form } = place;
  return (
    <>
      {form ? <FormHead viewer={viewer} form={form} current="submissions" /> : <h1>{sections.inbox}</h1>}
      <Parts {...props} />
      <Filter viewer={viewer} place={place} isInvalidDay={isInvalidDay} />
      <h2 class="visually-hidden">{t.parts[list.part]}</h2>
      {viewer.can('edit') ? <BulkForm {...props} /> : <List {...props} />}
      <p id="said" class="visually-hidden" role="status"></p>
      {search !== null && <SearchState viewer={viewer} list={list} search={search} />}
      {search === null && rows.length === 0 && <Empty viewer={viewer} place={place} isFirst={isFirst} />}
      <Pager
        viewer={viewer}
        label={t.pages}
        newest={isFirst ? null : listAddress(list)}
        older={older === null ? null : listAddress(list, { before: formatTime(older) })}
      />
    </>
  );
}

function Parts({ viewer, place: { list }, unread }: Props) {
  const { inbox: t } = viewer.texts;
  return (
    <nav aria-label={t.which}>
      <ul class="parts">
        {INBOX_VIEWS.map((part) => (
          <li>
            <a href={listAddress({ ...list, part })} aria-current={part === list.part ? 'page' : undefined}>
              {t.parts[part]}
              {part === 'unread' && <UnreadBadge viewer={viewer} unread={unread} />}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The number of unread submissions, if there are any. A script replaces it. */
export function UnreadBadge({ viewer: { texts, number }, unread }: Readonly<{ viewer: Viewer; unread: number }>) {
  const count = unread < MAX_UNREAD ? number(unread) : `${number(MAX_UNREAD - 1)}+`;
  return (
    <span id="unread">
      {unread > 0 && (
        <>
          {' '}
          <span class="badge good">
            {count}
            <span class="visually-hidden"> {texts.inbox.unread}</span>
          </span>
        </>
      )}
    </span>
  );
}

/** The rows. The script polls `data-live` for submissions after `data-after`. */
function List({ viewer, place: { list }, rows, search, isFirst }: Props) {
  const isLive = isFirst && search === null;
  return (
    <ul
      class="list"
      id="submissions"
      data-live={isLive ? listAddress(list, {}, '/new') : undefined}
      data-after={isLive ? newestOf(rows) : undefined}
      hidden={rows.length === 0}
    >
      <Rows viewer={viewer} list={list} rows={rows} />
    </ul>
  );
}

/** The list with actions for the selected rows. */
function BulkForm(props: Props) {
  const { viewer, place, rows } = props;
  const { inbox: t } = viewer.texts;
  const { list } = place;
  return (
    <form method="post" action="/dashboard/submissions">
      <input type="hidden" name="list" value={listQuery(list)} />
      <div class="row bulk" id="bulk" hidden={rows.length === 0}>
        <label class="choice" hidden>
          <input type="checkbox" data-select-all="submission" autocomplete="off" /> {t.selectAll}
        </label>
        {bulkActionsOf(list).map((action) => (
          <button class="quiet small" name="do" value={action}>
            {t.actions[action]}
          </button>
        ))}
      </div>
      <List {...props} />
    </form>
  );
}

function bulkActionsOf({ part }: InboxList) {
  return part === 'spam' ? (['genuine', 'delete'] as const) : (['read', 'unread', 'spam', 'delete'] as const);
}

function Empty({ viewer, place, isFirst }: Pick<Props, 'viewer' | 'place' | 'isFirst'>) {
  const { inbox: t } = viewer.texts;
  const { list, forms, form } = place;
  const isFiltered = isNarrowed(list) || !isFirst;
  const isNew = !isFiltered && list.part === 'inbox';
  return (
    <div class="empty" id="empty">
      <p>{isFiltered ? t.noneSuch : t.none[list.part]}</p>
      {isNew && form && (
        <a class="button" href={`/dashboard/forms/${form.id}/connect`}>
          {t.connect}
        </a>
      )}
      {isNew && !form && forms.length === 0 && viewer.can('edit') && (
        <a class="button" href="/dashboard/forms/new">
          {t.createForm}
        </a>
      )}
    </div>
  );
}

/** The progress of a search. The script continues it with the link. */
function SearchState({ viewer, list, search }: Readonly<{ viewer: Viewer; list: InboxList; search: SearchProgress }>) {
  const { inbox: t } = viewer.texts;
  const { found, searched, reached } = search;
  const count = t.found(found, viewer.number(found), viewer.number(searched));
  if (reached === null) {
    return (
      <div id="search" class="card">
        <p>
          {count} {t.searchedAll}
        </p>
      </div>
    );
  }
  const next = { before: formatTime(reached), found: String(found), looked: String(searched) };
  return (
    <div id="search" class="card" tabindex={-1}>
      <p>
        {count} {t.backTo} <Time viewer={viewer} at={reached} />.
      </p>
      <div class="row">
        <a class="button quiet" data-search-on="" href={listAddress(list, next)}>
          {t.searchOn}
        </a>
        <button type="button" class="quiet" data-search-stop="" hidden>
          {t.stop}
        </button>
      </div>
    </div>
  );
}
