import { type ChallengeInput, validateChallenge } from '../domain/challenge.ts';
import type { FormSettings } from '../domain/form.ts';
import { challengeSecretAad, type Vault } from '../vault/vault.ts';

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
