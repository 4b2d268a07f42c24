import { AppError, NotFoundError, noSuch } from '../../domain/errors.ts';
import type { ChallengeInput } from '../../domain/forms/challenge.ts';
import { DEFAULT_SETTINGS, type Form, type FormSettings, newFormId, newShortId } from '../../domain/forms/form.ts';
import { parseName } from '../../domain/teams/team.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Store } from '../../storage/store.ts';
import { challengeSecretAad } from '../../vault/vault.ts';
import { type Deps, FIRST_WORKSPACE, newTeam, newWorkspace } from '../teams/teams.ts';
import { type ChallengeSettings, challengeSettings } from './challenge.ts';

type NewForm = Pick<Form, 'workspaceId' | 'name'> & Partial<Omit<FormSettings, keyof ChallengeSettings>>;

/** Returns a form of the team. Throws `not_found` if the team has no such form. */
export async function requireForm(store: Store, id: string, teamId: string): Promise<Form> {
  return (await store.forms.find(id, teamId)) ?? formNotFound();
}

export function formNotFound(): never {
  noSuch('form');
}

/** Creates a form. Throws `not_found` for an unknown workspace and `invalid_input` for an invalid name or challenge. */
export async function createForm(deps: Deps, data: NewForm, challenge: ChallengeInput | null = null): Promise<Form> {
  const { store, vault, clock } = deps;
  const base = newForm(clock, { ...data, name: parseName(data.name) });
  const form = { ...base, ...challengeSettings(vault, base.id, challenge) };
  if (!(await store.workspaces.find(data.workspaceId))) throw new NotFoundError('workspace', data.workspaceId);
  return storeForm(store, form);
}

/** Stores a form, under another short id if its own is taken: there are 852 billion. */
async function storeForm(store: Store, form: Form): Promise<Form> {
  try {
    await store.forms.create(form);
    return form;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return storeForm(store, { ...form, shortId: newShortId() });
  }
}

/**
 * Creates a form with all settings of another one, its fields and its logo, in the same workspace. Submissions and webhooks
 * are not copied. The copy accepts submissions.
 */
export async function duplicateForm({ store, vault, clock }: Deps, form: Form, name: string): Promise<Form> {
  const fresh = { webhookRoutes: [], archivedAt: null, trashedAt: null };
  const base = { ...newForm(clock, form), ...fresh, name: parseName(name) };
  // The secret is sealed for the form's id.
  const challengeSecret =
    form.challengeSecret &&
    vault.seal(vault.open(form.challengeSecret, challengeSecretAad(form.id)), challengeSecretAad(base.id));
  const copy = await storeForm(store, { ...base, challengeSecret });
  const logo = await store.forms.findLogo(form.id);
  if (logo) await store.forms.setLogo(copy.id, logo);
  return copy;
}

/** Moves a form to another workspace of its team. Throws `not_found` if the team has no such workspace. */
export async function moveForm({ store }: Pick<Deps, 'store'>, form: Form, workspaceId: string): Promise<void> {
  const [from, to] = await Promise.all([store.workspaces.find(form.workspaceId), store.workspaces.find(workspaceId)]);
  if (!from || from.teamId !== to?.teamId) throw new NotFoundError('workspace', workspaceId);
  await store.forms.update(form.id, { workspaceId }, from.teamId);
}

/** Creates a team with a workspace and a form in an empty store. Returns the form; null if there is a team already. */
export async function createFirstForm({ store, clock }: Deps): Promise<Form | null> {
  const team = newTeam(clock, 'My team', 'unlimited');
  const workspace = newWorkspace(clock, team.id, FIRST_WORKSPACE);
  const form = newForm(clock, { workspaceId: workspace.id, name: 'Contact' });
  return (await store.teams.createFirst(team, workspace, form)) ? form : null;
}

/** Returns the id of a form's team; null if the form does not exist. */
export async function teamIdOfForm(store: Store, formId: string): Promise<string | null> {
  const form = await store.forms.findPublic(formId);
  return form && ((await store.workspaces.find(form.workspaceId))?.teamId ?? null);
}

/** Builds a form that is not stored yet. */
export function newForm(clock: Clock, data: NewForm): Form {
  return {
    ...DEFAULT_SETTINGS,
    webhookRoutes: [],
    archivedAt: null,
    trashedAt: null,
    ...data,
    id: newFormId(),
    shortId: newShortId(),
    isActive: true,
    createdAt: clock(),
  };
}
