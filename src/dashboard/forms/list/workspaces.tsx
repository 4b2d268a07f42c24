/** @jsxRuntime automatic @jsxImportSource hono/jsx */
import type { SharedContext } from '../../../context/server-context.ts';
import { AppError } from '../../../domain/errors.ts';
import { parseName, type Workspace } from '../../../domain/teams/team.ts';
import { createWorkspace } from '../../../services/teams/teams.ts';
import { action, type DashboardRoute, type Page, type PageContext, redirectTo } from '../../page.ts';
import { ErrorMessage } from '../../ui/elements.tsx';
import { LineInput } from '../../ui/form-inputs.tsx';
import { Icon } from '../../ui/icon.tsx';
import { parseInput } from '../../ui/parse-input.ts';
import type { Viewer } from '../../viewer.ts';
import { FORMS_TEXTS } from './texts.ts';

type Edit = PageContext<'edit'>;

/** Actions on workspaces. `show` renders the list of forms with a name that was rejected. */
export function workspaceRoutes(
  { config }: SharedContext,
  show: (page: Edit, rejected: RejectedName) => Promise<Page>,
): readonly DashboardRoute[] {
  const create = async (page: Edit, form: URLSearchParams): Promise<Page | Response> => {
    const text = form.get('name') ?? '';
    const name = parseInput(page.viewer.texts, () => parseName(text));
    if ('error' in name) return show(page, { workspaceId: null, name: text, error: name.error });
    const created = await createWorkspace({ ...page.context, plans: config.plans }, page.team.id, name.value);
    page.note({ workspace_id: created.id });
    return redirectTo('/dashboard/forms?done=workspace');
  };

  const rename = async (page: Edit, form: URLSearchParams): Promise<Page | Response> => {
    const id = page.param('workspaceId');
    const { store } = page.context;
    const workspace = await store.workspaces.find(id);
    if (workspace?.teamId !== page.team.id) workspaceNotFound();
    const text = form.get('name') ?? '';
    const name = parseInput(page.viewer.texts, () => parseName(text));
    if ('error' in name) return show(page, { workspaceId: id, name: text, error: name.error });
    await store.workspaces.rename(id, name.value, page.team.id);
    page.note({ settings: 'name' });
    return redirectTo('/dashboard/forms?done=renamed');
  };

  const sort = async ({ context, param, team, note }: Edit, form: URLSearchParams): Promise<Response> => {
    const direction = form.get('direction') === 'down' ? 'down' : 'up';
    if (!(await context.store.workspaces.sort(param('workspaceId'), direction, team.id))) workspaceNotFound();
    note({ settings: 'position' });
    return redirectTo('/dashboard/forms?done=sorted');
  };

  const remove = async ({ context, param, team }: Edit): Promise<Response> => {
    if (!(await context.store.workspaces.delete(param('workspaceId'), team.id))) workspaceNotFound();
    return redirectTo('/dashboard/forms?done=workspace-deleted');
  };

  const path = '/dashboard/workspaces/:workspaceId';
  return [
    action('/dashboard/workspaces', { access: 'edit', wholeTeam: true, audit: 'workspace.created' }, create),
    action(path, { access: 'edit', wholeTeam: true, audit: 'workspace.changed' }, rename),
    action(`${path}/sort`, { access: 'edit', wholeTeam: true, audit: 'workspace.changed' }, sort),
    action(`${path}/delete`, { access: 'edit', wholeTeam: true, audit: 'workspace.deleted' }, remove),
  ];
}

function workspaceNotFound(): never {
  throw new AppError('not_found', 'There is no such workspace.');
}

/** An invalid name of a workspace; `workspaceId` is null for a new one. */
export type RejectedName = Readonly<{ workspaceId: string | null; name: string; error: string }>;

type Props = Readonly<{ viewer: Viewer; rejected: RejectedName | null }>;

type MenuProps = Props & Readonly<{ workspace: Workspace; workspaces: readonly Workspace[] }>;

/** The actions on a workspace. */
export function WorkspaceMenu({ viewer, workspace, workspaces, rejected }: MenuProps) {
  const t = FORMS_TEXTS[viewer.language];
  const { id, name } = workspace;
  const path = `/dashboard/workspaces/${id}`;
  const moves = [
    ...(workspaces[0]?.id === id ? [] : [['up', t.moveUp]]),
    ...(workspaces.at(-1)?.id === id ? [] : [['down', t.moveDown]]),
  ];
  return (
    <details class="menu more end" name="menu">
      <summary class="button quiet small" aria-label={t.workspaceMenu(name)}>
        <Icon name="more" />
      </summary>
      <div>
        {rejected?.workspaceId !== id && <RenameWorkspace {...{ viewer, workspace, rejected }} />}
        {workspaces.length > 1 && (
          <>
            <form method="post" action={`${path}/sort`}>
              {moves.map(([direction, text]) => (
                <button name="direction" value={direction}>
                  {text}
                </button>
              ))}
            </form>
            <form method="post" action={`${path}/delete`}>
              <button class="danger">
                <Icon name="trash" /> {t.deleteWorkspace}
              </button>
            </form>
          </>
        )}
      </div>
    </details>
  );
}

/** The form that renames a workspace. */
export function RenameWorkspace({ viewer, workspace, rejected }: Omit<MenuProps, 'workspaces'>) {
  const t = FORMS_TEXTS[viewer.language];
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
  const t = FORMS_TEXTS[viewer.language];
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
