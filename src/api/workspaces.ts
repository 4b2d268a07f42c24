import { type Static, Type } from '@sinclair/typebox';
import { noSuch } from '../domain/errors.ts';
import { parseName, type Workspace } from '../domain/teams/team.ts';
import { formatTime } from '../lib/clock.ts';
import { noun, Time } from '../lib/schema.ts';
import { createWorkspace } from '../services/teams/teams.ts';
import { requireWorkspace } from './find.ts';
import { nameText, strictObject } from './input.ts';
import { operation } from './operation.ts';
import { Deleted, serializeDeleted } from './shared-schemas.ts';

const ID = 'wsp_01a1fd5b4a6e71d29c3a5b7c9d1e3f50';

const WorkspaceOutput = noun('Workspace', {
  id: Type.String({ example: ID }),
  name: Type.String({ example: 'Website' }),
  created_at: Time,
});

function serializeWorkspace({ id, name, createdAt }: Workspace): Static<typeof WorkspaceOutput> {
  return { id, name, created_at: formatTime(createdAt) };
}

const WorkspaceName = strictObject({ name: nameText('Name', 'Website') });

export const workspaceOperations = [
  operation('GET', '/v1/workspaces', {
    id: 'listWorkspaces',
    summary: 'List workspaces',
    description: 'Returns all workspaces of the team, sorted by creation time, oldest first.',
    limitedKeys: 'open',
    output: Type.Array(WorkspaceOutput),
    run: async ({ context: { store }, teamId, key, allowsForm }) => {
      const workspaces = await store.workspaces.list(teamId);
      if (!key.formIds) return workspaces.map(serializeWorkspace);
      // A limited key sees the workspaces of its forms.
      const forms = (await store.forms.list(teamId)).filter(({ id }) => allowsForm(id));
      const allowed = new Set(forms.map(({ workspaceId }) => workspaceId));
      return workspaces.filter(({ id }) => allowed.has(id)).map(serializeWorkspace);
    },
  }),
  operation('POST', '/v1/workspaces', {
    id: 'createWorkspace',
    summary: 'Create a workspace',
    description: 'Creates an empty workspace.',
    audit: 'workspace.created',
    creates: true,
    body: WorkspaceName,
    output: WorkspaceOutput,
    run: async ({ context, teamId, body, note }) => {
      const name = parseName(body.name);
      const workspace = await createWorkspace({ ...context, plans: context.config.plans }, teamId, name);
      note({ workspace_id: workspace.id });
      return serializeWorkspace(workspace);
    },
  }),
  operation('PATCH', '/v1/workspaces/:workspaceId', {
    id: 'renameWorkspace',
    summary: 'Rename a workspace',
    description: 'Changes the name of a workspace.',
    audit: 'workspace.changed',
    body: WorkspaceName,
    output: WorkspaceOutput,
    run: async ({ context: { store }, teamId, params: { workspaceId }, body, note }) => {
      const name = parseName(body.name);
      if (!(await store.workspaces.rename(workspaceId, name, teamId))) noSuch('workspace');
      note({ settings: 'name' });
      return serializeWorkspace(await requireWorkspace(store, workspaceId, teamId));
    },
  }),
  operation('DELETE', '/v1/workspaces/:workspaceId', {
    id: 'deleteWorkspace',
    summary: 'Delete a workspace',
    description:
      'Deletes an empty workspace. Returns 409 if it has forms or is the only one of the team. Its forms in the trash move ' +
      'to another workspace.',
    audit: 'workspace.deleted',
    output: Deleted,
    example: { id: ID },
    errors: ['conflict'],
    run: async ({ context: { store }, teamId, params: { workspaceId: id } }) => {
      if (!(await store.workspaces.delete(id, teamId))) noSuch('workspace');
      return serializeDeleted(id);
    },
  }),
];
