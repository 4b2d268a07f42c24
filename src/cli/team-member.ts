import { Command, Option } from 'commander';
import { AppError } from '../domain/errors.ts';
import { ROLES, type Role } from '../domain/rights.ts';
import type { Member, User } from '../domain/user.ts';
import { formatTime } from '../lib/clock.ts';
import { requireEmail } from '../services/accounts.ts';
import { requireTeam } from '../services/teams.ts';
import type { Store } from '../storage/store.ts';
import { type CliContext, printList, printOne, withContext } from './command.ts';

type Whom = Readonly<{ email: string; json?: boolean }>;

/** `formstead team member …` */
export function teamMemberCommand(surroundings: CliContext): Command {
  const member = new Command('member').description('who belongs to a team, and under which role');

  member
    .command('list <team>')
    .description('list the members of a team')
    .action((teamId: string, { json }: { json?: boolean }) =>
      withContext(surroundings, async ({ store }) => {
        const { id } = await requireTeam(store, teamId);
        const members = (await store.listMembers(id)).map(shown);
        printList(surroundings, json === true, members, ['id', 'email', 'role', 'since']);
      }),
    );

  member
    .command('set <team>')
    .description('give somebody who has an account a role in a team, adding them where they do not belong to it')
    .requiredOption('--email <address>', 'who')
    .addOption(roleOption().makeOptionMandatory())
    .action((teamId: string, { email, role, json }: Whom & { role: Role }) =>
      withContext(surroundings, async ({ store, note }) => {
        const [team, user] = await find(store, teamId, email);
        const isMember = await store.changeRole(team.id, user.id, role);
        if (!isMember) await store.addMember(team.id, user.id, role);
        const action = isMember ? 'member.role_changed' : 'member.added';
        note({ user_id: user.id, role }, { teamId: team.id, action });
        const members = await store.listMembers(team.id);
        for (const one of members.filter(({ userId }) => userId === user.id)) {
          printOne(surroundings, json === true, shown(one));
        }
      }),
    );

  member
    .command('remove <team>')
    .description('take somebody out of a team; their account stays')
    .requiredOption('--email <address>', 'who')
    .action((teamId: string, { email, json }: Whom) =>
      withContext(surroundings, async ({ store, note }) => {
        const [team, user] = await find(store, teamId, email);
        note({ user_id: user.id }, { teamId: team.id });
        if (!(await store.removeMember(team.id, user.id))) {
          throw new AppError('not_found', `${user.email} does not belong to this team; see "team member list".`);
        }
        printOne(surroundings, json === true, { id: user.id, email: user.email, removed: true });
      }),
    );

  return member;
}

/** `--role`, which takes one of those that there are. */
export function roleOption(): Option {
  return new Option('--role <role>', 'what they may do').choices(ROLES);
}

async function find(store: Store, teamId: string, text: string) {
  const team = await requireTeam(store, teamId);
  const user: User | null = await store.findUserByEmail(requireEmail(text));
  if (!user) throw new AppError('not_found', `nobody has an account as ${text}; see "user create".`);
  return [team, user] as const;
}

function shown({ userId, email, role, since }: Member) {
  return { id: userId, email, role, since: formatTime(since) };
}
