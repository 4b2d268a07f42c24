import type { ChallengeInput } from '../domain/challenge.ts';
import { AppError, NotFoundError } from '../domain/errors.ts';
import { DEFAULT_SETTINGS, type Form, type FormSettings, newShortId } from '../domain/form.ts';
import { parseName } from '../domain/team.ts';
import type { Clock } from '../lib/clock.ts';
import { newId } from '../lib/ids.ts';
import type { Store } from '../storage/store.ts';
import { type ChallengeSettings, challengeSettings } from './challenge.ts';
import { type Deps, FIRST_WORKSPACE, newTeam, newWorkspace } from './teams.ts';

type NewForm = Pick<Form, 'workspaceId' | 'name'> & Partial<Omit<FormSettings, keyof ChallengeSettings>>;

/** Returns a form of the team. Throws `not_found` if the team has no such form. */
export async function requireForm(store: Store, id: string, teamId: string): Promise<Form> {
  const form = await store.findForm(id, teamId);
  if (form) return form;
  throw new AppError('not_found', 'There is no such form in this team.');
}

/** Creates a form. Throws `not_found` for an unknown workspace and `invalid_input` for an invalid name or challenge. */
export async function createForm(deps: Deps, data: NewForm, challenge: ChallengeInput | null = null): Promise<Form> {
  const { store, vault, clock } = deps;
  const base = newForm(clock, { ...data, name: parseName(data.name) });
  const form = { ...base, ...challengeSettings(vault, base.id, challenge) };
  if (!(await store.findWorkspace(data.workspaceId))) throw new NotFoundError('workspace', data.workspaceId);
  try {
    await store.createForm(form);
    return form;
  } catch (error) {
    // A collision of short ids, of which there are 852 billion: try again with another one.
    if (error instanceof AppError && error.code === 'conflict') return createForm(deps, data, challenge);
    throw error;
  }
}

/** Creates a team with a workspace and a form in an empty store. Returns the form; null if there is a team already. */
export async function createFirstForm({ store, clock }: Deps): Promise<Form | null> {
  const team = newTeam(clock, 'My team', 'unlimited');
  const workspace = newWorkspace(clock, team.id, FIRST_WORKSPACE);
  const form = newForm(clock, { workspaceId: workspace.id, name: 'Contact' });
  return (await store.createFirstTeam(team, workspace, form)) ? form : null;
}

/** Returns the id of the team that owns a form; null if the form does not exist. */
export async function teamIdOfForm(store: Store, formId: string): Promise<string | null> {
  const form = await store.findPublicForm(formId);
  return form && ((await store.findWorkspace(form.workspaceId))?.teamId ?? null);
}

function newForm(clock: Clock, data: NewForm): Form {
  return {
    ...DEFAULT_SETTINGS,
    webhookRoutes: [],
    archivedAt: null,
    trashedAt: null,
    ...data,
    id: newId('frm'),
    shortId: newShortId(),
    isActive: true,
    createdAt: clock(),
  };
}
