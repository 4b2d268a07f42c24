/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Viewer } from '../viewer.ts';

type Props = Readonly<{
  viewer: Viewer;
  label: string;
  /** Address of the first page; null on that page. */
  newest: string | null;
  /** Address of the next page; null on the last one. */
  older: string | null;
}>;

/** Links to the newest and to older items of a list, if it has more than one page. */
export function Pager({ viewer, label, newest, older }: Props) {
  const { common: t } = viewer.texts;
  if (newest === null && older === null) return null;
  return (
    <nav class="pager" aria-label={label}>
      <span>{newest !== null && <a href={newest}>{t.newest}</a>}</span>
      <span>
        {older !== null && (
          <a href={older} rel="next">
            {t.older}
          </a>
        )}
      </span>
    </nav>
  );
}
