import { notFound } from '../domain/errors.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Store } from '../storage/store.ts';

/** Returns a form outside the trash by id or short id. Throws `not_found` if there is none. */
export async function requireForm(store: Store, id: string): Promise<Form> {
  return (await store.forms.findPublic(id)) ?? formNotFound(id);
}

/** Returns a form by id or short id, in the trash too, and the id of its team. Throws `not_found` if there is none. */
export async function requireStoredForm(store: Store, id: string): Promise<Readonly<{ form: Form; teamId: string }>> {
  const form = (await store.forms.findStored(id)) ?? formNotFound(id);
  const workspace = await store.workspaces.find(form.workspaceId);
  return { form, teamId: workspace?.teamId ?? formNotFound(id) };
}

export function formNotFound(id: string): never {
  throw notFound(`there is no form "${id}"; see "form list --team <id>".`);
}
