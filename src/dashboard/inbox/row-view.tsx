/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type InboxList, submissionAddress } from '../ui/inbox-list.ts';
import { Time } from '../ui/time.tsx';
import type { Viewer } from '../viewer.ts';
import type { InboxRow } from './row.ts';

type Props = Readonly<{ viewer: Viewer; list: InboxList; row: InboxRow }>;

/** The items of a list. */
export function Rows({ rows, ...props }: Omit<Props, 'row'> & Readonly<{ rows: readonly InboxRow[] }>) {
  return (
    <>
      {rows.map((row) => (
        <Row {...props} row={row} />
      ))}
    </>
  );
}

function Row({ viewer, list, row }: Props) {
  const { inbox: t } = viewer.texts;
  const { id, isUnread, isDamaged, excerpt } = row;
  const who = isDamaged ? t.damaged : row.who || t.nobody;
  const label = t.select(who);
  return (
    <li class="item" data-id={id}>
      {viewer.can('edit') && (
        <input class="above" type="checkbox" name="submission" value={id} aria-label={label} autocomplete="off" />
      )}
      <div>
        <div class="line">
          <a class={isUnread ? 'cover unread' : 'cover'} href={submissionAddress(id, list)}>
            <bdi>{who}</bdi>
          </a>
          <RowFacts viewer={viewer} list={list} row={row} />
        </div>
        <div class="excerpt small">
          <bdi>{excerpt}</bdi>
        </div>
      </div>
    </li>
  );
}

function RowFacts({ viewer, list, row: { form, createdAt, isUnread, isDamaged, hasFiles } }: Props) {
  const { inbox: t } = viewer.texts;
  return (
    <span class="soft small">
      {isUnread && <span class="badge good">{t.unread}</span>}
      {hasFiles && <span class="badge">{t.files}</span>}
      {isDamaged && <span class="badge bad">{t.unreadable}</span>}
      {list.in === 'inbox' && (
        <>
          {' '}
          <bdi>{form.name}</bdi> ·
        </>
      )}{' '}
      <Time viewer={viewer} at={createdAt} />
    </span>
  );
}
