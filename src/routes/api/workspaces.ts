import { Elysia, t } from 'elysia';
import type { Context } from '../../context.ts';
import { AppError } from '../../domain/errors.ts';
import { parseName, type Workspace } from '../../domain/team.ts';
import type { BodyMemory } from '../../http/body-memory.ts';
import { strictObject, success, withMessage } from '../../http/envelope.ts';
import { WorkspaceParams } from '../../http/params.ts';
import { formatTime } from '../../lib/clock.ts';
import { createWorkspace } from '../../services/teams.ts';
import type { Store } from '../../storage/store.ts';
import { jsonInput } from './json-input.ts';
import type { KeyGuard } from './key-guard.ts';
import {
  createWorkspaceOperation,
  deleteWorkspaceOperation,
  listWorkspacesOperation,
  renameWorkspaceOperation,
} from './openapi/management-operations.ts';

const WorkspaceName = strictObject(
  {
    name: withMessage(
      t.String({ description: 'Name, 1 to 200 characters. Leading and trailing spaces are removed.' }),
      'name must be a string of 1 to 200 characters.',
    ),
  },
  { name: 'Website' },
);

/** Registers the routes to list, create, rename and delete workspaces. */
export function workspaceRoutes(context: Context, guard: KeyGuard, bodies: BodyMemory) {
  const { store, config } = context;
  return new Elysia()
    .use(guard)
    .get(
      '/v1/workspaces',
      async ({ teamId, key, allowsForm }) => {
        const workspaces = await store.workspaces.list(teamId);
        if (!key.formIds) return success(workspaces.map(serialize));
        // A limited key sees the workspaces of its forms.
        const forms = (await store.forms.list(teamId)).filter(({ id }) => allowsForm(id));
        const allowed = new Set(forms.map(({ workspaceId }) => workspaceId));
        return success(workspaces.filter(({ id }) => allowed.has(id)).map(serialize));
      },
      { detail: listWorkspacesOperation },
    )
    .post(
      '/v1/workspaces',
      async ({ teamId, body, note, set }) => {
        const name = parseName(body.name);
        const workspace = await createWorkspace({ ...context, plans: config.plans }, teamId, name);
        note({ workspace_id: workspace.id });
        set.status = 201;
        return success(serialize(workspace));
      },
      { detail: createWorkspaceOperation, body: WorkspaceName, ...jsonInput(bodies) },
    )
    .patch(
      '/v1/workspaces/:workspaceId',
      async ({ teamId, params, body, note }) => {
        const name = parseName(body.name);
        if (!(await store.workspaces.rename(params.workspaceId, name, teamId))) workspaceNotFound();
        note({ settings: 'name' });
        return success(serialize(await requireWorkspace(store, params.workspaceId, teamId)));
      },
      { detail: renameWorkspaceOperation, params: WorkspaceParams, body: WorkspaceName, ...jsonInput(bodies) },
    )
    .delete(
      '/v1/workspaces/:workspaceId',
      async ({ teamId, params }) => {
        if (!(await store.workspaces.delete(params.workspaceId, teamId))) workspaceNotFound();
        return success({ id: params.workspaceId, deleted: true });
      },
      { detail: deleteWorkspaceOperation, params: WorkspaceParams },
    );
}

/** Returns a workspace. Throws `not_found` if the team has no such workspace. */
export async function requireWorkspace(store: Store, id: string, teamId: string): Promise<Workspace> {
  const workspace = await store.workspaces.find(id);
  return workspace?.teamId === teamId ? workspace : workspaceNotFound();
}

function serialize({ id, name, createdAt }: Workspace) {
  return { id, name, created_at: formatTime(createdAt) };
}

function workspaceNotFound(): never {
  throw new AppError('not_found', 'There is no such workspace in this team.');
}
