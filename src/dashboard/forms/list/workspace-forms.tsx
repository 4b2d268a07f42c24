/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { Workspace } from '../../../domain/team.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import type { Viewer } from '../../viewer.ts';

/** An invalid name of a workspace; `workspaceId` is null for a new one. */
export type RejectedName = Readonly<{ workspaceId: string | null; name: string; error: string }>;

type Props = Readonly<{ viewer: Viewer; rejected: RejectedName | null }>;

/** The form that renames a workspace, folded unless its name was invalid. */
export function RenameWorkspace({ viewer, workspace, rejected }: Props & Readonly<{ workspace: Workspace }>) {
  const { forms: t, common } = viewer.texts;
  const { id, name } = workspace;
  const isRejected = rejected?.workspaceId === id;
  return (
    <details class="small" open={isRejected}>
      <summary aria-label={t.renameOf(name)}>{t.rename}</summary>
      <form method="post" action={`/dashboard/workspaces/${id}`}>
        <ErrorMessage error={isRejected ? rejected.error : null} />
        <div class="row">
          <input
            name="name"
            value={isRejected ? rejected.name : name}
            aria-label={t.workspaceName}
            required
            maxlength={200}
            autocomplete="off"
          />{' '}
          <button class="quiet">{common.save}</button>
        </div>
      </form>
    </details>
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
