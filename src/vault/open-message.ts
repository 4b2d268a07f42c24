import type { MessageBody, StoredMessage } from '../domain/submissions/message.ts';
import { messageAad, type Vault } from './vault.ts';

/** Opens a note or reply. Throws `UnreadableRecordError` for a damaged record. */
export function openMessage(vault: Vault, { id, formId, body }: StoredMessage): MessageBody {
  return JSON.parse(vault.open(body, messageAad(id, formId)).toString());
}

/** Seals the body of a note or reply. */
export function sealMessage(vault: Vault, id: string, formId: string, body: MessageBody): Uint8Array {
  return vault.seal(JSON.stringify(body), messageAad(id, formId));
}
