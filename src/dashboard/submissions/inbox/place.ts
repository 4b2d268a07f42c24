import type { Form } from '../../../domain/forms/form.ts';
import type { Workspace } from '../../../domain/teams/team.ts';
import type { InboxList } from '../../ui/inbox-list.ts';

/** A list with the forms it can show; `form` is null for the list across forms. */
export type Place = Readonly<{
  list: InboxList;
  forms: readonly Form[];
  workspaces: readonly Workspace[];
  form: Form | null;
}>;
