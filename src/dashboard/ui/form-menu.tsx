/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../domain/forms/form.ts';
import type { Workspace } from '../../domain/teams/team.ts';
import { FORMS_TEXTS } from '../forms/list/texts.ts';
import type { Viewer } from '../viewer.ts';
import { Icon } from './icon.tsx';

const ICONS = { duplicate: 'copy', archive: 'archive', unarchive: 'archive', trash: 'trash' } as const;

type Props = Readonly<{ viewer: Viewer; form: Form; workspaces: readonly Workspace[] }>;

/** The actions on a form, for members who may edit it. */
export function FormMenu({ viewer, form, workspaces }: Props) {
  const t = FORMS_TEXTS[viewer.language];
  if (!viewer.can('edit')) return null;
  const path = `/dashboard/forms/${form.id}`;
  const otherWorkspaces = workspaces.filter(({ id }) => id !== form.workspaceId);
  const actions = ['duplicate', form.archivedAt === null ? 'archive' : 'unarchive', 'trash'] as const;
  return (
    <details class="menu more end above" name="menu">
      <summary class="button quiet small" aria-label={t.menu(form.name)}>
        ⋯
      </summary>
      <div>
        {actions.map((action) => (
          <form method="post" action={`${path}/${action}`}>
            <button class={action === 'trash' ? 'danger' : undefined}>
              <Icon name={ICONS[action]} /> {t.actions[action]}
            </button>
          </form>
        ))}
        {otherWorkspaces.length > 0 && <MoveForm {...{ viewer, form }} workspaces={otherWorkspaces} />}
      </div>
    </details>
  );
}

function MoveForm({ viewer, form, workspaces }: Props) {
  const t = FORMS_TEXTS[viewer.language];
  return (
    <form class="move" method="post" action={`/dashboard/forms/${form.id}/move`}>
      <select name="workspace" aria-label={t.moveTo} autocomplete="off">
        {workspaces.map(({ id, name }) => (
          <option value={id}>{name}</option>
        ))}
      </select>
      <button>{t.actions.move}</button>
    </form>
  );
}
