/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import type { Member } from '../../../domain/users/user.ts';
import { formatTime, type Micros } from '../../../lib/clock.ts';
import type { Markup } from '../../../lib/markup.ts';
import { PostButton } from '../../ui/elements.tsx';
import { ACTION_ICONS, Icon } from '../../ui/icon.tsx';
import { type InboxList, isSearched, listQuery } from '../../ui/inbox-list.ts';
import { MemberButtons } from '../../ui/member-buttons.tsx';
import type { Viewer } from '../../viewer.ts';
import { SUBMISSION_TEXTS } from '../detail/texts.ts';
import { getLabel } from './columns.ts';
import type { Place } from './row.ts';
import { INBOX_TEXTS } from './texts.ts';

/** The layout of a form's submissions, and the fields that can be columns. */
export type LayoutChoice = Readonly<{
  form: Form;
  isTable: boolean;
  fields: readonly string[];
  columns: readonly string[];
}>;

type Props = Readonly<{
  viewer: Viewer;
  list: InboxList;
  /** The cursor of the page; empty on the first one. */
  before: string;
  /** Submissions that arrive later are not among "all that match". */
  upTo: Micros;
  children: Markup;
}>;

/** The form of the list. Its buttons are in the toolbar. */
export function BulkForm({ viewer, list, before, upTo, children }: Props) {
  if (!viewer.can('edit')) return <>{children}</>;
  return (
    <form method="post" action="/dashboard/submissions" id={FORM}>
      <input type="hidden" name="list" value={listQuery(list)} />
      <input type="hidden" name="before" value={before} />
      <input type="hidden" name="upto" value={formatTime(upTo)} />
      {children}
    </form>
  );
}

/** The id of the list's form. */
const FORM = 'list-form';

type ToolProps = Readonly<{ viewer: Viewer; place: Place; isEmpty: boolean; layout: LayoutChoice | null }>;

/** Tools for the whole list: emptying it, and the choice of its layout. */
export function ListTools({ viewer, place: { list }, isEmpty, layout }: ToolProps) {
  const t = INBOX_TEXTS[viewer.language];
  const { part } = list;
  return (
    <>
      {viewer.can('edit') && !isEmpty && !isSearched(list) && (part === 'spam' || part === 'trash') && (
        <button class="quiet small" form={FORM} name="do" value="empty" title={t.empty[part]}>
          <Icon name="trash" />
          <span>{t.empty[part]}</span>
        </button>
      )}
      {layout && <LayoutTools viewer={viewer} list={list} {...layout} />}
    </>
  );
}

type SelectionProps = Readonly<{
  viewer: Viewer;
  list: InboxList;
  /** The number of all submissions that match as text, empty for a search; null if the page has all of them. */
  matching: string | null;
  isEmpty: boolean;
  members: readonly Member[];
}>;

/** The actions on selected rows, which take the place of the toolbar while a row is selected. */
export function Selection({ viewer, list, matching, isEmpty, members }: SelectionProps) {
  const t = INBOX_TEXTS[viewer.language];
  const actions = getActions(list);
  const { unread, spam, trash } = t.parts;
  const words = { ...t.actions, unread, spam, trash, ...t.bar };
  return (
    <div class="selection" id="bulk" hidden={isEmpty}>
      <label class="choice" hidden>
        <input
          type="checkbox"
          form={FORM}
          data-select-all="submission"
          autocomplete="off"
          aria-label={t.selectAll}
          title={t.selectAll}
        />
      </label>
      <strong id="selected" data-text={t.selectedCount}>
        {t.selected}
      </strong>
      {matching !== null && (
        <label class="choice matching small">
          <input type="checkbox" form={FORM} name="all" value="yes" autocomplete="off" />
          {matching === '' ? t.selectFound : t.selectMatching(matching)}
        </label>
      )}
      <div class="bulk-actions">
        {members.length > 0 && actions.some((action) => action === 'star') && (
          <details class="menu assign">
            <summary title={SUBMISSION_TEXTS[viewer.language].assign}>
              <Icon name="account" /> <span>{SUBMISSION_TEXTS[viewer.language].assign}</span>
            </summary>
            <div>
              <MemberButtons viewer={viewer} members={members} form={FORM} />
            </div>
          </details>
        )}
        {actions.map((action) => (
          <button
            class="bare"
            form={FORM}
            name="do"
            value={action}
            title={t.actions[action]}
            aria-label={t.actions[action]}
          >
            <Icon name={ACTION_ICONS[action]} /> <span>{words[action]}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

function getActions({ part }: InboxList) {
  if (part === 'spam') return ['genuine', 'trash'] as const;
  if (part === 'maybe') return ['genuine', 'spam', 'trash'] as const;
  if (part === 'unconfirmed') return ['trash'] as const;
  if (part === 'trash') return ['restore', 'delete'] as const;
  return ['read', 'unread', 'star', 'export', 'spam', 'trash'] as const;
}

function LayoutTools({
  viewer,
  list,
  form,
  isTable,
  fields,
  columns,
}: LayoutChoice & Pick<ToastProps, 'viewer' | 'list'>) {
  const t = INBOX_TEXTS[viewer.language];
  return (
    <form method="post" action={`/dashboard/forms/${form.id}/layout`} class="layout">
      <input type="hidden" name="list" value={listQuery(list)} />
      {isTable && (
        <details class="popover">
          <summary>{t.columns}</summary>
          <div>
            <input type="hidden" name="picks" value="yes" />
            {fields.map((name) => (
              <label class="choice">
                <input type="checkbox" name="column" value={name} checked={columns.includes(name)} autocomplete="off" />
                <bdi>{getLabel(form, name)}</bdi>
              </label>
            ))}
            <button class="small" name="layout" value="table">
              {t.apply}
            </button>
          </div>
        </details>
      )}
      <div class="segments" role="group" aria-label={t.layout}>
        {(['list', 'table'] as const).map((layout) => (
          <button
            class="quiet small"
            name="layout"
            value={layout}
            aria-pressed={isTable === (layout === 'table') ? 'true' : 'false'}
          >
            {t.layouts[layout]}
          </button>
        ))}
      </div>
    </form>
  );
}

type ToastProps = Readonly<{
  viewer: Viewer;
  list: InboxList;
  query: URLSearchParams;
  /** The token of the action; null if it can't be undone. */
  undo: string | null;
}>;

/** The result of an action, as the query tells, with a button to undo it. */
export function Toast({ viewer, list, query, undo }: ToastProps) {
  const t = INBOX_TEXTS[viewer.language];
  const done = query.get('done') ?? '';
  if (Object.hasOwn(t.notDone, done)) {
    return (
      <p class="note" role="alert">
        {t.notDone[done as keyof typeof t.notDone]}
      </p>
    );
  }
  if (!Object.hasOwn(t.done, done)) return null;
  const count = Math.max(1, Math.trunc(Number(query.get('count'))) || 1);
  return (
    <div class="toast" role="status">
      <span>
        {t.done[done as keyof typeof t.done](count, viewer.number(count))}
        {query.get('more') === 'yes' && ` ${t.moreMatch}`}
      </span>
      {undo !== null && viewer.can('edit') && (
        <PostButton
          action="/dashboard/submissions/undo"
          text={viewer.texts.common.undo}
          style="small"
          fields={{ list: listQuery(list), before: query.get('before') ?? '', undo }}
        />
      )}
    </div>
  );
}
