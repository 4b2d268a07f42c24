import { Command } from 'commander';
import type { Workspace } from '../domain/team.ts';
import { formatTime } from '../lib/clock.ts';
import { createWorkspace, requireTeam } from '../services/teams.ts';
import { type CliContext, keeperOf, printList, printOne, withContext } from './command.ts';

type Options = { team: string; name: string; json?: boolean };

/** `formstead workspace …` */
export function workspaceCommand(surroundings: CliContext): Command {
  const workspace = new Command('workspace').description('workspaces, which hold forms');

  workspace
    .command('create')
    .description('make a workspace')
    .requiredOption('--team <id>', 'the team it belongs to')
    .requiredOption('--name <name>', 'its name')
    .action(({ team, name, json }: Options) =>
      withContext(surroundings, async (context) => {
        const created = await createWorkspace(keeperOf(context), team, name);
        context.note({ workspace_id: created.id });
        printOne(surroundings, json === true, shown(created));
      }),
    );

  workspace
    .command('list')
    .description('list the workspaces of a team')
    .requiredOption('--team <id>', 'the team')
    .action(({ team, json }: Options) =>
      withContext(surroundings, async ({ store }) => {
        await requireTeam(store, team);
        const workspaces = (await store.listWorkspaces(team)).map(shown);
        printList(surroundings, json === true, workspaces, ['id', 'name', 'created_at']);
      }),
    );

  return workspace;
}

function shown({ id, name, teamId, createdAt }: Workspace) {
  return { id, name, team_id: teamId, created_at: formatTime(createdAt) };
}
