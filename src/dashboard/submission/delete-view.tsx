/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { type InboxList, submissionAddress } from '../ui/inbox-list.ts';
import type { Viewer } from '../viewer.ts';
import { ListField } from './list-field.tsx';

/** Asks before a submission is deleted. */
export function DeleteView({ viewer, id, list }: Readonly<{ viewer: Viewer; id: string; list: InboxList }>) {
  const { inbox: t, common } = viewer.texts;
  return (
    <>
      <h1>{t.deleteTitle(1)}</h1>
      <p>{t.deleteText(1)}</p>
      <form method="post" action={`/dashboard/submissions/${id}/delete`} class="row">
        <ListField list={list} />
        <button class="danger">{t.deleteForGood}</button>
        <a class="button quiet" href={submissionAddress(id, list)}>
          {common.cancel}
        </a>
      </form>
    </>
  );
}
