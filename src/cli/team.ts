import { Command } from 'commander';
import { NotFoundError } from '../domain/errors.ts';
import { parseName, type Team } from '../domain/team.ts';
import { formatTime } from '../lib/clock.ts';
import { createTeam, requirePlan } from '../services/teams.ts';
import { type CliContext, keeperOf, printList, printOne, requireSome, withContext } from './command.ts';
import { teamMemberCommand } from './team-member.ts';

type Options = { name?: string; plan?: string; json?: boolean };

/** `formstead team …` */
export function teamCommand(surroundings: CliContext): Command {
  const team = new Command('team').description('teams, which own workspaces and keys');

  team
    .command('create')
    .description('make a team')
    .requiredOption('--name <name>', 'its name')
    .option('--plan <plan>', 'its plan', 'unlimited')
    .action(({ name, plan, json }: { name: string; plan: string; json?: boolean }) =>
      withContext(surroundings, async (context) => {
        const created = await createTeam(keeperOf(context), name, plan);
        context.note({}, { teamId: created.id });
        printOne(surroundings, json === true, shown(created));
      }),
    );

  team
    .command('update <id>')
    .description("change a team's name or plan")
    .option('--name <name>', 'its new name')
    .option('--plan <plan>', 'its new plan')
    .action((id: string, { json, ...changes }: Options, command: Command) => {
      requireSome(command, changes);
      const { name, plan } = changes;
      return withContext(surroundings, async ({ store, config, note }) => {
        const updated = await store.updateTeam(id, {
          ...(name !== undefined && { name: parseName(name) }),
          ...(plan !== undefined && { plan: requirePlan(config.plans, plan) }),
        });
        if (!updated) throw new NotFoundError('team', id);
        note({}, { teamId: id });
        printOne(surroundings, json === true, shown(updated));
      });
    });

  team
    .command('list')
    .description('list all teams')
    .action(({ json }: Options) =>
      withContext(surroundings, async ({ store }) => {
        const teams = (await store.listTeams()).map(shown);
        printList(surroundings, json === true, teams, ['id', 'name', 'plan', 'created_at']);
      }),
    );

  team.addCommand(teamMemberCommand(surroundings));
  return team;
}

function shown({ id, name, plan, createdAt }: Team) {
  return { id, name, plan, created_at: formatTime(createdAt) };
}
