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
  const actions = ['duplicate', form.archivedAt === null ? 'archive' : 'unarchive', 'trash'] as const;
  return (
    <details class="menu more end above" name="menu">
      <summary class="button quiet" aria-label={t.menu(form.name)}>
        <Icon name="more" />
      </summary>
      <div>
        {workspaces.some(({ id }) => id !== form.workspaceId) && (
          <a href={`${path}/settings/danger#move`}>
            <Icon name="forms" /> {t.actions.move}
          </a>
        )}
        {actions.map((action) => (
          <form method="post" action={`${path}/${action}`}>
            <button class={action === 'trash' ? 'danger' : undefined}>
              <Icon name={ICONS[action]} /> {t.actions[action]}
            </button>
          </form>
        ))}
      </div>
    </details>
  );
}
