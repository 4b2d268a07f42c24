import type { Command } from 'commander';
import { NotFoundError } from '../domain/errors.ts';
import { parseName, type Workspace } from '../domain/teams/team.ts';
import { formatTime } from '../lib/clock.ts';
import { createWorkspace, requireTeam } from '../services/teams/teams.ts';
import type { Store } from '../storage/store.ts';
import { CliCommand, type CliContext, printList, printOne, serviceDeps } from './command.ts';

type Options = { team: string; name: string };

export function workspaceCommand(cli: CliContext): Command {
  const workspace = new CliCommand(cli, 'workspace').description('workspaces, which group the forms of a team');

  workspace
    .command('create')
    .description('create a workspace')
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--name <name>', 'name of the workspace')
    .run(async (context, { team, name }: Options) => {
      const created = await createWorkspace(serviceDeps(context), team, name);
      context.note({ workspace_id: created.id });
      printOne(cli, serializeWorkspace(created));
    });

  workspace
    .command('list')
    .description('list the workspaces of a team')
    .requiredOption('--team <id>', 'id of the team')
    .run(async ({ store }, { team }: Options) => {
      await requireTeam(store, team);
      const workspaces = (await store.workspaces.list(team)).map(serializeWorkspace);
      printList(cli, workspaces, ['id', 'name', 'created_at']);
    });

  workspace
    .command('update <id>')
    .description("change a workspace's name")
    .requiredOption('--name <name>', 'new name')
    .run(async ({ store, note }, id: string, { name }: Options) => {
      const found = await requireWorkspace(store, id);
      await store.workspaces.rename(id, parseName(name), found.teamId);
      note({ workspace_id: id }, { teamId: found.teamId });
      printOne(cli, serializeWorkspace({ ...found, name: parseName(name) }));
    });

  workspace
    .command('delete <id>')
    .description('delete a workspace without forms; those in the trash move to another workspace')
    .run(async ({ store, note }, id: string) => {
      const { teamId } = await requireWorkspace(store, id);
      if (!(await store.workspaces.delete(id, teamId))) throw new NotFoundError('workspace', id);
      note({ workspace_id: id }, { teamId });
      printOne(cli, { id, deleted: true });
    });

  return workspace;
}

async function requireWorkspace(store: Store, id: string): Promise<Workspace> {
  const found = await store.workspaces.find(id);
  if (!found) throw new NotFoundError('workspace', id);
  return found;
}

function serializeWorkspace({ id, name, teamId, createdAt }: Workspace) {
  return { id, name, team_id: teamId, created_at: formatTime(createdAt) };
}
