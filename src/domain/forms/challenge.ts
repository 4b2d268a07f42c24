import { Type } from '@sinclair/typebox';
import { MAX_URL_LENGTH, parseHttpUrl } from '../../lib/http-url.ts';
import { closed } from '../../lib/schema.ts';
import { invalidInput } from '../errors.ts';

/** All about a challenge provider, but the cap and custom elements of *Connect* and the browser's way to reset a widget. */
type Provider = Readonly<{
  /** Proper name; null if the dashboard describes the provider in the user's language. */
  name: string | null;
  /** URL of the siteverify request; `own` if each form has one, null if tokens are verified here. */
  verifyUrl: string | null;
  /** The field of the post that the widget fills in. */
  tokenField: string;
  /** Matches the HTML of a page with the widget: its script, element or field. */
  mark: RegExp;
  /** The element and the script of a widget that takes a site key. */
  keyed?: Readonly<{ className: string; script: string }>;
}>;

const PROVIDERS = {
  turnstile: {
    name: 'Cloudflare Turnstile',
    verifyUrl: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
    tokenField: 'cf-turnstile-response',
    mark: /challenges\.cloudflare\.com\/turnstile/i,
    keyed: { className: 'cf-turnstile', script: 'https://challenges.cloudflare.com/turnstile/v0/api.js' },
  },
  hcaptcha: {
    name: 'hCaptcha',
    verifyUrl: 'https://api.hcaptcha.com/siteverify',
    tokenField: 'h-captcha-response',
    mark: /hcaptcha\.com\/1\/(?:secure-)?api\.js/i,
    keyed: { className: 'h-captcha', script: 'https://js.hcaptcha.com/1/api.js' },
  },
  recaptcha: {
    name: 'Google reCAPTCHA',
    verifyUrl: 'https://www.google.com/recaptcha/api/siteverify',
    tokenField: 'g-recaptcha-response',
    mark: /(?:google\.com|recaptcha\.net)\/recaptcha\//i,
    keyed: { className: 'g-recaptcha', script: 'https://www.google.com/recaptcha/api.js' },
  },
  cap: { name: 'Cap', verifyUrl: 'own', tokenField: 'cap-token', mark: /cap-widget/i },
  custom: { name: null, verifyUrl: 'own', tokenField: 'captcha-response', mark: /captcha-response/i },
  altcha: { name: null, verifyUrl: null, tokenField: 'altcha', mark: /altcha-widget|altcha(?:\.min)?\.js/i },
} as const satisfies Record<string, Provider>;

export type ChallengeKind = keyof typeof PROVIDERS;

/** Challenge providers. `altcha` is issued and verified locally, the others by a siteverify request. */
export const CHALLENGES: Readonly<Record<ChallengeKind, Provider>> = PROVIDERS;
export const CHALLENGE_KINDS = Object.keys(PROVIDERS) as readonly ChallengeKind[];

/** Returns whether a form with a challenge of this kind names the verify URL itself. */
export const needsVerifyUrl = (kind: ChallengeKind): boolean => CHALLENGES[kind].verifyUrl === 'own';

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
  const address = verifyUrl ?? CHALLENGES[kind].verifyUrl;
  if (address === null || address === 'own') {
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
