/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';
import type { Erasure } from './erasures.ts';

type Props = Readonly<{ viewer: Viewer; erasure: Erasure }>;

/** The results of a search, with links that export and delete them. */
export function ResultsView({ viewer, erasure }: Props) {
  const { erase: t } = viewer.texts;
  const { number } = viewer;
  const { times, scanned, unreadable } = erasure.search;
  const count = times.length;
  return (
    <>
      <section class="card">
        <p class="flush">
          <strong>{count === 0 ? t.none(number(scanned)) : t.found(count, number(count), number(scanned))}</strong>
        </p>
        {unreadable > 0 && <p class="flush">{t.unreadable(number(unreadable))}</p>}
        <p class="soft small flush">{t.forgotten}</p>
      </section>
      {count > 0 && (
        <>
          <ExportSection viewer={viewer} erasure={erasure} />
          <DeleteSection viewer={viewer} erasure={erasure} />
        </>
      )}
    </>
  );
}

function ExportSection({ viewer, erasure: { id } }: Props) {
  const { erase: t } = viewer.texts;
  return (
    <section class="card" aria-labelledby="give">
      <h2 id="give">{t.exportTitle}</h2>
      <p>{t.exportText}</p>
      <div class="row">
        <a class="button quiet" href={`/dashboard/erase/${id}/export.jsonl`} download="">
          {t.exportLines}
        </a>
        <a class="button quiet" href={`/dashboard/erase/${id}/export.zip`} download="">
          {t.exportFiles}
        </a>
      </div>
    </section>
  );
}

function DeleteSection({ viewer, erasure: { id, search } }: Props) {
  const { erase: t } = viewer.texts;
  const count = search.times.length;
  return (
    <section class="card" aria-labelledby="gone">
      <h2 id="gone">{t.deleteTitle(count, viewer.number(count))}</h2>
      <p>{t.deleteText}</p>
      <div class="row">
        <a class="button danger" href={`/dashboard/erase/${id}/delete`}>
          {t.deleteStep}
        </a>
      </div>
    </section>
  );
}
