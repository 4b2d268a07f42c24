import { isSameText } from '../lib/is-same-text.ts';
import type { Vault } from './vault.ts';

/** Hex digits of a token: 128 bits. */
const LENGTH = 32;

/** Returns the token of the link that confirms the address of a submission. It stays the same when keys are rotated. */
export function confirmToken(vault: Vault, submissionId: string, confirmHash: string): string {
  return vault.fingerprint('confirm', `${submissionId}\0${confirmHash}`).slice(0, LENGTH);
}

/** Returns whether a token was made for a submission. */
export function isConfirmToken(vault: Vault, token: string, submissionId: string, confirmHash: string): boolean {
  return isSameText(token, confirmToken(vault, submissionId, confirmHash));
}
