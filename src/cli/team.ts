import type { Command } from 'commander';
import { NotFoundError } from '../domain/errors.ts';
import { parseName, type Team } from '../domain/teams/team.ts';
import { formatTime } from '../lib/clock.ts';
import { printable } from '../lib/table.ts';
import type { DeletedCounts } from '../services/submissions/delete-batches.ts';
import { createTeam, deleteTeam, requirePlan } from '../services/teams/teams.ts';
import { CliCommand, type CliContext, printList, printOne, requireOption, serviceDeps } from './command.ts';
import { withProgress } from './progress.ts';
import { teamMemberCommand } from './team-member.ts';

export function teamCommand(cli: CliContext): Command {
  const team = new CliCommand(cli, 'team').description('teams, which own workspaces and API keys');

  team
    .command('create')
    .description('create a team')
    .requiredOption('--name <name>', 'name of the team')
    .option('--plan <plan>', 'plan of the team', 'unlimited')
    .run(async (context, { name, plan }: { name: string; plan: string }) => {
      const created = await createTeam(serviceDeps(context), name, plan);
      context.note({}, { teamId: created.id });
      printOne(cli, serializeTeam(created));
    });

  team
    .command('update <id>')
    .description("change a team's name or plan")
    .option('--name <name>', 'new name')
    .option('--plan <plan>', 'new plan')
    .hook('preAction', requireOption)
    .run(async ({ store, config, note }, id: string, changes: { name?: string; plan?: string }) => {
      const { name, plan } = changes;
      const updated = await store.teams.update(id, {
        ...(name !== undefined && { name: parseName(name) }),
        ...(plan !== undefined && { plan: requirePlan(config.plans, plan) }),
      });
      if (!updated) throw new NotFoundError('team', id);
      note({}, { teamId: id });
      printOne(cli, serializeTeam(updated));
    });

  team
    .command('list')
    .description('list all teams')
    .run(async ({ store }) => {
      const teams = (await store.teams.list()).map(serializeTeam);
      printList(cli, teams, ['id', 'name', 'plan', 'created_at']);
    });

  team
    .command('delete <id>')
    .description('permanently delete a team with its forms, submissions, keys and members; accounts stay')
    .confirmable()
    .run(async ({ store, blobs, note, confirm }, id: string) => {
      const stats = (await store.teams.listStats()).find((team) => team.id === id);
      if (!stats) throw new NotFoundError('team', id);
      const { name, forms, submissions } = stats;
      const contents = `forms: ${forms}, submissions: ${submissions}, and its trash`;
      const question = `Permanently delete the team "${printable(name)}" (${contents})? Type its name: `;
      if (!(await confirm(question, name))) return;
      const counts: DeletedCounts = { submissions: 0, files: 0, mails: 0 };
      const progress = () => `${counts.submissions} submissions deleted`;
      await withProgress(cli, progress, deleteTeam({ store, blobs }, id, counts));
      note({ team_id: id, ...counts }, { teamId: null });
      printOne(cli, { id, deleted: true, ...counts });
    });

  team.addCommand(teamMemberCommand(cli));
  return team;
}

const serializeTeam = ({ id, name, plan, createdAt }: Team) => ({ id, name, plan, created_at: formatTime(createdAt) });
