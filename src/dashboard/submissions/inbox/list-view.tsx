/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { INBOX_VIEWS, type InboxView } from '../../../domain/submissions/inbox.ts';
import type { Member } from '../../../domain/users/user.ts';
import { formatTime, type Micros } from '../../../lib/clock.ts';
import { FORMS_TEXTS } from '../../forms/list/texts.ts';
import { COUNT_LIMIT, countUpTo99 } from '../../ui/count.ts';
import { LinkButton, PostButton } from '../../ui/elements.tsx';
import { Drawing, EmptyState } from '../../ui/empty-state.tsx';
import { FormHead } from '../../ui/form-head.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { type InboxList, isSearched, listAddress, listQuery } from '../../ui/inbox-list.ts';
import { Pager } from '../../ui/pager.tsx';
import { Time } from '../../ui/time.tsx';
import type { Viewer } from '../../viewer.ts';
import { BulkForm, type LayoutChoice, ListTools, Selection, Toast } from './bulk-view.tsx';
import { Filter, isNarrowed, type SavedLink, SavedViews } from './filter-view.tsx';
import { getNewest, type InboxRow, type Place } from './row.ts';
import { Rows } from './row-view.tsx';
import { Table } from './table-view.tsx';
import { INBOX_TEXTS } from './texts.ts';

/** The progress of a search: matches, submissions searched, and the time to continue from, which is null at the end. */
export type SearchProgress = Readonly<{ found: number; searched: number; reached: Micros | null }>;

/** The rows of a page, and the addresses of the pages around it; null where there is none. */
export type ListContent = Readonly<{
  rows: readonly InboxRow[];
  newest: string | null;
  older: string | null;
  /** Null if the list is not searched. */
  search: SearchProgress | null;
  /** The number of submissions among which the table is sorted by a column; null if it is not. */
  sortedAmong: number | null;
}>;

type Props = ListContent &
  Readonly<{
    viewer: Viewer;
    place: Place;
    query: URLSearchParams;
    now: Micros;
    isFirst: boolean;
    isInvalidDay: boolean;
    unread: number;
    maybeSpam: number;
    unconfirmed: number;
    spam: number;
    matching: string | null;
    views: readonly SavedLink[];
    layout: LayoutChoice | null;
    /** Those who can be assigned; none in a team of one. */
    members: readonly Member[];
    undo: string | null;
  }>;

/** A list of submissions with its views, filter and bulk actions, next to the opened submission. */
export function ListView(props: Props) {
  const { viewer, place, query, views, layout, undo, isInvalidDay } = props;
  const t = INBOX_TEXTS[viewer.language];
  const { list, form } = place;
  const isTable = layout?.isTable ?? false;
  return (
    <>
      {form ? (
        <FormHead viewer={viewer} form={form} current="submissions" />
      ) : (
        <h1 class="visually-hidden">{viewer.texts.sections.inbox}</h1>
      )}
      <div class={isTable ? 'inbox-panes inbox-table' : 'inbox-panes'}>
        <div class="inbox" id="inbox">
          <Toast viewer={viewer} list={list} query={query} undo={undo} />
          <div class="inbox-bar">
            <Parts {...props} />
            <ListTools {...props} isEmpty={props.rows.length === 0} />
            <Filter viewer={viewer} place={place} isInvalidDay={isInvalidDay} />
            <SavedViews viewer={viewer} list={list} views={views} />
            {viewer.can('edit') && <Selection {...props} list={list} isEmpty={props.rows.length === 0} />}
          </div>
          <div class="inbox-list">
            <h2 class="visually-hidden">{t.parts[list.part]}</h2>
            <Content {...props} />
          </div>
        </div>
        {!isTable && (
          <section class="pane" id="pane" aria-label={t.opened} tabindex={-1}>
            <div class="empty-state">
              <Drawing icon="inbox" />
              <p class="pane-hint">{t.paneHint}</p>
            </div>
          </section>
        )}
      </div>
      <p id="said" class="visually-hidden" role="status"></p>
      <p id="offline" class="toast" role="alert" hidden>
        {t.offline}
      </p>
      <Shortcuts viewer={viewer} />
    </>
  );
}

