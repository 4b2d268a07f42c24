/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type InboxList, listAddress, listQuery } from '../ui/inbox-list.ts';
import type { Viewer } from '../viewer.ts';

/** Asks before submissions are deleted. */
export function DeleteView({
  viewer,
  list,
  ids,
}: Readonly<{ viewer: Viewer; list: InboxList; ids: readonly string[] }>) {
  const { inbox: t, common } = viewer.texts;
  return (
    <>
      <h1>{t.deleteTitle(ids.length)}</h1>
      <p>{t.deleteText(ids.length)}</p>
      <form method="post" action="/dashboard/submissions" class="row">
        <input type="hidden" name="list" value={listQuery(list)} />
        <input type="hidden" name="do" value="deleted" />
        {ids.map((id) => (
          <input type="hidden" name="submission" value={id} />
        ))}
        <button class="danger">{t.deleteForGood}</button>
        <a class="button quiet" href={listAddress(list)}>
          {common.cancel}
        </a>
      </form>
    </>
  );
}
