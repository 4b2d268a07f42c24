import { Command, Option } from 'commander';
import { AppError } from '../domain/errors.ts';
import { ROLES, type Role } from '../domain/roles.ts';
import type { Member, User } from '../domain/user.ts';
import { formatTime } from '../lib/clock.ts';
import { requireEmail } from '../services/accounts.ts';
import { requireTeam } from '../services/teams.ts';
import type { Store } from '../storage/store.ts';
import { type CliContext, printList, printOne, withContext } from './command.ts';

type MemberOptions = Readonly<{ email: string; json?: boolean }>;

/** `formstead team member …` */
export function teamMemberCommand(cli: CliContext): Command {
  const member = new Command('member').description('members of a team and their roles');

  member
    .command('list <team>')
    .description('list the members of a team')
    .action((teamId: string, { json }: { json?: boolean }) =>
      withContext(cli, async ({ store }) => {
        const { id } = await requireTeam(store, teamId);
        const members = (await store.listMembers(id)).map(serializeMember);
        printList(cli, json === true, members, ['id', 'email', 'role', 'since']);
      }),
    );

  member
    .command('set <team>')
    .description('set the role of an account in a team; adds the account if it is not a member')
    .requiredOption('--email <address>', 'email address of the account')
    .addOption(roleOption().makeOptionMandatory())
    .action((teamId: string, { email, role, json }: MemberOptions & { role: Role }) =>
      withContext(cli, async ({ store, note }) => {
        const [team, user] = await requireTeamAndUser(store, teamId, email);
        const isMember = await store.changeRole(team.id, user.id, role);
        if (!isMember) await store.addMember(team.id, user.id, role);
        const action = isMember ? 'member.role_changed' : 'member.added';
        note({ user_id: user.id, role }, { teamId: team.id, action });
        const members = await store.listMembers(team.id);
        for (const member of members.filter(({ userId }) => userId === user.id)) {
          printOne(cli, json === true, serializeMember(member));
        }
      }),
    );

  member
    .command('remove <team>')
    .description('remove a member from a team; the account stays')
    .requiredOption('--email <address>', 'email address of the account')
    .action((teamId: string, { email, json }: MemberOptions) =>
      withContext(cli, async ({ store, note }) => {
        const [team, user] = await requireTeamAndUser(store, teamId, email);
        note({ user_id: user.id }, { teamId: team.id });
        if (!(await store.removeMember(team.id, user.id))) {
          throw new AppError('not_found', `${user.email} is not a member of this team; see "team member list".`);
        }
        printOne(cli, json === true, { id: user.id, email: user.email, removed: true });
      }),
    );

  return member;
}

/** Returns the option `--role`. */
export function roleOption(): Option {
  return new Option('--role <role>', 'role in the team').choices(ROLES);
}

async function requireTeamAndUser(store: Store, teamId: string, text: string) {
  const team = await requireTeam(store, teamId);
  const user: User | null = await store.findUserByEmail(requireEmail(text));
  if (!user) throw new AppError('not_found', `there is no account with the email ${text}; see "user create".`);
  return [team, user] as const;
}

function serializeMember({ userId, email, role, since }: Member) {
  return { id: userId, email, role, since: formatTime(since) };
}
