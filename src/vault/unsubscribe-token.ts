import { isSameText } from '../lib/is-same-text.ts';
import type { Vault } from './vault.ts';

/** Hex digits of each half of a token: 128 bits. */
const HALF = 32;

/**
 * Returns the token that lets a recipient leave a form: the recipient's id and its signature. It names no address, works
 * only for this form, and stays the same when keys are rotated.
 */
export function unsubscribeToken(vault: Vault, formId: string, recipient: string): string {
  const id = recipientId(vault, formId, recipient);
  return id + signature(vault, formId, id);
}

export function recipientId(vault: Vault, formId: string, recipient: string): string {
  return vault.fingerprint('recipient', `${formId}\0${recipient}`).slice(0, HALF);
}

/** Returns the recipient's id in a token, or null if the token was not made for this form. */
export function recipientIdIn(vault: Vault, formId: string, token: string): string | null {
  const id = token.slice(0, HALF);
  return isSameText(token, id + signature(vault, formId, id)) ? id : null;
}

function signature(vault: Vault, formId: string, id: string): string {
  return vault.fingerprint('unsubscribe', `${formId}\0${id}`).slice(0, HALF);
}
