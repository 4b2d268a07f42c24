/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SettingsProps } from './settings-props.ts';
import { SETTINGS_TEXTS } from './texts.ts';

/** Actions on the form as a whole. */
export function DangerZone({ viewer, form, workspaces }: SettingsProps) {
  const { danger: t } = SETTINGS_TEXTS[viewer.language];
  const others = workspaces.filter(({ id }) => id !== form.workspaceId);
  const [state, place] = [
    form.isActive ? 'pause' : 'resume',
    form.archivedAt === null ? 'archive' : 'unarchive',
  ] as const;
  const actions = [
    [state, 'settings/danger'],
    ['duplicate', 'duplicate'],
    ['move', others.length > 0 ? 'move' : null],
    [place, place],
    ['delete', 'trash'],
  ] as const;
  return (
    <ul class="danger-zone">
      {actions.map(([name, path]) => (
        <li id={path === 'move' ? path : undefined}>
          <div>
            <h3>{t[`${name}Title`]}</h3>
            <p class="soft small">{path === null ? t.moveNowhere : t[`${name}Text`]}</p>
          </div>
          {path !== null && (
            <form method="post" action={`/dashboard/forms/${form.id}/${path}`} class="row">
              {name === 'move' && (
                <select name="workspace" aria-label={t.workspace} autocomplete="off">
                  {others.map(({ id, name }) => (
                    <option value={id}>{name}</option>
                  ))}
                </select>
              )}
              <button
                class={name === 'delete' ? 'danger' : 'quiet'}
                name={name === state ? 'isActive' : undefined}
                value={name === 'pause' ? '' : name === 'resume' ? 'yes' : undefined}
              >
                {t[name]}
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}
