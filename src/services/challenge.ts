import { type ChallengeInput, validateChallenge } from '../domain/challenge.ts';
import type { FormSettings } from '../domain/form.ts';
import { challengeSecretAad, type Vault } from '../vault/vault.ts';

/** What of a form makes up its challenge. */
export type ChallengeSettings = Pick<FormSettings, 'challenge' | 'challengeVerifyUrl' | 'challengeSecret'>;

/**
 * The settings that give a form this challenge, null for none, with its secret sealed. Throws `invalid_input` where it is
 * not complete.
 */
export function challengeSettings(vault: Vault, formId: string, wanted: ChallengeInput | null): ChallengeSettings {
  if (wanted === null) return { challenge: null, challengeVerifyUrl: null, challengeSecret: null };
  const { kind, secret, verifyUrl } = validateChallenge(wanted);
  return {
    challenge: kind,
    challengeVerifyUrl: verifyUrl,
    challengeSecret: secret === null ? null : vault.seal(secret, challengeSecretAad(formId)),
  };
}
