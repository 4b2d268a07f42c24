/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { ErrorMessage, PostButton } from '../../ui/elements.tsx';
import { CheckInput, Choice, LineInput, SelectInput } from '../../ui/form-inputs.tsx';
import { type InboxList, isListed, listAddress, listQuery, readList } from '../../ui/inbox-list.ts';
import type { Viewer } from '../../viewer.ts';
import type { Place } from './row.ts';
import { INBOX_TEXTS } from './texts.ts';

type Props = Readonly<{ viewer: Viewer; place: Place; isInvalidDay: boolean }>;

/** The search and the filter of a list. */
export function Filter({ viewer, place, isInvalidDay }: Props) {
  const t = INBOX_TEXTS[viewer.language];
  const { list } = place;
  const count = conditionsOf(list).filter(Boolean).length;
  const whole = readList(new URLSearchParams(), list.in);
  return (
    <form method="get" action={listAddress(whole)} class="filter" role="search">
      {list.part !== 'inbox' && <input type="hidden" name="part" value={list.part} />}
      {list.sort !== '' && <input type="hidden" name="sort" value={list.sort} />}
      <input
        type="search"
        name="q"
        value={list.q}
        maxlength={200}
        aria-label={t.searchLabel}
        placeholder={t.search}
        autocomplete="off"
      />
      <details class="popover" open={isInvalidDay}>
        <summary>
          {t.filter}
          {count > 0 && <span class="badge good">{viewer.number(count)}</span>}
        </summary>
        <div>
          <ErrorMessage error={isInvalidDay && t.wrongDay} />
          <FilterFields viewer={viewer} place={place} isInvalidDay={isInvalidDay} />
          <div class="row">
            <button>{t.apply}</button>
            {(isNarrowed(list) || list.q !== '') && <a href={listAddress({ ...whole, part: list.part })}>{t.clear}</a>}
          </div>
        </div>
      </details>
    </form>
  );
}

/** Tells if a filter other than the search is set. */
export const isNarrowed = (list: InboxList): boolean => conditionsOf(list).some(Boolean);

function conditionsOf({ from, to, workspace, form, field, value, files, unassigned }: InboxList): readonly string[] {
  return [from, to, workspace, form, field || value, files, unassigned];
}

function FilterFields({ viewer, place: { list, forms, workspaces, form }, isInvalidDay }: Props) {
  const t = INBOX_TEXTS[viewer.language];
  const isInvalid = isInvalidDay ? 'true' : undefined;
  return (
    <>
      <LineInput name="field" label={t.field} value={list.field} list="fields" maxlength={200} />
      <LineInput name="value" label={t.value} value={list.value} maxlength={200} />
      <datalist id="fields">
        {[...new Set(forms.flatMap(({ fields }) => fields.map(({ name, label }) => label || name)))].map((name) => (
          <option>{name}</option>
        ))}
      </datalist>
      <LineInput type="date" name="from" label={t.from} value={list.from} aria-invalid={isInvalid} />
      <LineInput type="date" name="to" label={t.to} value={list.to} aria-invalid={isInvalid} />
      {form === null && workspaces.length > 1 && (
        <SelectInput
          name="workspace"
          label={t.workspace}
          value={list.workspace}
          options={[['', t.all], ...workspaces.map(({ id, name }) => [id, name] as const)]}
        />
      )}
      {form === null && (
        <div class="field">
          <label for="form">{t.form}</label>
          <select id="form" name="form">
            <option value="" selected={list.form === ''}>
              {t.all}
            </option>
            {workspaces.map(({ id, name }) => (
              <optgroup label={name}>
                {forms
                  .filter((form) => form.workspaceId === id && isListed(form, list))
                  .map((form) => (
                    <option value={form.id} selected={form.id === list.form}>
                      {form.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </div>
      )}
      <CheckInput name="files" label={t.withFiles} value={list.files} />
      {viewer.membership?.isShared && <CheckInput name="unassigned" label={t.unassigned} value={list.unassigned} />}
    </>
  );
}

/** A saved view of the viewer. */
export type SavedLink = Readonly<{ id: string; name: string; list: InboxList; isTab: boolean }>;

/** The saved views of the viewer, and a form that saves the current filter. */
export function SavedViews({
  viewer,
  list,
  views,
}: Readonly<{ viewer: Viewer; list: InboxList; views: readonly SavedLink[] }>) {
  const t = INBOX_TEXTS[viewer.language];
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
                  text={viewer.texts.common.delete}
                  style="small"
                  label={t.deleteView(name)}
                  fields={{ list: listQuery(list) }}
                />
              </li>
            ))}
          </ul>
        )}
        <button type="button" class="quiet small" id="notify" aria-pressed="false" hidden>
          {t.notify}
        </button>
        {isSavable && (
          <form method="post" action="/dashboard/inbox/views" class="row">
            <input type="hidden" name="list" value={listQuery(list)} />
            <input name="name" aria-label={t.viewName} placeholder={t.viewName} required maxlength={60} />
            <button class="quiet small">{t.saveView}</button>
            <Choice name="tab" value="yes" checked={false} text={t.asTab} />
          </form>
        )}
      </div>
    </details>
  );
}
