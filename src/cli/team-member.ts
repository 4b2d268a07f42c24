import { Command, Option } from 'commander';
import { AppError } from '../domain/errors.ts';
import { hasPermission, ROLES, type Role } from '../domain/roles.ts';
import type { Member, RevokedAccess, User } from '../domain/user.ts';
import { formatTime } from '../lib/clock.ts';
import { requireEmail } from '../services/accounts.ts';
import { accessMadeBy, requireTeam } from '../services/teams.ts';
import type { Store } from '../storage/store.ts';
import { type CliContext, type CommandContext, printList, printOne, withContext } from './command.ts';

type MemberOptions = Readonly<{ email: string; revokeKeys?: boolean; json?: boolean }>;

const REVOKE_KEYS = ['--revoke-keys', 'also revoke the API keys that the member created'] as const;

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
    .option(...REVOKE_KEYS)
    .action((teamId: string, { email, role, revokeKeys, json }: MemberOptions & { role: Role }) =>
      withContext(cli, async (context) => {
        const { store, note } = context;
        const [team, user] = await requireTeamAndUser(store, teamId, email);
        const keyIds = await keysOf(context, team.id, user.id);
        const revoked = await store.changeRole(team.id, user.id, role, revokeKeys ? keyIds : []);
        if (!revoked) await store.addMember(team.id, user.id, role);
        const action = revoked ? 'member.role_changed' : 'member.added';
        const isDemotion = revoked !== null && !hasPermission(role, 'manage');
        const ended = isDemotion ? serializeRevoked(revoked, keyIds) : {};
        note({ user_id: user.id, role }, { teamId: team.id, action });
        const members = await store.listMembers(team.id);
        for (const member of members.filter(({ userId }) => userId === user.id)) {
          printOne(cli, json === true, { ...serializeMember(member), ...ended });
        }
      }),
    );

  member
    .command('remove <team>')
    .description('remove a member from a team; the account stays')
    .requiredOption('--email <address>', 'email address of the account')
    .option(...REVOKE_KEYS)
    .action((teamId: string, { email, revokeKeys, json }: MemberOptions) =>
      withContext(cli, async (context) => {
        const { store, note } = context;
        const [team, user] = await requireTeamAndUser(store, teamId, email);
        note({ user_id: user.id }, { teamId: team.id });
        const keyIds = await keysOf(context, team.id, user.id);
        const revoked = await store.removeMember(team.id, user.id, revokeKeys ? keyIds : []);
        if (!revoked) {
          throw new AppError('not_found', `${user.email} is not a member of this team; see "team member list".`);
        }
        const ended = serializeRevoked(revoked, keyIds);
        printOne(cli, json === true, { id: user.id, email: user.email, removed: true, ...ended });
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

/** Returns the ids of the valid API keys that a user created in a team. */
async function keysOf(context: CommandContext, teamId: string, userId: string): Promise<readonly string[]> {
  return (await accessMadeBy(context, teamId, userId)).keys.map(({ id }) => id);
}

/** Names revoked access, and the keys that keep working. */
function serializeRevoked({ invitations, keys }: RevokedAccess, keyIds: readonly string[]) {
  return { invitations_revoked: invitations, keys_revoked: keys, keys_left: keys > 0 ? [] : keyIds };
}

function serializeMember({ userId, email, role, since }: Member) {
  return { id: userId, email, role, since: formatTime(since) };
}
