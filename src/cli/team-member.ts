import { type Command, Option } from 'commander';
import type { Context } from '../context/context.ts';
import { AppError } from '../domain/errors.ts';
import { hasPermission, ROLES, type Role } from '../domain/teams/roles.ts';
import { type ChosenAccess, type Member, NO_ACCESS, type RevokedAccess, type User } from '../domain/users/user.ts';
import { formatTime } from '../lib/clock.ts';
import { accessMadeBy, type MemberAccess, requireTeam } from '../services/teams/teams.ts';
import { requireEmail } from '../services/users/accounts.ts';
import type { Store } from '../storage/store.ts';
import { CliCommand, type CliContext, printList, printOne } from './command.ts';

type MemberOptions = Readonly<{ email: string; revokeKeys?: boolean }>;

const REVOKE_KEYS = ['--revoke-keys', 'also revoke the API keys that the member created'] as const;

/** `formstead team member …` */
export function teamMemberCommand(cli: CliContext): Command {
  const member = new CliCommand(cli, 'member').description('members of a team and their roles');

  member
    .command('list <team>')
    .description('list the members of a team')
    .run(async ({ store }, teamId: string) => {
      const { id } = await requireTeam(store, teamId);
      const members = (await store.members.list(id)).map(serializeMember);
      printList(cli, members, ['id', 'email', 'role', 'since']);
    });

  member
    .command('set <team>')
    .description('set the role of an account in a team; adds the account if it is not a member')
    .requiredOption('--email <address>', 'email address of the account')
    .addOption(roleOption().makeOptionMandatory())
    .option(...REVOKE_KEYS)
    .run(async (context, teamId: string, { email, role, revokeKeys }: MemberOptions & { role: Role }) => {
      const { store, note } = context;
      const [team, user] = await requireTeamAndUser(store, teamId, email);
      const access = await getAccess(context, team.id, user);
      const revoked = await store.members.changeRole(team.id, user.id, role, getChosen(access, revokeKeys));
      if (!revoked) await store.members.add(team.id, user.id, role);
      const action = revoked ? 'member.role_changed' : 'member.added';
      const isDemotion = revoked !== null && !hasPermission(role, 'manage');
      const ended = isDemotion ? serializeRevoked(revoked, access) : {};
      note({ user_id: user.id, role }, { teamId: team.id, action });
      const members = await store.members.list(team.id);
      for (const member of members.filter(({ userId }) => userId === user.id)) {
        printOne(cli, { ...serializeMember(member), ...ended });
      }
    });

  member
    .command('remove <team>')
    .description('remove a member from a team; the account stays')
    .requiredOption('--email <address>', 'email address of the account')
    .option(...REVOKE_KEYS)
    .run(async (context, teamId: string, { email, revokeKeys }: MemberOptions) => {
      const { store, note } = context;
      const [team, user] = await requireTeamAndUser(store, teamId, email);
      note({ user_id: user.id }, { teamId: team.id });
      const access = await getAccess(context, team.id, user);
      const revoked = await store.members.remove(team.id, user.id, getChosen(access, revokeKeys));
      if (!revoked) {
        throw new AppError('not_found', `${user.email} is not a member of this team; see "team member list".`);
      }
      const ended = serializeRevoked(revoked, access);
      printOne(cli, { id: user.id, email: user.email, removed: true, ...ended });
    });

  return member;
}

/** Returns the option `--role`. */
export function roleOption(): Option {
  return new Option('--role <role>', 'role in the team').choices(ROLES);
}

async function requireTeamAndUser(store: Store, teamId: string, text: string) {
  const team = await requireTeam(store, teamId);
  const user: User | null = await store.users.findByEmail(requireEmail(text));
  if (!user) throw new AppError('not_found', `there is no account with the email ${text}; see "user create".`);
  return [team, user] as const;
}

function getAccess(context: Context, teamId: string, { id: userId, email }: User): Promise<MemberAccess> {
  return accessMadeBy(context, teamId, { userId, email });
}

function getChosen({ keys }: MemberAccess, revokesKeys = false): ChosenAccess {
  return { ...NO_ACCESS, keyIds: revokesKeys ? keys.map(({ id }) => id) : [] };
}

/** Names revoked access, the keys and webhooks that keep working, and the forms that keep mailing the address. */
function serializeRevoked({ invitations, keys }: RevokedAccess, access: MemberAccess) {
  return {
    invitations_revoked: invitations,
    keys_revoked: keys,
    keys_left: keys > 0 ? [] : access.keys.map(({ id }) => id),
    webhooks_left: access.webhooks.map(({ webhook }) => webhook.id),
    notified_by: access.notifying.map(({ id }) => id),
  };
}

function serializeMember({ userId, email, role, since }: Member) {
  return { id: userId, email, role, since: formatTime(since) };
}
