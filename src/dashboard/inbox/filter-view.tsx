/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import { LineInput, SelectInput } from '../ui/form-inputs.tsx';
import { type InboxList, isListed, listAddress } from '../ui/inbox-list.ts';
import type { Viewer } from '../viewer.ts';
import type { Place } from './place.ts';

type Props = Readonly<{ viewer: Viewer; place: Place; isInvalidDay: boolean }>;

/** The search and the filter of a list. */
export function Filter({ viewer, place, isInvalidDay }: Props) {
  const { inbox: t } = viewer.texts;
  const { list } = place;
  return (
    <form method="get" action={listAddress({ ...NO_CONDITIONS, in: list.in })} class="filter" role="search">
      {list.part !== 'inbox' && <input type="hidden" name="part" value={list.part} />}
      {isInvalidDay && (
        <p class="error" role="alert">
          {t.wrongDay}
        </p>
      )}
      <SearchBox viewer={viewer} query={list.q} />
      <details open={isNarrowed(list)}>
        <summary>{t.filter}</summary>
        <FilterFields viewer={viewer} place={place} isInvalidDay={isInvalidDay} />
        <div class="row">
          <button class="quiet">{t.apply}</button>
          {(isNarrowed(list) || list.q !== '') && (
            <a href={listAddress({ ...NO_CONDITIONS, in: list.in, part: list.part })}>{t.clear}</a>
          )}
        </div>
      </details>
    </form>
  );
}

const NO_CONDITIONS = { part: 'inbox', workspace: '', form: '', from: '', to: '', q: '' } as const;

/** Tells if a filter other than the search is set. */
export function isNarrowed({ from, to, workspace, form }: InboxList): boolean {
  return [from, to, workspace, form].some(Boolean);
}

function SearchBox({ viewer, query }: Readonly<{ viewer: Viewer; query: string }>) {
  const { inbox: t } = viewer.texts;
  return (
    <div class="row">
      <input
        type="search"
        name="q"
        value={query}
        maxlength={200}
        aria-label={t.searchLabel}
        placeholder={t.searchLabel}
        autocomplete="off"
      />
      <button class="quiet">{t.search}</button>
    </div>
  );
}

function FilterFields({ viewer, place: { list, forms, workspaces, form }, isInvalidDay }: Props) {
  const { inbox: t } = viewer.texts;
  const isInvalid = isInvalidDay ? 'true' : undefined;
  return (
    <div class="grid">
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
                  .filter((one) => one.workspaceId === id && isListed(one, list))
                  .map((one) => (
                    <option value={one.id} selected={one.id === list.form}>
                      {one.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </select>
        </div>
      )}
    </div>
  );
}
