import { type ApiKey, isValidAt } from '../../domain/api-key.ts';
import { AppError, conflict, invalidInput, NotFoundError } from '../../domain/errors.ts';
import { findRecipient } from '../../domain/forms/condition.ts';
import type { Form } from '../../domain/forms/form.ts';
import { type Plans, planNamed } from '../../domain/teams/plan.ts';
import { parseName, type Team, type Workspace } from '../../domain/teams/team.ts';
import type { Invitation, Member } from '../../domain/users/user.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Clock } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import type { Store } from '../../storage/store.ts';
import { completeDeletion } from '../forms/form-trash.ts';
import type { Services } from '../services.ts';
import type { DeletedCounts } from '../submissions/delete-batches.ts';

/** Dependencies for creating and changing teams, workspaces, forms and keys. */
export type Deps = Pick<Services, 'store' | 'vault' | 'clock' | 'plans'>;

/** Returns the name of the plan. Throws `invalid_input` unless it is configured. */
export function requirePlan(plans: Plans, plan: string): string {
  if (Object.hasOwn(plans, plan)) return plan;
  const names = Object.keys(plans).join(', ');
  throw invalidInput(`There is no plan "${plan}". Use one of: ${names}.`);
}

/** Returns the team. Throws `not_found` if it does not exist. */
export async function requireTeam(store: Store, id: string): Promise<Team> {
  const team = await store.teams.find(id);
  if (!team) throw new NotFoundError('team', id);
  return team;
}

/** Creates a team. Throws `invalid_input` for an invalid name or an unknown plan. */
export async function createTeam({ store, clock, plans }: Deps, name: string, plan: string): Promise<Team> {
  const team = newTeam(clock, parseName(name), requirePlan(plans, plan));
  await store.teams.create(team);
  return team;
}

/** Teams that a person may own before creating another: each has separate lanes for deliveries. */
const MAX_TEAMS = 20;

/**
 * Creates a team with an empty workspace for an owner of the team `from`, on the same plan. Throws `role_forbids` unless
 * that plan has no limit, `invalid_input` for an invalid name, and `conflict` beyond the limit of teams.
 */
export async function createOwnedTeam(
  { store, clock, plans }: Pick<Deps, 'store' | 'clock' | 'plans'>,
  { name, ownerId, from }: Readonly<{ name: string; ownerId: string; from: Team }>,
): Promise<Team> {
  if (!mayCreateTeams(plans, from)) {
    throw new AppError('role_forbids', `The plan "${from.plan}" has a limit, so its owners cannot create teams.`);
  }
  const team = newTeam(clock, parseName(name), from.plan);
  const owned = (await store.users.listMemberships(ownerId)).filter(({ role }) => role === 'owner');
  if (owned.length >= MAX_TEAMS) {
    throw conflict(`You own ${MAX_TEAMS} teams, the limit. Delete one first.`, ['too_many_teams', MAX_TEAMS]);
  }
  await store.teams.createOwned(team, newWorkspace(clock, team.id, FIRST_WORKSPACE), ownerId, from.id);
  return team;
}

/** Returns true if owners of the team may create teams: a new team must not get around a limit. */
export function mayCreateTeams(plans: Plans, { plan }: Team): boolean {
  if (!Object.hasOwn(plans, plan)) return false;
  const { submissions_limit, storage_bytes = null } = planNamed(plans, plan);
  return submissions_limit === null && storage_bytes === null;
}

/** Creates a workspace. Throws `not_found` for an unknown team and `invalid_input` for an invalid name. */
export async function createWorkspace({ store, clock }: Deps, teamId: string, name: string): Promise<Workspace> {
  await requireTeam(store, teamId);
  const last = (await store.workspaces.list(teamId)).at(-1);
  const workspace = { ...newWorkspace(clock, teamId, parseName(name)), position: last?.position ?? 0 };
  await store.workspaces.create(workspace);
  return workspace;
}

/** Returns the ids without repetitions. Throws `not_found` unless all are workspaces of the team. */
export async function requireWorkspaces(store: Store, teamId: string, ids: readonly string[]): Promise<string[]> {
  const own = (await store.workspaces.list(teamId)).map(({ id }) => id);
  const foreign = ids.find((id) => !own.includes(id));
  if (foreign !== undefined) throw new NotFoundError('workspace', foreign);
  return [...new Set(ids)];
}

/** Returns the ids of a user's teams, oldest first. */
export async function getTeamIds(store: Store, userId: string): Promise<string[]> {
  return (await store.users.listMemberships(userId)).map(({ team }) => team.id);
}

/**
 * Open invitations that a member made, valid API keys that they created, active webhooks that they or their keys created
 * or readdressed, and forms that notify their address.
 */
export type MemberAccess = Readonly<{
  invitations: readonly Invitation[];
  keys: readonly ApiKey[];
  webhooks: ReadonlyArray<Readonly<{ webhook: Webhook; form: Form }>>;
  notifying: readonly Form[];
}>;

/** Returns a member's access to a team that may outlast their role. Forms in the trash are included. */
export async function accessMadeBy(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  teamId: string,
  { userId, email }: Pick<Member, 'userId' | 'email'>,
): Promise<MemberAccess> {
  const invitations = (await store.members.listInvitations(teamId)).filter(({ createdBy }) => createdBy === userId);
  const ownKeys = (await store.keys.list(teamId)).filter((key) => key.createdBy === userId);
  const { forms, webhooks } = await store.setup.read(teamId);
  const formsById = new Map(forms.map((form) => [form.id, form]));
  const authors = [userId, ...ownKeys.map(({ id }) => id)];
  return {
    invitations,
    keys: ownKeys.filter((key) => isValidAt(key, clock())),
    webhooks: webhooks.flatMap((webhook) => {
      const form = formsById.get(webhook.formId);
      return form && webhook.isActive && authors.includes(webhook.createdBy ?? '') ? [{ webhook, form }] : [];
    }),
    notifying: forms.filter(({ notify }) => findRecipient(email, notify) !== undefined),
  };
}

/** Rows of mails and audit entries that one transaction deletes. */
const BATCH_SIZE = 500;

/**
 * Deletes a team with everything in it, and adds to `counts`. Accounts of its members stay. The first step ends all access
 * to the team; after an interruption, call it again to delete the rest. Returns false if there is no such team.
 */
export async function deleteTeam(
  { store, blobs }: Pick<Services, 'store' | 'blobs'>,
  id: string,
  counts: DeletedCounts,
): Promise<boolean> {
  if (!(await store.teams.close(id))) return false;
  const { signal } = new AbortController();
  for (const form of await store.forms.list(id, 'all'))
    await completeDeletion({ store, blobs }, form.id, counts, signal);
  while (!(await store.teams.delete(id, BATCH_SIZE)));
  return true;
}

export const FIRST_WORKSPACE = 'My workspace';

/** Builds a team that is not stored yet. */
export function newTeam(clock: Clock, name: string, plan: string): Team {
  return {
    id: newId('team'),
    name,
    plan,
    requiresSecondFactor: false,
    learnsSpam: true,
    setUpAt: null,
    createdAt: clock(),
  };
}

/** Builds a workspace that is not stored yet. */
export function newWorkspace(clock: Clock, teamId: string, name: string): Workspace {
  return { id: newId('wsp'), teamId, name, position: 0, createdAt: clock() };
}
