import { invalidInput } from '../../domain/errors.ts';
import { type ChallengeInput, validateChallenge } from '../../domain/forms/challenge.ts';
import type { Form, FormSettings } from '../../domain/forms/form.ts';
import { openOr } from '../../vault/open-submission.ts';
import { challengeSecretAad, type Vault } from '../../vault/vault.ts';

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

/** Changes to a form's challenge. What is undefined stays, as far as it belongs to the same service. */
type ChallengeChanges = { readonly [Name in keyof ChallengeInput]: ChallengeInput[Name] | null | undefined };

/**
 * Returns the changed settings of a form's challenge. The stored secret stays only for the same service and verify URL,
 * so that nobody can have it sent to another server. Throws `invalid_input` if the challenge is incomplete.
 */
export function changedChallenge(vault: Vault, form: Form, changes: ChallengeChanges): Partial<ChallengeSettings> {
  const { kind = form.challenge, secret, verifyUrl } = changes;
  if (changes.kind === undefined && secret === undefined && verifyUrl === undefined) return {};
  if (kind === null) {
    if ((secret ?? null) === null && (verifyUrl ?? null) === null) return challengeSettings(vault, form.id, null);
    throw invalidInput('The form has no challenge for this secret or verify URL. Set one too.');
  }
  const isSame = kind === form.challenge;
  const url = verifyUrl === undefined && isSame ? form.challengeVerifyUrl : (verifyUrl ?? null);
  if (isSame && secret === undefined && url === form.challengeVerifyUrl) return {};
  return challengeSettings(vault, form.id, { kind, secret: secret ?? null, verifyUrl: url });
}

/** Seals a secret that was entered but not saved, so that a page can hold it in a hidden input. */
export function holdSecret(vault: Vault, formId: string, secret: string): string {
  return Buffer.from(vault.seal(secret, challengeSecretAad(formId))).toString('base64');
}

/** Opens the result of `holdSecret`. Returns null for anything else. */
export function openHeldSecret(vault: Vault, formId: string, held: string): string | null {
  return openOr(() => vault.open(Buffer.from(held, 'base64'), challengeSecretAad(formId)).toString(), null);
}
