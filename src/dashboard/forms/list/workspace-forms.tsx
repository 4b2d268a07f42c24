/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Workspace } from '../../../domain/teams/team.ts';
import { ErrorMessage } from '../../ui/elements.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { Viewer } from '../../viewer.ts';

/** An invalid name of a workspace; `workspaceId` is null for a new one. */
export type RejectedName = Readonly<{ workspaceId: string | null; name: string; error: string }>;

type Props = Readonly<{ viewer: Viewer; rejected: RejectedName | null }>;

type MenuProps = Props & Readonly<{ workspace: Workspace; workspaces: readonly Workspace[] }>;

/** The actions on a workspace. */
export function WorkspaceMenu({ viewer, workspace, workspaces, rejected }: MenuProps) {
  const { forms: t } = viewer.texts;
  const { id, name } = workspace;
  const path = `/dashboard/workspaces/${id}`;
  const index = workspaces.findIndex((workspace) => workspace.id === id);
  const canMove = { up: index > 0, down: index < workspaces.length - 1 };
  return (
    <details class="menu more end" name="menu">
      <summary class="button quiet small" aria-label={t.workspaceMenu(name)}>
        ⋯
      </summary>
      <div>
        {rejected?.workspaceId !== id && <RenameWorkspace {...{ viewer, workspace, rejected }} />}
        {workspaces.length > 1 && (
          <form method="post" action={`${path}/sort`}>
            {canMove.up && (
              <button name="direction" value="up">
                {t.moveUp}
              </button>
            )}
            {canMove.down && (
              <button name="direction" value="down">
                {t.moveDown}
              </button>
            )}
          </form>
        )}
        {workspaces.length > 1 && (
          <form method="post" action={`${path}/delete`}>
            <button class="danger">
              <Icon name="trash" /> {t.deleteWorkspace}
            </button>
          </form>
        )}
      </div>
    </details>
  );
}

/** The form that renames a workspace. */
export function RenameWorkspace({ viewer, workspace, rejected }: Omit<MenuProps, 'workspaces'>) {
  const { forms: t } = viewer.texts;
  const { id, name } = workspace;
  const isRejected = rejected?.workspaceId === id;
  return (
    <form class="move" method="post" action={`/dashboard/workspaces/${id}`}>
      <ErrorMessage error={isRejected ? rejected.error : null} />
      <input
        name="name"
        value={isRejected ? rejected.name : name}
        aria-label={t.workspaceName}
        required
        maxlength={200}
        autocomplete="off"
      />
      <button>{t.rename}</button>
    </form>
  );
}

/** The form that creates a workspace, folded unless it is the first or its name was invalid. */
export function CreateWorkspace({ viewer, isFirst, rejected }: Props & Readonly<{ isFirst: boolean }>) {
  const { forms: t } = viewer.texts;
  const isRejected = rejected?.workspaceId === null;
  return (
    <details class="workspace" open={isFirst || isRejected}>
      <summary>{t.newWorkspace}</summary>
      <form class="card" method="post" action="/dashboard/workspaces">
        <ErrorMessage error={isRejected ? rejected.error : null} />
        <LineInput
          name="name"
          id="new-workspace"
          label={t.workspaceName}
          value={isRejected ? rejected.name : ''}
          hint={t.workspaceHint}
          required
          maxlength={200}
        />
        <button>{t.create}</button>
      </form>
    </details>
  );
}
