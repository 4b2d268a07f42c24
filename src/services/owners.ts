import type { ChallengeInput } from '../domain/challenge.ts';
import { AppError } from '../domain/errors.ts';
import { DEFAULT_SETTINGS, type Form, type FormSettings, newShortId } from '../domain/form.ts';
import type { Plans } from '../domain/plan.ts';
import { parseName, type Team, type Workspace } from '../domain/team.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Store } from '../storage/store.ts';
import type { Vault } from '../vault/vault.ts';
import { type ChallengeSettings, challengeSettings } from './challenge.ts';

/** What making and changing things needs. */
export type Deps = Readonly<{ store: Store; vault: Vault; clock: Clock; plans: Plans }>;

/** Throws `invalid_input` unless the plan is configured. */
export function requirePlan(plans: Plans, plan: string): string {
  if (Object.hasOwn(plans, plan)) return plan;
  throw new AppError('invalid_input', `there is no plan "${plan}"; it takes one of ${Object.keys(plans).join(', ')}.`);
}

/** Throws `invalid_input` for a name or plan that does not fit. */
export async function createTeam({ store, clock, plans }: Deps, name: string, plan: string): Promise<Team> {
  const team = newTeam(clock, parseName(name), requirePlan(plans, plan));
  await store.createTeam(team);
  return team;
}

/** Throws `not_found` for an unknown team, `invalid_input` for a name that does not fit. */
export async function createWorkspace({ store, clock }: Deps, teamId: string, name: string): Promise<Workspace> {
  await requireTeam(store, teamId);
  const workspace = newWorkspace(clock, teamId, parseName(name));
  await store.createWorkspace(workspace);
  return workspace;
}

type WantedForm = Pick<Form, 'workspaceId' | 'name'> & Partial<Omit<FormSettings, keyof ChallengeSettings>>;

/**
 * Throws `not_found` for an unknown workspace, `invalid_input` for a name that does not fit or a challenge that is not
 * complete.
 */
export async function createForm(
  deps: Deps,
  wanted: WantedForm,
  challenge: ChallengeInput | null = null,
): Promise<Form> {
  const { store, vault, clock } = deps;
  const bare = newForm(clock, { ...wanted, name: parseName(wanted.name) });
  const form = { ...bare, ...challengeSettings(vault, bare.id, challenge) };
  if (!(await store.findWorkspace(wanted.workspaceId))) {
    throw new AppError('not_found', `there is no workspace "${wanted.workspaceId}"; see "workspace list --team <id>".`);
  }
  try {
    await store.createForm(form);
    return form;
  } catch (error) {
    // Two of 852 billion short ids met; the next draw will not.
    if (error instanceof AppError && error.code === 'conflict') return createForm(deps, wanted, challenge);
    throw error;
  }
}

/** In a store without a team, makes one with a workspace and a form, which it returns; null where there is one. */
export async function createFirstForm({ store, clock }: Deps): Promise<Form | null> {
  const team = newTeam(clock, 'My team', 'unlimited');
  const workspace = newWorkspace(clock, team.id, 'My workspace');
  const form = newForm(clock, { workspaceId: workspace.id, name: 'Contact' });
  return (await store.createFirstTeam(team, workspace, form)) ? form : null;
}

function newTeam(clock: Clock, name: string, plan: string): Team {
  return { id: newId('team'), name, plan, requiresSecondFactor: false, createdAt: clock() };
}

function newWorkspace(clock: Clock, teamId: string, name: string): Workspace {
  return { id: newId('wsp'), teamId, name, createdAt: clock() };
}

function newForm(clock: Clock, wanted: WantedForm): Form {
  return {
    ...DEFAULT_SETTINGS,
    ...wanted,
    id: newId('frm'),
    shortId: newShortId(),
    isActive: true,
    createdAt: clock(),
  };
}

/** The id of the team that a form belongs to; null if there is no such form. */
export async function teamOfForm(store: Store, formId: string): Promise<string | null> {
  const form = await store.findPublicForm(formId);
  return form && ((await store.findWorkspace(form.workspaceId))?.teamId ?? null);
}

/** The ids of all teams that a person belongs to, oldest first. */
export async function teamIdsOf(store: Store, userId: string): Promise<string[]> {
  return (await store.listMembershipsOf(userId)).map(({ team }) => team.id);
}

/** Throws `not_found` for an unknown team. */
export async function requireTeam(store: Store, id: string): Promise<Team> {
  const team = await store.findTeam(id);
  if (!team) throw new AppError('not_found', `there is no team "${id}"; see "team list".`);
  return team;
}
