/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { PostButton } from '../../ui/elements.tsx';
import { type InboxList, listQuery } from '../../ui/inbox-list.ts';
import type { Viewer } from '../../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  list: InboxList;
  query: URLSearchParams;
  /** The token of the action; null if it can't be undone. */
  undo: string | null;
}>;

/** The result of an action, as the query tells, with a button to undo it. */
export function Toast({ viewer, list, query, undo }: Props) {
  const { inbox: t, common } = viewer.texts;
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
