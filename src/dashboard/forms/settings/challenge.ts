import {
  CHALLENGE_KINDS,
  type ChallengeInput,
  type ChallengeKind,
  validateChallenge,
} from '../../../domain/forms/challenge.ts';
import type { Form, FormChanges } from '../../../domain/forms/form.ts';
import type { ChallengeSettings } from '../../../services/forms/challenge.ts';
import type { Texts } from '../../i18n/index.ts';
import { type FieldErrors, parseInput } from '../../ui/parse-input.ts';

/** Makes the settings of a challenge, with its secret sealed. */
export type SealChallenge = (challenge: ChallengeInput | null) => ChallengeSettings;

/** Challenges whose verify URL must be configured. */
export const NEEDS_VERIFY_URL: readonly ChallengeKind[] = ['cap', 'custom'];

/**
 * Reads the inputs of the challenge. An empty secret keeps the current one only for the same service and verify URL:
 * otherwise an editor could have it sent to another server.
 */
export function readChallenge(
  form: Form,
  input: URLSearchParams,
  texts: Texts,
  seal: SealChallenge,
): Readonly<{ changes: FormChanges; errors: FieldErrors }> {
  const kind = CHALLENGE_KINDS.find((kind) => kind === input.get('challenge')) ?? null;
  if (kind === null || kind === 'altcha') {
    const challenge = kind && { kind, secret: null, verifyUrl: null };
    return { changes: seal(challenge), errors: {} };
  }
  const secret = input.get('challengeSecret')?.trim() || null;
  const isSame = kind === form.challenge;
  const current = isSame ? form.challengeVerifyUrl : null;
  const verifyUrl = NEEDS_VERIFY_URL.includes(kind) ? input.get('challengeVerifyUrl')?.trim() || null : current;
  if (isSame && secret === null && verifyUrl === form.challengeVerifyUrl) return { changes: {}, errors: {} };
  const checkedUrl = parseInput(texts, () => validateChallenge({ kind, secret: 'any', verifyUrl }));
  const checkedSecret = parseInput(texts, () => validateChallenge({ kind, secret, verifyUrl: 'https://any.example' }));
  const errors = {
    ...('error' in checkedSecret && { challengeSecret: checkedSecret.error }),
    ...('error' in checkedUrl && { challengeVerifyUrl: checkedUrl.error }),
  };
  const hasErrors = Object.keys(errors).length > 0;
  return { changes: hasErrors ? {} : seal({ kind, secret, verifyUrl }), errors };
}
