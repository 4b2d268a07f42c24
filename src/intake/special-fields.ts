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

/** Whether a field that people do not see was filled in. */
export function isTrapped(payload: Payload): boolean {
  return payload.some(([name, value]) => HONEYPOTS.has(name) && isFilled(value));
}

/** What is stored: all that was sent but honeypots and challenge tokens. */
export function withoutControlFields(payload: Payload): Payload {
  return payload.filter(([name]) => !HONEYPOTS.has(name) && !CHALLENGE_TOKENS.has(name));
}

/** Whether anything is left besides a subject line. */
export function isEmpty(stored: Payload): boolean {
  return stored.every(([name]) => name === '_subject');
}

function isFilled(value: PayloadValue): boolean {
  if (Array.isArray(value)) return value.some(isFilled);
  return value !== '' && value !== null && value !== false;
}
