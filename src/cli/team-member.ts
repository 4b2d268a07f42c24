import { type Command, Option } from 'commander';
import type { Context } from '../context/context.ts';
import { type AppError, conflict, invalidInput, notFound } from '../domain/errors.ts';
import { hasPermission, type Reach, ROLES, type Role } from '../domain/teams/roles.ts';
import { type ChosenAccess, type Member, NO_ACCESS, type RevokedAccess, type User } from '../domain/users/user.ts';
import { formatTime } from '../lib/clock.ts';
import { accessMadeBy, type MemberAccess, requireTeam, requireWorkspaces } from '../services/teams/teams.ts';
import { requireEmail } from '../services/users/accounts.ts';
import type { Store } from '../storage/store.ts';
import { CliCommand, type CliContext, type CommandContext, collect, printList, printOne } from './command.ts';

type MemberOptions = Readonly<{ email: string; role?: Role; revokeKeys?: boolean; workspace?: string[] }>;

const REVOKE_KEYS = ['--revoke-keys', 'also revoke the API keys that the member created'] as const;

export function teamMemberCommand(cli: CliContext): Command {
  const member = new CliCommand(cli, 'member').description('members of a team and their roles');

  member
    .command('list <team>')
    .description('list the members of a team')
    .run(async ({ store }, teamId: string) => {
      const { id } = await requireTeam(store, teamId);
      const members = (await store.members.list(id)).map(serializeMember);
      printList(cli, members, ['id', 'email', 'role', 'workspaces', 'since']);
    });

  /** Adds or changes a member. `may` names what the command may do. */
  const save = async (
    context: CommandContext,
    teamId: string,
    options: MemberOptions,
    may: Readonly<{ add: boolean; change: boolean }>,
  ) => {
    const { store, note } = context;
    const [team, user] = await requireTeamAndUser(store, teamId, options.email);
    const find = async () => (await store.members.list(team.id)).find(({ userId }) => userId === user.id);
    const before = await find();
    if (before && !may.change) throw conflict(`${user.email} is a member already.`);
    if (!before && !may.add) throw noMember(user);
    const role = options.role ?? before?.role ?? 'viewer';
    const workspaceIds = await parseReach(store, team.id, role, options.workspace);
    const access = await getAccess(context, team.id, user);
    const chosen = getChosen(access, options.revokeKeys);
    const revoked = await store.members.changeRole(team.id, user.id, role, chosen, workspaceIds);
    if (!revoked) await store.members.add(team.id, user.id, role, workspaceIds);
    const isDemotion = revoked !== null && !hasPermission(role, 'manage');
    const ended = isDemotion ? serializeRevoked(revoked, access) : {};
    const seen = workspaceIds === undefined ? {} : { workspaces: workspaceIds?.join(', ') ?? 'all' };
    const action = revoked ? 'member.role_changed' : 'member.added';
    note({ user_id: user.id, role, ...seen }, { teamId: team.id, action });
    const member = await find();
    if (member) printOne(cli, { ...serializeMember(member), ...ended });
  };
  const commands = [
    ['add', 'add an account to a team', { add: true, change: false }],
    ['update', 'change the role of a member, or the workspaces they see', { add: false, change: true }],
    ['set', 'set the role of an account; adds the account if it is not a member', { add: true, change: true }],
  ] as const;
  for (const [name, description, may] of commands) {
    member
      .command(`${name} <team>`)
      .description(description)
      .requiredOption('--email <address>', 'email address of the account')
      .addOption(roleOption().makeOptionMandatory(may.add))
      .option('--workspace <id>', 'workspace that the member sees, or "all"; repeatable', collect)
      .option(...REVOKE_KEYS)
      .run((context, teamId: string, options: MemberOptions) => save(context, teamId, options, may));
  }

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
      if (!revoked) throw noMember(user);
      const ended = serializeRevoked(revoked, access);
      printOne(cli, { id: user.id, email: user.email, removed: true, ...ended });
    });

  return member;
}

function noMember({ email }: User): AppError {
  return notFound(`${email} is not a member of this team; see "team member list".`);
}

/** Returns the workspaces of `--workspace`, null for `all`, undefined without it. Throws for unknown ones. */
async function parseReach(store: Store, teamId: string, role: Role, ids?: string[]): Promise<Reach | undefined> {
  if (ids === undefined) return undefined;
  if (ids.join() === 'all') return null;
  if (hasPermission(role, 'manage')) throw invalidInput('An owner sees all workspaces. Leave out --workspace.');
  return requireWorkspaces(store, teamId, ids);
}

/** Returns the option `--role`. */
export const roleOption = (): Option => new Option('--role <role>', 'role in the team').choices(ROLES);

async function requireTeamAndUser(store: Store, teamId: string, text: string) {
  const team = await requireTeam(store, teamId);
  const user: User | null = await store.users.findByEmail(requireEmail(text));
  if (!user) throw notFound(`there is no account with the email ${text}; see "user create".`);
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

function serializeMember({ userId, email, role, workspaceIds, since }: Member) {
  return { id: userId, email, role, workspaces: workspaceIds ?? 'all', since: formatTime(since) };
}
