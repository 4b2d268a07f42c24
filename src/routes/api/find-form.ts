import type { Form } from '../../domain/form.ts';
import { formNotFound } from '../../services/forms.ts';
import type { Store } from '../../storage/store.ts';

/** Returns a form by its id or short id. Throws `not_found` if the team has no such form. */
export async function requireForm(store: Store, idOrShortId: string, teamId: string): Promise<Form> {
  const found = await store.forms.findPublic(idOrShortId);
  return (found && (await store.forms.find(found.id, teamId))) ?? formNotFound();
}

/** Returns a form in the trash by its id or short id. Throws `not_found` if the team has no such form there. */
export async function requireTrashedForm(store: Store, idOrShortId: string, teamId: string): Promise<Form> {
  const trashed = await store.forms.list(teamId, 'trashed');
  return trashed.find(({ id, shortId }) => id === idOrShortId || shortId === idOrShortId) ?? formNotFound();
}
