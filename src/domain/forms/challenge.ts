import { Type } from '@sinclair/typebox';
import { MAX_URL_LENGTH, parseHttpUrl } from '../../lib/http-url.ts';
import { closed } from '../../lib/schema.ts';
import { invalidInput } from '../errors.ts';

/** Challenge providers. `altcha` is issued and verified locally, the others by a siteverify request. */
export const CHALLENGE_KINDS = ['turnstile', 'hcaptcha', 'recaptcha', 'cap', 'custom', 'altcha'] as const;

export type ChallengeKind = (typeof CHALLENGE_KINDS)[number];

const SITEVERIFY: Partial<Record<ChallengeKind, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
};

/** A form's challenge settings with the secret in plain text. */
export type ChallengeInput = Readonly<{ kind: ChallengeKind; secret: string | null; verifyUrl: string | null }>;

/**
 * Validates challenge settings and fills in the provider's verify URL. Throws `invalid_input` if a secret or URL is
 * missing, invalid or not supported by the provider.
 */
export function validateChallenge({ kind, secret, verifyUrl }: ChallengeInput): ChallengeInput {
  if (kind === 'altcha') {
    if (secret !== null || verifyUrl !== null)
      throw invalidInput('altcha needs no challenge secret and no verify URL. Remove them.');
    return { kind, secret, verifyUrl };
  }
  if (!secret) {
    const message = `${kind} needs a challenge secret. Copy it from your account with the service.`;
    throw invalidInput(message, ['missing_challenge_secret']);
  }
  const address = verifyUrl ?? SITEVERIFY[kind] ?? null;
  if (address === null) {
    const message = `${kind} needs a challenge verify URL, such as https://cap.example.com/KEY/siteverify.`;
    throw invalidInput(message, ['invalid_verify_url']);
  }
  return { kind, secret, verifyUrl: requireHttpUrl(address) };
}

function requireHttpUrl(text: string): string {
  const url = parseHttpUrl(text);
  if (url && url.href.length <= MAX_URL_LENGTH) return url.href;
  throw invalidInput(
    'The challenge verify URL must be an absolute http or https URL such as https://cap.example.com/KEY/siteverify.',
    ['invalid_verify_url'],
  );
}

/** The parameters of a challenge of ALTCHA. */
export const ALTCHA_PARAMETERS = {
  algorithm: Type.String(),
  cost: Type.Integer({ description: 'Iterations of the algorithm per attempt.' }),
  data: closed({ form: Type.String() }),
  expiresAt: Type.Integer({ description: 'Expiration time in seconds since 1970.' }),
  keyLength: Type.Integer(),
  keyPrefix: Type.String({ description: 'The prefix of the derived key of a solution.' }),
  nonce: Type.String(),
  salt: Type.String(),
};
