import type { Payload, PayloadValue } from '../domain/submission.ts';

const HONEYPOTS = new Set(['_honey', '_gotcha']);

/** The specified name of a challenge's token, and those that the widgets use by themselves. */
const CHALLENGE_TOKENS = new Set([
  'captcha-response',
  'cf-turnstile-response',
  'h-captcha-response',
  'g-recaptcha-response',
  'cap-token',
  'altcha',
]);

/** A signed time of when the page was made; see `spam/stamp.ts`. */
const STAMP = '_stamp';

/** What the widget of a challenge sent; null for nothing. */
export function challengeToken(payload: Payload): string | null {
  const [, token] = payload.find(([name, value]) => CHALLENGE_TOKENS.has(name) && isFilled(value)) ?? [];
  return typeof token === 'string' ? token : null;
}

/** The signed time that came along; null for none. */
export function stampOf(payload: Payload): string | null {
  const [, stamp] = payload.find(([name]) => name === STAMP) ?? [];
  return typeof stamp === 'string' ? stamp : null;
}

/** Whether a field that people do not see was filled in. */
export function isTrapped(payload: Payload): boolean {
  return payload.some(([name, value]) => HONEYPOTS.has(name) && isFilled(value));
}

/** What is stored: all that was sent but honeypots, challenge tokens and the stamp. */
export function withoutControlFields(payload: Payload): Payload {
  return payload.filter(([name]) => !HONEYPOTS.has(name) && !CHALLENGE_TOKENS.has(name) && name !== STAMP);
}

/** Whether anything is left besides a subject line. */
export function isEmpty(stored: Payload): boolean {
  return stored.every(([name]) => name === '_subject');
}

function isFilled(value: PayloadValue): boolean {
  if (Array.isArray(value)) return value.some(isFilled);
  return value !== '' && value !== null && value !== false;
}
