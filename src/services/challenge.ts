import { type ChallengeInput, validateChallenge } from '../domain/challenge.ts';
import type { FormSettings } from '../domain/form.ts';
import { challengeSecretAad, UnreadableRecordError, type Vault } from '../vault/vault.ts';

/** A form's challenge settings. */
export type ChallengeSettings = Pick<FormSettings, 'challenge' | 'challengeVerifyUrl' | 'challengeSecret'>;

/** Returns the settings for a challenge, with its secret sealed. Throws `invalid_input` if it is incomplete. */
export function challengeSettings(vault: Vault, formId: string, challenge: ChallengeInput | null): ChallengeSettings {
  if (challenge === null) return { challenge: null, challengeVerifyUrl: null, challengeSecret: null };
  const { kind, secret, verifyUrl } = validateChallenge(challenge);
  return {
    challenge: kind,
    challengeVerifyUrl: verifyUrl,
    challengeSecret: secret === null ? null : vault.seal(secret, challengeSecretAad(formId)),
  };
}

/** Seals a secret that was entered but not saved, so that a page can hold it in a hidden input. */
export function holdSecret(vault: Vault, formId: string, secret: string): string {
  return Buffer.from(vault.seal(secret, challengeSecretAad(formId))).toString('base64');
}

/** Opens the result of `holdSecret`. Returns null for anything else. */
export function openHeldSecret(vault: Vault, formId: string, held: string): string | null {
  try {
    return vault.open(Buffer.from(held, 'base64'), challengeSecretAad(formId)).toString();
  } catch (error) {
    if (error instanceof UnreadableRecordError) return null;
    throw error;
  }
}
