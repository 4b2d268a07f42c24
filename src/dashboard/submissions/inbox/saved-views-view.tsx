/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { PostButton } from '../../ui/elements.tsx';
import { type InboxList, listAddress, listQuery } from '../../ui/inbox-list.ts';
import type { Viewer } from '../../viewer.ts';
import { isNarrowed } from './filter-view.tsx';
import type { Place } from './place.ts';

/** A saved view of the viewer. */
export type SavedLink = Readonly<{ id: string; name: string; list: InboxList }>;

type Props = Readonly<{ viewer: Viewer; place: Place; views: readonly SavedLink[] }>;

/** The saved views of the viewer, and a form that saves the current filter. */
export function SavedViews({ viewer, place: { list }, views }: Props) {
  const { inbox: t, common } = viewer.texts;
  const isSavable = isNarrowed(list) || list.q !== '' || list.part !== 'inbox';
  return (
    <details class="popover">
      <summary>{t.views}</summary>
      <div>
        {views.length === 0 && !isSavable && <p class="soft small">{t.noViews}</p>}
        {views.length > 0 && (
          <ul class="saved-views">
            {views.map(({ id, name, list: saved }) => (
              <li>
                <a href={listAddress(saved)}>
                  <bdi>{name}</bdi>
                </a>
                <PostButton
                  action={`/dashboard/inbox/views/${id}/delete`}
                  text={common.delete}
                  style="small"
                  label={t.deleteView(name)}
                  fields={{ list: listQuery(list) }}
                />
              </li>
            ))}
          </ul>
        )}
        {isSavable && (
          <form method="post" action="/dashboard/inbox/views" class="row">
            <input type="hidden" name="list" value={listQuery(list)} />
            <input name="name" aria-label={t.viewName} placeholder={t.viewName} required maxlength={60} />
            <button class="quiet small">{t.saveView}</button>
          </form>
        )}
      </div>
    </details>
  );
}