function Content(props: Props) {
  const { viewer, place, rows, search, now, query, layout, newest, older, sortedAmong } = props;
  const t = INBOX_TEXTS[viewer.language];
  const { list } = place;
  return (
    <>
      {list.part === 'trash' && <p class="soft small">{t.trashHint}</p>}
      {search !== null && <SearchState viewer={viewer} list={list} search={search} />}
      {sortedAmong !== null && <p class="soft small">{t.sortedAmong(sortedAmong, viewer.number(sortedAmong))}</p>}
      <BulkForm
        viewer={viewer}
        list={list}
        before={query.get('before') ?? ''}
        upTo={Math.max(now, ...rows.map(({ createdAt }) => createdAt))}
      >
        {layout?.isTable ? (
          <Table {...{ viewer, list, now, rows }} {...layout} label={t.parts[list.part]} />
        ) : (
          <List {...props} />
        )}
      </BulkForm>
      {rows.length === 0 && !search?.reached && <Empty {...props} />}
      <Pager viewer={viewer} label={t.pages} newest={newest} older={older} />
    </>
  );
}

function Parts({ viewer, place: { list }, unread, maybeSpam, spam, unconfirmed, views }: Props) {
  const t = INBOX_TEXTS[viewer.language];
  // Nobody is assigned where there is nobody else.
  const alone = viewer.membership?.isShared ? {} : { assigned: 0 };
  const rare: Partial<Record<InboxView, number>> = { maybe: maybeSpam, unconfirmed, ...alone };
  const isListed = (part: InboxView) => rare[part] !== 0 || list.part === part;
  const tabs = views.filter(({ isTab, list: { in: place } }) => isTab && place === list.in);
  const shown = tabs.find((tab) => listQuery(tab.list) === listQuery(list));
  const current = (isCurrent: boolean) => (isCurrent ? 'page' : undefined);
  const tabLinks = tabs.map((tab) => (
    <a href={listAddress(tab.list)} aria-current={current(tab === shown)}>
      <bdi>{tab.name}</bdi>
    </a>
  ));
  return (
    <nav aria-label={t.which}>
      <details class="menu folders">
        <summary>
          <bdi>{shown?.name ?? t.parts[list.part]}</bdi> <Icon name="down" />
        </summary>
        <div>
          {INBOX_VIEWS.filter(isListed).map((part) => (
            <a href={listAddress({ ...list, part })} aria-current={current(part === list.part && !shown)}>
              {t.parts[part]}
            </a>
          ))}
          {tabLinks}
        </div>
      </details>
      <ul class="parts">
        {INBOX_VIEWS.filter(isListed).map((part) => (
          <li>
            <a href={listAddress({ ...list, part })} aria-current={current(part === list.part && !shown)}>
              {t.parts[part]}
              {part === 'unread' && <UnreadBadge viewer={viewer} unread={unread} />}
              {(rare[part] ?? 0) > 0 && <span class="count"> {countUpTo99(viewer, rare[part] ?? 0)}</span>}
              {part === 'spam' && spam > 0 && <span class="count"> {countUpTo99(viewer, spam)}</span>}
            </a>
          </li>
        ))}
        {tabLinks.map((link) => (
          <li>{link}</li>
        ))}
      </ul>
    </nav>
  );
}

/** The number of unread submissions, if there are any. A script replaces it. */
export function UnreadBadge({ viewer, unread }: Readonly<{ viewer: Viewer; unread: number }>) {
  return (
    <span id="unread-count">
      {unread > 0 && (
        <span class="count">
          {` ${countUpTo99(viewer, Math.min(unread, COUNT_LIMIT))}`}
          <span class="visually-hidden"> {INBOX_TEXTS[viewer.language].unread}</span>
        </span>
      )}
    </span>
  );
}

/** The rows. The script polls `data-live` for submissions after `data-after`. */
function List({ viewer, place: { list }, rows, search, isFirst, now }: Props) {
  const isLive = isFirst && search === null && (list.part === 'inbox' || list.part === 'unread');
  return (
    <ul
      class="list"
      id="submissions"
      data-live={isLive ? listAddress(list, {}, '/new') : undefined}
      data-after={isLive ? getNewest(rows) : undefined}
      hidden={rows.length === 0}
    >
      <Rows viewer={viewer} list={list} rows={rows} now={now} />
    </ul>
  );
}

