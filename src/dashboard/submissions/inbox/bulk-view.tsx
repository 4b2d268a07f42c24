/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/forms/form.ts';
import { formatTime, type Micros } from '../../../lib/clock.ts';
import type { Markup } from '../../../lib/markup.ts';
import { PostButton } from '../../ui/elements.tsx';
import { type InboxList, listQuery } from '../../ui/inbox-list.ts';
import type { Viewer } from '../../viewer.ts';
import { getLabel } from './columns.ts';
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
  /** The number of all submissions that match as text, empty for a search; null if the page has all of them. */
  matching: string | null;
  /** Submissions that arrive later are not among "all that match". */
  upTo: Micros;
  isEmpty: boolean;
  /** Null for the list across forms. */
  layout: LayoutChoice | null;
  children: Markup;
}>;

/** The list with actions for the selected rows, and the choice of its layout. */
export function BulkForm(props: Props) {
  const { viewer, list, before, upTo, isEmpty, layout, children } = props;
  const { part, q } = list;
  const t = INBOX_TEXTS[viewer.language];
  const canEdit = viewer.can('edit');
  if (!canEdit && layout === null) return <>{children}</>;
  return (
    <form
      method="post"
      action={canEdit ? '/dashboard/submissions' : `/dashboard/forms/${layout?.form.id}/layout`}
      class="list-form"
      id="list-form"
    >
      <input type="hidden" name="list" value={listQuery(list)} />
      <input type="hidden" name="before" value={before} />
      <input type="hidden" name="upto" value={formatTime(upTo)} />
      <div class="bulk">
        {canEdit && <Selection {...props} />}
        <div class="bulk-tools">
          {canEdit && !isEmpty && q === '' && (part === 'spam' || part === 'trash') && (
            <button class="quiet small" name="do" value="empty">
              {t.empty[part]}
            </button>
          )}
          {(part === 'inbox' || part === 'unread') && (
            <button type="button" class="quiet small" id="notify" aria-pressed="false" hidden>
              {t.notify}
            </button>
          )}
          {layout && <LayoutTools viewer={viewer} {...layout} />}
        </div>
      </div>
      {children}
    </form>
  );
}

function Selection({ viewer, list, matching, isEmpty }: Props) {
  const t = INBOX_TEXTS[viewer.language];
  return (
    <div class="selection" id="bulk" hidden={isEmpty}>
      <label class="choice" hidden>
        <input type="checkbox" data-select-all="submission" autocomplete="off" />
        <span class="soft small">{t.selectAll}</span>
      </label>
      {matching !== null && (
        <label class="choice matching small">
          <input type="checkbox" name="all" value="yes" autocomplete="off" />
          {matching === '' ? t.selectFound : t.selectMatching(matching)}
        </label>
      )}
      <div class="bulk-actions">
        {getActions(list).map((action) => (
          <button class="quiet small" name="do" value={action}>
            {t.actions[action]}
          </button>
        ))}
      </div>
    </div>
  );
}

function getActions({ part }: InboxList) {
  if (part === 'spam') return ['genuine', 'trash'] as const;
  if (part === 'maybe') return ['genuine', 'spam', 'trash'] as const;
  if (part === 'trash') return ['restore', 'delete'] as const;
  return ['read', 'unread', 'spam', 'trash'] as const;
}

function LayoutTools({ viewer, form, isTable, fields, columns }: LayoutChoice & Readonly<{ viewer: Viewer }>) {
  const t = INBOX_TEXTS[viewer.language];
  const path = `/dashboard/forms/${form.id}/layout`;
  return (
    <>
      {isTable && (
        <details class="popover end">
          <summary>{t.columns}</summary>
          <div>
            <input type="hidden" name="picks" value="yes" />
            {fields.map((name) => (
              <label class="choice">
                <input type="checkbox" name="column" value={name} checked={columns.includes(name)} autocomplete="off" />
                <bdi>{getLabel(form, name)}</bdi>
              </label>
            ))}
            <button class="small" formaction={path} name="layout" value="table">
              {t.apply}
            </button>
          </div>
        </details>
      )}
      <div class="segments" role="group" aria-label={t.layout}>
        {(['list', 'table'] as const).map((layout) => (
          <button
            class="quiet small"
            formaction={path}
            name="layout"
            value={layout}
            aria-pressed={isTable === (layout === 'table') ? 'true' : 'false'}
          >
            {t.layouts[layout]}
          </button>
        ))}
      </div>
    </>
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
  const { common } = viewer.texts;
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
          text={common.undo}
          style="small"
          fields={{ list: listQuery(list), before: query.get('before') ?? '', undo }}
        />
      )}
    </div>
  );
}
