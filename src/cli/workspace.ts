import { Command } from 'commander';
import type { Workspace } from '../domain/team.ts';
import { formatTime } from '../lib/clock.ts';
import { createWorkspace, requireTeam } from '../services/teams.ts';
import { type CliContext, printList, printOne, serviceDeps, withContext } from './command.ts';

type Options = { team: string; name: string; json?: boolean };

/** `formstead workspace …` */
export function workspaceCommand(cli: CliContext): Command {
  const workspace = new Command('workspace').description('workspaces, which group the forms of a team');

  workspace
    .command('create')
    .description('create a workspace')
    .requiredOption('--team <id>', 'id of the team')
    .requiredOption('--name <name>', 'name of the workspace')
    .action(({ team, name, json }: Options) =>
      withContext(cli, async (context) => {
        const created = await createWorkspace(serviceDeps(context), team, name);
        context.note({ workspace_id: created.id });
        printOne(cli, json === true, serializeWorkspace(created));
      }),
    );

  workspace
    .command('list')
    .description('list the workspaces of a team')
    .requiredOption('--team <id>', 'id of the team')
    .action(({ team, json }: Options) =>
      withContext(cli, async ({ store }) => {
        await requireTeam(store, team);
        const workspaces = (await store.listWorkspaces(team)).map(serializeWorkspace);
        printList(cli, json === true, workspaces, ['id', 'name', 'created_at']);
      }),
    );

  return workspace;
}

function serializeWorkspace({ id, name, teamId, createdAt }: Workspace) {
  return { id, name, team_id: teamId, created_at: formatTime(createdAt) };
}
