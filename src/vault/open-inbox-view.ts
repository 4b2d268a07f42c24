import { openOr } from './open-submission.ts';
import { inboxViewAad, type Vault } from './vault.ts';

/** A saved view: the name for its link, the query of the list, and whether it has a tab. */
export type SavedView = Readonly<{ name: string; query: string; isTab: boolean }>;

export function sealInboxView(vault: Vault, viewId: string, view: SavedView): Uint8Array {
  return vault.seal(JSON.stringify(view), inboxViewAad(viewId));
}

/** Opens a saved view; null if the record is damaged. */
export function openInboxView(vault: Vault, viewId: string, record: Uint8Array): SavedView | null {
  return openOr(() => JSON.parse(vault.open(record, inboxViewAad(viewId)).toString()), null);
}
