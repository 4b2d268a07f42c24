import { AppError } from '../domain/errors.ts';
import { type Form, newShortId } from '../domain/form.ts';
import type { Plans } from '../domain/plan.ts';
import { parseName, type Team, type Workspace } from '../domain/team.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Store } from '../storage/store.ts';

export type Keeper = Readonly<{ store: Store; clock: Clock; plans: Plans }>;

/** Throws `invalid_input` unless the plan is configured. */
export function requirePlan(plans: Plans, plan: string): string {
  if (Object.hasOwn(plans, plan)) return plan;
  throw new AppError('invalid_input', `there is no plan "${plan}"; it takes one of ${Object.keys(plans).join(', ')}.`);
}

/** Throws `invalid_input` for a name or plan that does not fit. */
export async function createTeam({ store, clock, plans }: Keeper, name: string, plan: string): Promise<Team> {
  const team = { id: newId('team'), name: parseName(name), plan: requirePlan(plans, plan), createdAt: clock() };
  await store.createTeam(team);
  return team;
}

/** Throws `not_found` for an unknown team, `invalid_input` for a name that does not fit. */
export async function createWorkspace({ store, clock }: Keeper, teamId: string, name: string): Promise<Workspace> {
  await requireTeam(store, teamId);
  const workspace = { id: newId('wsp'), teamId, name: parseName(name), createdAt: clock() };
  await store.createWorkspace(workspace);
  return workspace;
}

type NewForm = Pick<Form, 'workspaceId' | 'name' | 'redirectUrl' | 'fields'>;

/** Throws `not_found` for an unknown workspace, `invalid_input` for a name that does not fit. */
export async function createForm(keeper: Keeper, wanted: NewForm): Promise<Form> {
  const { store, clock } = keeper;
  const name = parseName(wanted.name);
  if (!(await store.findWorkspace(wanted.workspaceId))) {
    throw new AppError('not_found', `there is no workspace "${wanted.workspaceId}"; see "workspace list --team <id>".`);
  }
  const form = { ...wanted, name, id: newId('frm'), shortId: newShortId(), isActive: true, createdAt: clock() };
  try {
    await store.createForm(form);
    return form;
  } catch (error) {
    // Two of 852 billion short ids met; the next draw will not.
    if (error instanceof AppError && error.code === 'conflict') return createForm(keeper, wanted);
    throw error;
  }
}

/** Throws `not_found` for an unknown team. */
export async function requireTeam(store: Store, id: string): Promise<Team> {
  const team = await store.findTeam(id);
  if (!team) throw new AppError('not_found', `there is no team "${id}"; see "team list".`);
  return team;
}