/** Says why the list is empty. An inbox that has only spam was worked through; one without is new. */
function Empty({ viewer, place, isFirst, spam, maybeSpam }: Props) {
  const formTexts = FORMS_TEXTS[viewer.language];
  const t = INBOX_TEXTS[viewer.language];
  const { list, forms, form } = place;
  const isFiltered = isNarrowed(list) || isSearched(list) || !isFirst;
  const isNew = !isFiltered && list.part === 'inbox' && spam + maybeSpam === 0;
  const part = list.part === 'inbox' && !isNew ? 'unread' : list.part;
  const [title = '', text = ''] = isFiltered ? t.noneSuch : t.none[part];
  const first = form ?? forms.find(({ trashedAt, archivedAt }) => trashedAt === null && archivedAt === null);
  const connect = `/dashboard/forms/${first?.id}/connect`;
  return (
    <div id="empty">
      <GhostRows />
      <EmptyState icon={isFiltered ? 'search' : (EMBLEMS[list.part] ?? 'check')} title={title} text={text}>
        {isNew && first && <LinkButton href={connect} text={t.connect(first.name)} style="main" />}
        {isNew && first && viewer.can('edit') && <PostButton action={`${connect}/test#waiting`} text={t.sample} />}
        {isNew && !first && viewer.can('edit') && (
          <LinkButton href="/dashboard/forms/new" text={formTexts.new} style="main" />
        )}
      </EmptyState>
    </div>
  );
}

/** Icons of empty lists; others have a check. */
const EMBLEMS: Partial<Record<InboxView, IconName>> = { starred: 'star', maybe: 'spam', spam: 'spam', trash: 'trash' };

/** A drawing of the rows to come. */
function GhostRows() {
  return (
    <svg class="ghosts" aria-hidden="true">
      <pattern id="ghost" width="100%" height="66" patternUnits="userSpaceOnUse">
        <rect x="15" y="25" width="16" height="16" rx="4" class="outline" />
        <circle cx="59" cy="33" r="16" />
        <rect x="87" y="18" width="113" height="9" rx="4" />
        <rect x="87" y="38" width="55%" height="9" rx="4" />
        <path d="M0 65.5h1000" />
      </pattern>
      <rect width="100%" height="100%" fill="url(#ghost)" />
    </svg>
  );
}

/** Returns the address at which a search continues. */
export function nextOfSearch(list: InboxList, { found, searched, reached }: SearchProgress): string | null {
  if (reached === null) return null;
  return listAddress(list, { before: formatTime(reached), found: String(found), looked: String(searched) });
}

/** The progress of a search. The script continues it with the link. */
function SearchState({ viewer, list, search }: Readonly<{ viewer: Viewer; list: InboxList; search: SearchProgress }>) {
  const t = INBOX_TEXTS[viewer.language];
  const { found, searched, reached } = search;
  const count = t.found(found, viewer.number(found), viewer.number(searched));
  return (
    <div id="search" class="row small soft" tabindex={reached === null ? undefined : -1}>
      <p>
        {count} {reached === null ? t.searchedAll : `${t.backTo} `}
        {reached !== null && <Time viewer={viewer} at={reached} />}
        {reached !== null && '.'}
      </p>
      {reached !== null && (
        <div class="row">
          <a class="button quiet" data-search-on="" href={nextOfSearch(list, search) ?? ''}>
            {t.searchOn}
          </a>
          <button type="button" class="quiet" data-search-stop="" hidden>
            {t.stop}
          </button>
        </div>
      )}
    </div>
  );
}

const KEYS = ['/', 'j', 'k', 'o', 'x', 'r', 'n', 'a', 'e', 's', '!', '#', 'u', '?'] as const;
const KEYS_OF_EDITORS: readonly string[] = ['x', 'r', 'n', 'a', 'e', 's', '!', '#'];

/** The dialog with the keyboard shortcuts, which the script opens. */
function Shortcuts({ viewer }: Readonly<{ viewer: Viewer }>) {
  const t = INBOX_TEXTS[viewer.language];
  return (
    <dialog id="shortcuts" aria-labelledby="shortcuts-title">
      <h2 id="shortcuts-title">{t.shortcuts}</h2>
      <dl class="keys">
        {KEYS.filter((key) => viewer.can('edit') || !KEYS_OF_EDITORS.includes(key)).map((key) => (
          <div>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t.keys[key]}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button class="quiet">{t.close}</button>
      </form>
    </dialog>
  );
}
