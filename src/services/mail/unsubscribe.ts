import { recipientId } from '../../vault/unsubscribe-token.ts';
import { ANONYMOUS, recordAction } from '../audit/audit.ts';
import type { Services } from '../services.ts';

export { recipientIdIn } from '../../vault/unsubscribe-token.ts';

type Deps = Pick<Services, 'store' | 'vault' | 'clock' | 'log'>;

/**
 * Removes the recipient with this id from a form's notifications, and records it as done by them. Does nothing if they are
 * no recipient. `address` is that of the client, shortened.
 */
export async function unsubscribe(deps: Deps, formId: string, id: string, address: string | null): Promise<void> {
  const { store, vault } = deps;
  const form = await store.forms.findStored(formId);
  const recipient = form?.notify.find((address) => recipientId(vault, formId, address) === id);
  if (!form || recipient === undefined || !(await store.forms.removeRecipient(formId, recipient))) return;
  const workspace = await store.workspaces.find(form.workspaceId);
  await recordAction(deps, {
    teamIds: workspace ? [workspace.teamId] : [],
    actor: { ...ANONYMOUS, name: recipient, address },
    action: 'recipient.unsubscribed',
    details: { form_id: formId },
  });
}
