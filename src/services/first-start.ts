import type { Form } from '../domain/form.ts';
import { createForm, createTeam, createWorkspace, type Keeper } from './owners.ts';

/** In a database without a team, makes one with a workspace and a form, which it returns; null where there is one. */
export async function makeFirstForm(keeper: Keeper): Promise<Form | null> {
  if ((await keeper.store.listTeams()).length > 0) return null;
  const team = await createTeam(keeper, 'My team', 'unlimited');
  const workspace = await createWorkspace(keeper, team.id, 'My workspace');
  return createForm(keeper, { workspaceId: workspace.id, name: 'Contact', redirectUrl: null, fields: [] });
}

/** What the owner must know of a key file that was made just now. */
export function newKeyNotice(path: string): string {
  return `A new encryption key lies in ${path}. Keep a copy elsewhere: without it nothing can be read.\n`;
}
