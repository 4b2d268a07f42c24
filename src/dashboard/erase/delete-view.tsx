/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';
import type { Erasure } from './erasures.ts';

type Props = Readonly<{ viewer: Viewer; erasure: Erasure }>;

/** Asks before the results of a search are deleted. */
export function DeleteView({ viewer, erasure: { id, address, search } }: Props) {
  const { erase: t, common } = viewer.texts;
  const count = search.times.length;
  return (
    <>
      <h1>{t.deleteTitle(count, viewer.number(count))}</h1>
      <p>
        {t.lookedFor}: <strong>{address}</strong>
      </p>
      <p>{t.finalText}</p>
      <form method="post" action={`/dashboard/erase/${id}/delete`} class="row">
        <button class="danger">{t.confirm}</button>
        <a class="button quiet" href={`/dashboard/erase/${id}`}>
          {common.cancel}
        </a>
      </form>
    </>
  );
}
