import { CHALLENGES } from '../domain/forms/challenge.ts';
import type { Form } from '../domain/forms/form.ts';
import type { Payload, PayloadValue } from '../domain/submissions/submission.ts';
import { parseHttpUrl } from '../lib/http-url.ts';

const HONEYPOTS = new Set(['_honey', '_gotcha']);

/** Texts of inputs that nobody filled in, such as a hidden checkbox or counter of a framework. */
const UNFILLED = ['', '0', 'false'];

/** The fields of the challenge token: those of the widgets, and the documented name, which works for each kind. */
const CHALLENGE_TOKENS = new Set(Object.values(CHALLENGES).map(({ tokenField }) => tokenField));

/** The field with the page's signed time; see `spam/stamp.ts`. */
const STAMP = '_stamp';

/** The field with the page to show after a submission. */
const NEXT = '_next';

/** Fields that are never stored. */
const CONTROL_FIELDS = new Set([...HONEYPOTS, ...CHALLENGE_TOKENS, STAMP]);

/** Returns the absolute http or https URL that a post names for the page after it; null without one. */
export function namedNextPage(payload: Payload): string | null {
  const [, value] = payload.find(([name]) => name === NEXT) ?? [];
  // `URL` would take `https:example.com`, too.
  return typeof value === 'string' && /^https?:\/\//i.test(value) ? (parseHttpUrl(value)?.href ?? null) : null;
}

/** Returns the named page after a post if its origin is allowed: that of a page that may post, or of the redirect URL. */
export function nextPage({ allowedOrigins, redirectUrl }: Form, payload: Payload): string | null {
  const url = namedNextPage(payload);
  if (url === null) return null;
  const allowed = redirectUrl === null ? allowedOrigins : [...allowedOrigins, new URL(redirectUrl).origin];
  return allowed.includes(new URL(url).origin) ? url : null;
}

/** Returns the token of the challenge widget; null if missing. */
export function challengeToken(payload: Payload): string | null {
  const [, token] = payload.find(([name, value]) => CHALLENGE_TOKENS.has(name) && hasTextExcept(UNFILLED, value)) ?? [];
  return typeof token === 'string' ? token : null;
}

/** Returns the page's signed time; null if missing. */
export function pageStamp(payload: Payload): string | null {
  const [, stamp] = payload.find(([name]) => name === STAMP) ?? [];
  return typeof stamp === 'string' ? stamp : null;
}

/** Returns whether a honeypot field, which people don't see, has a value. */
export function hasFilledHoneypot(payload: Payload): boolean {
  return payload.some(([name, value]) => HONEYPOTS.has(name) && hasTextExcept(UNFILLED, value));
}

/** Returns the fields without challenge tokens. */
export function withoutChallengeTokens(payload: Payload): Payload {
  return payload.filter(([name]) => !CHALLENGE_TOKENS.has(name));
}

/** Returns whether a field is a honeypot, a challenge token or the stamp, which are not stored. */
export const isControlField = (name: string): boolean => CONTROL_FIELDS.has(name);

/** Returns the payload to store: without honeypots, challenge tokens, the stamp, and a next page that `form` allows. */
export function withoutControlFields(payload: Payload, form: Form | null = null): Payload {
  const hasNextPage = form !== null && nextPage(form, payload) !== null;
  return payload.filter(([name]) => !isControlField(name) && !(hasNextPage && name === NEXT));
}

/** Returns whether no field of a stored payload has a value: only blanks, nulls, empty lists and objects. */
export const isEmpty = (stored: Payload): boolean => !stored.some(([, value]) => hasTextExcept([''], value));

/** Returns whether a value, or one inside a list or object, is another text than `texts` once trimmed. */
function hasTextExcept(texts: readonly string[], value: PayloadValue): boolean {
  if (value === null) return false;
  if (typeof value === 'object') return Object.values(value).some((item) => hasTextExcept(texts, item));
  return !texts.includes(String(value).trim());
}
