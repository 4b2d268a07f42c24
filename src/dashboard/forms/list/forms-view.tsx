/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Form } from '../../../domain/form.ts';
import type { Workspace } from '../../../domain/team.ts';
import type { FormStats } from '../../../storage/store.ts';
import type { Viewer } from '../../viewer.ts';
import { FormItem } from './form-item.tsx';
import { CreateWorkspace, type RejectedName, RenameWorkspace } from './workspace-forms.tsx';

type Props = Readonly<{
  viewer: Viewer;
  workspaces: readonly Workspace[];
  forms: readonly Form[];
  /** By form id. */
  stats: ReadonlyMap<string, FormStats>;
  rejected: RejectedName | null;
}>;

/** All forms of the team, by workspace. */
export function FormsView(props: Props) {
  const { viewer, workspaces, forms, rejected } = props;
  const canEdit = viewer.can('edit');
  const isEmpty = forms.length === 0;
  return (
    <>
      <div class="head">
        <h1>{viewer.texts.sections.forms}</h1>
        {!isEmpty && canEdit && <NewFormLink viewer={viewer} />}
      </div>
      {isEmpty && workspaces.length > 0 && <NoForms viewer={viewer} />}
      {workspaces.map((workspace) => (
        <WorkspaceSection workspace={workspace} {...props} />
      ))}
      {canEdit && <CreateWorkspace viewer={viewer} isFirst={workspaces.length === 0} rejected={rejected} />}
    </>
  );
}

function NoForms({ viewer }: Pick<Props, 'viewer'>) {
  const { forms: t } = viewer.texts;
  return (
    <div class="empty">
      <h2>{t.none}</h2>
      {viewer.can('edit') && (
        <>
          <p>{t.noneText}</p>
          <p>
            <NewFormLink viewer={viewer} />
          </p>
        </>
      )}
    </div>
  );
}

function NewFormLink({ viewer }: Pick<Props, 'viewer'>) {
  return (
    <a class="button" href="/dashboard/forms/new">
      {viewer.texts.forms.new}
    </a>
  );
}

function WorkspaceSection({ viewer, workspace, forms, stats, rejected }: Props & Readonly<{ workspace: Workspace }>) {
  const { forms: t } = viewer.texts;
  const { id, name } = workspace;
  const canEdit = viewer.can('edit');
  const own = forms.filter(({ workspaceId }) => workspaceId === id);
  return (
    <section class="workspace" aria-labelledby={id}>
      <div class="head">
        <h2 id={id}>{name}</h2>
        {canEdit && <RenameWorkspace viewer={viewer} workspace={workspace} rejected={rejected} />}
      </div>
      {own.length === 0 ? (
        <p class="soft">
          {t.noneInWorkspace} {canEdit && <a href={`/dashboard/forms/new?workspace=${id}`}>{t.new}</a>}
        </p>
      ) : (
        <ul class="list">
          {own.map((form) => (
            <FormItem viewer={viewer} form={form} stats={stats.get(form.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}
