import type { Context } from '../../../context/context.ts';
import { AppError } from '../../../domain/errors.ts';
import { parseName } from '../../../domain/teams/team.ts';
import { createWorkspace } from '../../../services/teams/teams.ts';
import { action, type DashboardRoute, type Page, type PageContext, redirectTo } from '../../page.ts';
import { parseInput } from '../../ui/parse-input.ts';
import type { RejectedName } from './workspace-forms.tsx';

type Edit = PageContext<'edit'>;

/** Actions on workspaces. `show` renders the list of forms with a name that was rejected. */
export function workspaceRoutes(
  context: Context,
  show: (page: Edit, rejected: RejectedName) => Promise<Page>,
): readonly DashboardRoute[] {
  const { store, config } = context;

  const create = async (page: Edit, form: URLSearchParams): Promise<Page | Response> => {
    const text = form.get('name') ?? '';
    const name = parseInput(page.viewer.texts, () => parseName(text));
    if ('error' in name) return show(page, { workspaceId: null, name: text, error: name.error });
    const created = await createWorkspace({ ...context, plans: config.plans }, page.team.id, name.value);
    page.note({ workspace_id: created.id });
    return redirectTo('/dashboard/forms?done=workspace');
  };

  const rename = async (page: Edit, form: URLSearchParams): Promise<Page | Response> => {
    const id = page.param('workspaceId');
    const workspace = await store.workspaces.find(id);
    if (workspace?.teamId !== page.team.id) workspaceNotFound();
    const text = form.get('name') ?? '';
    const name = parseInput(page.viewer.texts, () => parseName(text));
    if ('error' in name) return show(page, { workspaceId: id, name: text, error: name.error });
    await store.workspaces.rename(id, name.value, page.team.id);
    page.note({ settings: 'name' });
    return redirectTo('/dashboard/forms?done=renamed');
  };

  const sort = async ({ param, team, note }: Edit, form: URLSearchParams): Promise<Response> => {
    const direction = form.get('direction') === 'down' ? 'down' : 'up';
    if (!(await store.workspaces.sort(param('workspaceId'), direction, team.id))) workspaceNotFound();
    note({ settings: 'position' });
    return redirectTo('/dashboard/forms?done=sorted');
  };

  const remove = async ({ param, team }: Edit): Promise<Response> => {
    if (!(await store.workspaces.delete(param('workspaceId'), team.id))) workspaceNotFound();
    return redirectTo('/dashboard/forms?done=workspace-deleted');
  };

  const path = '/dashboard/workspaces/:workspaceId';
  return [
    action('/dashboard/workspaces', { access: 'edit', audit: 'workspace.created' }, create),
    action(path, { access: 'edit', audit: 'workspace.changed' }, rename),
    action(`${path}/sort`, { access: 'edit', audit: 'workspace.changed' }, sort),
    action(`${path}/delete`, { access: 'edit', audit: 'workspace.deleted' }, remove),
  ];
}

function workspaceNotFound(): never {
  throw new AppError('not_found', 'There is no such workspace.');
}
