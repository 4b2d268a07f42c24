import type { Command } from 'commander';
import type { Context } from '../context/context.ts';
import { conflict, notFound } from '../domain/errors.ts';
import type { Role } from '../domain/teams/roles.ts';
import { formatTime } from '../lib/clock.ts';
import { reachableHost } from '../lib/reachable-host.ts';
import { accessMadeBy, getTeamIds, requireTeam } from '../services/teams/teams.ts';
import { createResetLink, createWelcomeLink, type NewLink, requireEmail } from '../services/users/accounts.ts';
import { CliCommand, type CliContext, printList, printOne } from './command.ts';
import { roleOption } from './team-member.ts';

export function userCommand(cli: CliContext): Command {
  const command = new CliCommand(cli, 'user').description('accounts of the dashboard');

  command
    .command('create')
    .description('print a link to create one account; valid for 24 hours')
    .option('--team <id>', 'id of the team to join (default: the first team)')
    .addOption(roleOption().default('owner'))
    .option('--email <address>', 'email address to prefill on the page')
    .run(async (context, options: { team?: string; role: Role; email?: string }) => {
      const { store, config } = context;
      const email = options.email === undefined ? null : requireEmail(options.email);
      if (email !== null && (await store.users.findByEmail(email))) {
        throw conflict(
          `${email} already has an account. Run "user reset --email ${email}" to reset its password, or "team member set" to add it to a team.`,
        );
      }
      const { id } = options.team === undefined ? await firstTeam(context) : await requireTeam(store, options.team);
      context.note({}, { teamId: id });
      const query = email === null ? '' : `?email=${encodeURIComponent(email)}`;
      printOne(cli, serializeLink(config, 'welcome', await createWelcomeLink(context, id, options.role), query));
    });

  command
    .command('reset')
    .description('print a link to set a new password, or with OIDC_ONLY to sign in once; valid for one hour')
    .requiredOption('--email <address>', 'email address of the account')
    .option('--second-factor', 'turn off two-factor authentication instead and end all sessions')
    .run(async (context, { email, secondFactor }: { email: string; secondFactor?: boolean }) => {
      const user = await requireUser(context, email);
      const teamIds = await getTeamIds(context.store, user.id);
      if (!secondFactor) {
        context.note({ user_id: user.id }, { teamIds });
        printOne(cli, serializeLink(context.config, 'reset', await createResetLink(context, user.id)));
        return;
      }
      if (!(await context.store.secondFactors.remove(user.id, null)))
        throw notFound(`${user.email} has no second factor.`);
      context.note({ user_id: user.id }, { teamIds, action: 'second_factor.off' });
      printOne(cli, { email: user.email, second_factor: 'off' });
    });

  command
    .command('sign-out')
    .description('end all sessions of an account')
    .requiredOption('--email <address>', 'email address of the account')
    .run(async (context, { email }: { email: string }) => {
      const user = await requireUser(context, email);
      await context.store.sessions.endAll(user.id);
      context.note({ user_id: user.id }, { teamIds: await getTeamIds(context.store, user.id) });
      printOne(cli, { email: user.email, signed_in: 'nowhere' });
    });

  command
    .command('delete <email>')
    .description('permanently delete an account and end its sessions')
    .confirmable()
    .run(async (context, address: string) => {
      const { id: userId, email } = await requireUser(context, address);
      const teamIds = await getTeamIds(context.store, userId);
      context.note({ user_id: userId }, { teamIds });
      const question = `Permanently delete the account ${email}? Type "yes": `;
      if (!(await context.confirm(question))) return;
      const made = await Promise.all(teamIds.map((teamId) => accessMadeBy(context, teamId, { userId, email })));
      const ownerless = (await context.store.members.deleteUser(userId)).map(({ id }) => id);
      if (ownerless.length > 0) {
        const commands = ownerless.map((id) => `"team member set ${id} --email … --role owner"`);
        throw conflict(
          `${email} is the only owner of ${ownerless.join(', ')}. First make someone else an owner: ${commands.join(', ')}.`,
        );
      }
      // The user may know links that others made.
      const invitations = await Promise.all(
        teamIds.map(async (id) => [id, (await context.store.members.listInvitations(id)).length] as const),
      );
      printOne(cli, {
        id: userId,
        email,
        deleted: true,
        // These outlive the account.
        keys_made: made.flatMap(({ keys }) => keys.map(({ id }) => id)),
        webhooks_made: made.flatMap(({ webhooks }) => webhooks.map(({ webhook }) => webhook.id)),
        notified_by: made.flatMap(({ notifying }) => notifying.map(({ id }) => id)),
        open_invitations: Object.fromEntries(invitations.filter(([, count]) => count > 0)),
      });
    });

  command
    .command('operator <email>')
    .description('let an account set up the mail server of the instance, or no longer')
    .option('--on', 'make it an operator')
    .option('--off', 'make it no operator')
    .hook('preAction', (command) => {
      const { on, off } = command.opts();
      if (on === off) command.error('error: pass either --on or --off');
    })
    .run(async (context, address: string, { on = false }: { on?: boolean }) => {
      const { id, email } = await requireUser(context, address);
      await context.store.users.setOperator(id, on);
      const action = on ? 'operator.on' : 'operator.off';
      context.note({ user_id: id }, { teamIds: await getTeamIds(context.store, id), action });
      printOne(cli, { email, operator: on ? 'on' : 'off' });
    });

  command
    .command('list')
    .description('list all accounts')
    .run(async ({ store }) => {
      const users = (await store.users.list()).map(serializeUser);
      printList(cli, users, ['id', 'email', 'operator', 'language', 'time_zone', 'created_at']);
    });

  return command;
}

type ListedUser = Awaited<ReturnType<Context['store']['users']['list']>>[number];

async function requireUser({ store }: Context, email: string) {
  const user = await store.users.findByEmail(requireEmail(email));
  if (user) return user;
  throw notFound(`there is no account with the email ${email}; see "user list".`);
}

async function firstTeam({ store }: Context) {
  const [team] = await store.teams.list();
  if (team) return team;
  throw notFound('there is no team yet; start the server once, or run "team create".');
}

function serializeLink(
  { baseUrl, host, port }: Context['config'],
  page: 'welcome' | 'reset',
  { token, expiresAt }: NewLink,
  query = '',
) {
  const link = `${baseUrl ?? `http://${reachableHost(host)}:${port}`}/dashboard/${page}/${token}${query}`;
  return { link, expires_at: formatTime(expiresAt) };
}

function serializeUser({ id, email, language, timeZone, createdAt, ...user }: ListedUser) {
  return { id, email, operator: user.isOperator, language, time_zone: timeZone, created_at: formatTime(createdAt) };
}
