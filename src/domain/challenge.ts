import { AppError } from './errors.ts';

/** Who sets the challenge of a form. All but `altcha` are asked by siteverify; `altcha` is set and checked here. */
export const CHALLENGE_KINDS = ['turnstile', 'hcaptcha', 'recaptcha', 'cap', 'custom', 'altcha'] as const;

export type ChallengeKind = (typeof CHALLENGE_KINDS)[number];

const SITEVERIFY: Partial<Record<ChallengeKind, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
  recaptcha: 'https://www.google.com/recaptcha/api/siteverify',
};

/** A challenge as the owner wants it, with its secret in the clear. */
export type ChallengeInput = Readonly<{ kind: ChallengeKind; secret: string | null; verifyUrl: string | null }>;

/**
 * Completes what the owner named. Throws `invalid_input` where a secret or an address is missing, is not usable, or is
 * there without need.
 */
export function validateChallenge({ kind, secret, verifyUrl }: ChallengeInput): ChallengeInput {
  const refuse = (message: string) => new AppError('invalid_input', message);
  if (kind === 'altcha') {
    if (secret !== null || verifyUrl !== null)
      throw refuse('altcha needs neither a challenge secret nor a verify URL.');
    return { kind, secret, verifyUrl };
  }
  if (!secret) throw refuse(`${kind} needs a challenge secret; see the account of the service.`);
  const address = verifyUrl ?? SITEVERIFY[kind] ?? null;
  if (address === null)
    throw refuse(`${kind} needs a challenge verify URL, such as https://cap.example.com/KEY/siteverify.`);
  return { kind, secret, verifyUrl: requireHttpUrl(address) };
}

function requireHttpUrl(text: string): string {
  // Before it is parsed: that takes seconds for a host of many marks.
  const url = text.length <= 2_000 && URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.password && url.href.length <= 2_000)
    return url.href;
  throw new AppError(
    'invalid_input',
    'challenge verify URL is not usable; it takes an absolute http or https address such as https://cap.example.com/KEY/siteverify.',
  );
}
