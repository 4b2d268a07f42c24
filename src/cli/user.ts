import { Command } from 'commander';
import { isValidAt } from '../domain/api-key.ts';
import { AppError } from '../domain/errors.ts';
import type { Role } from '../domain/rights.ts';
import type { User } from '../domain/user.ts';
import { formatTime } from '../lib/clock.ts';
import { createResetLink, createWelcomeLink, type NewLink, requireEmail } from '../services/accounts.ts';
import { requireTeam, teamIdsOf } from '../services/teams.ts';
import { type CliContext, type CommandContext, printList, printOne, withContext } from './command.ts';
import { roleOption } from './team-member.ts';

/** `formstead user …` */
export function userCommand(surroundings: CliContext): Command {
  const { ask, stderr } = surroundings;
  const user = new Command('user').description('people who sign in to the dashboard');

  user
    .command('create')
    .description('print a link with which one person creates an account, within 24 hours')
    .option('--team <id>', 'the team it belongs to, instead of the first one')
    .addOption(roleOption().default('owner'))
    .option('--email <address>', 'what stands on the page to begin with')
    .action(({ team, role, email: text, json }: { team?: string; role: Role; email?: string; json?: boolean }) =>
      withContext(surroundings, async (context) => {
        const { store, config } = context;
        const email = text === undefined ? null : requireEmail(text);
        if (email !== null && (await store.findUserByEmail(email))) {
          throw new AppError(
            'conflict',
            `${email} has an account; "user reset --email ${email}" lets its owner in, and "team member set" adds it to a team.`,
          );
        }
        const { id } = team === undefined ? await firstTeam(context) : await requireTeam(store, team);
        context.note({}, { teamId: id });
        const query = email === null ? '' : `?email=${encodeURIComponent(email)}`;
        printOne(
          surroundings,
          json === true,
          shownLink(config, 'welcome', await createWelcomeLink(context, id, role), query),
        );
      }),
    );

  user
    .command('reset')
    .description('print a link with which someone sets a new password, within an hour')
    .requiredOption('--email <address>', 'whose')
    .option('--second-factor', 'turn their second factor off instead, and end their sign-ins')
    .action(({ email, secondFactor, json }: { email: string; secondFactor?: boolean; json?: boolean }) =>
      withContext(surroundings, async (context) => {
        const found = await requireUser(context, email);
        const teamIds = await teamIdsOf(context.store, found.id);
        if (secondFactor) {
          if (!(await context.store.removeSecondFactor(found.id, null))) {
            throw new AppError('not_found', `${found.email} has no second factor.`);
          }
          context.note({ user_id: found.id }, { teamIds, action: 'second_factor.off' });
          printOne(surroundings, json === true, { email: found.email, second_factor: 'off' });
          return;
        }
        context.note({ user_id: found.id }, { teamIds });
        printOne(
          surroundings,
          json === true,
          shownLink(context.config, 'reset', await createResetLink(context, found.id)),
        );
      }),
    );

  user
    .command('sign-out')
    .description('end all sign-ins of someone')
    .requiredOption('--email <address>', 'whose')
    .action(({ email, json }: { email: string; json?: boolean }) =>
      withContext(surroundings, async (context) => {
        const found = await requireUser(context, email);
        await context.store.endSessions(found.id);
        context.note({ user_id: found.id }, { teamIds: await teamIdsOf(context.store, found.id) });
        printOne(surroundings, json === true, { email: found.email, signed_in: 'nowhere' });
      }),
    );

  user
    .command('delete <email>')
    .description('delete an account for good, and end all its sign-ins')
    .option('--yes', 'do not ask before deleting')
    .action((email: string, { yes, json }: { yes?: boolean; json?: boolean }, command: Command) => {
      if (!yes && !ask) command.error('error: nobody can be asked here; --yes says that it is meant');
      return withContext(surroundings, async (context) => {
        const found = await requireUser(context, email);
        const teamIds = await teamIdsOf(context.store, found.id);
        context.note({ user_id: found.id }, { teamIds });
        const answer = yes ? 'yes' : await ask?.(`Delete the account ${found.email} for good? Type "yes": `);
        if (answer?.trim() !== 'yes') {
          context.note({}, { action: null });
          stderr('Nothing was deleted.\n');
          return;
        }
        const ownerless = (await context.store.deleteUser(found.id)).map(({ id }) => id);
        if (ownerless.length > 0) {
          const commands = ownerless.map((id) => `"team member set ${id} --email … --role owner"`);
          throw new AppError(
            'conflict',
            `${found.email} is the only owner of ${ownerless.join(', ')}; first make somebody else one: ${commands.join(', ')}.`,
          );
        }
        const left = await leftBy(context, found.id, teamIds);
        printOne(surroundings, json === true, { id: found.id, email: found.email, deleted: true, ...left });
      });
    });

  user
    .command('list')
    .description('list all who have an account')
    .action(({ json }: { json?: boolean }) =>
      withContext(surroundings, async ({ store }) => {
        const users = (await store.listUsers()).map(shown);
        printList(surroundings, json === true, users, ['id', 'email', 'language', 'time_zone', 'created_at']);
      }),
    );

  return user;
}

async function requireUser({ store }: CommandContext, email: string) {
  const found = await store.findUserByEmail(requireEmail(email));
  if (found) return found;
  throw new AppError('not_found', `nobody has an account as ${email}; see "user list".`);
}

/**
 * What may still let in whoever has lost their account: keys in force that they made, as the audit has it, and how many
 * invitations are open in each of their teams.
 */
async function leftBy({ store, clock }: CommandContext, actorId: string, teamIds: readonly string[]) {
  const keys: string[] = [];
  const invitations: Record<string, number> = {};
  for (const teamId of teamIds) {
    const made = await store.listAudit(teamId, { before: null, limit: 1000, actorId, action: 'key.created' });
    const madeIds = made.map(({ details }) => details.key_id);
    const inForce = (await store.listKeys(teamId)).filter((key) => isValidAt(key, clock()));
    keys.push(...inForce.map(({ id }) => id).filter((id) => madeIds.includes(id)));
    const { length } = await store.listInvitations(teamId);
    if (length > 0) invitations[teamId] = length;
  }
  return { keys_made: keys, open_invitations: invitations };
}

async function firstTeam({ store }: CommandContext) {
  const [team] = await store.listTeams();
  if (team) return team;
  throw new AppError('not_found', 'there is no team yet; start the server once, or use "team create".');
}

function shownLink(
  { baseUrl, port }: CommandContext['config'],
  page: 'welcome' | 'reset',
  { token, expiresAt }: NewLink,
  query = '',
) {
  const link = `${baseUrl ?? `http://localhost:${port}`}/dashboard/${page}/${token}${query}`;
  return { link, expires_at: formatTime(expiresAt) };
}

function shown({ id, email, language, timeZone, createdAt }: User) {
  return { id, email, language, time_zone: timeZone, created_at: formatTime(createdAt) };
}
